import { createServer as createHttpServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EnvHttpProxyAgent, fetch } from 'undici';
import type * as Fetch from '../../src/fetch.ts';
import type * as Source from '../../src/index.ts';
import { DIST } from '../support/child.ts';
import { Sink } from '../support/sink.ts';

const { Analytics } = (await import(DIST)) as typeof Source;
const { sendWithFetch } = (await import(new URL('fetch.js', DIST).href)) as typeof Fetch;

let proxy: Server;
let tunnels: string[];
let sink: Sink;

/** A proxy that makes tunnels (CONNECT), and remembers where to. */
beforeEach(async () => {
  tunnels = [];
  proxy = createHttpServer((_, response) => response.writeHead(405).end());
  proxy.on('connect', (request, client) => {
    tunnels.push(request.url ?? '');
    const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(request.url ?? '') ?? [];
    const upstream = connect(Number(port), host.replaceAll(/[[\]]/g, ''), () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      client.pipe(upstream).pipe(client);
    });
    upstream.on('error', () => client.destroy());
    client.on('error', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  sink = await Sink.start();
});
afterEach(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await sink.stop();
});

/** One event, by the way that the readme names; the settings are those of the environment. */
async function sendOne(endpoint: string, noProxy: string): Promise<Source.Stats> {
  const httpProxy = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const dispatcher = new EnvHttpProxyAgent({ httpProxy, httpsProxy: httpProxy, noProxy });
  const analytics = new Analytics({
    apiKey: 'bak_test',
    endpoint,
    handleSignals: false,
    captureUnhandledRejections: false,
    send: sendWithFetch((url, init) => fetch(url, { ...init, dispatcher })),
  });
  analytics.captureError(new Error('x'));
  await analytics.flush({ timeoutMs: 5_000 });
  await analytics.shutdown();
  await dispatcher.close();
  return analytics.stats();
}

describe('B49: the example of the readme, with undici', () => {
  test('goes through the proxy', async () => {
    expect(await sendOne(sink.endpoint, '')).toMatchObject({ delivered: 1, lastError: null });
    expect(tunnels).toEqual([new URL(sink.endpoint).host]);
    expect(sink.stored).toHaveLength(1);
  });

  test('NO_PROXY is honoured', async () => {
    expect(await sendOne(sink.endpoint, '127.0.0.1')).toMatchObject({ delivered: 1 });
    expect(tunnels).toEqual([]);
    expect(sink.stored).toHaveLength(1);
  });
});

test('B49: an IPv6 literal as host, without a proxy', async () => {
  const bodies: string[] = [];
  const server = createHttpServer((request, response) => {
    request.setEncoding('utf8').on('data', (chunk: string) => bodies.push(chunk));
    request.on('end', () => response.writeHead(200).end('{}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '::1', resolve));
  const analytics = new Analytics({
    apiKey: 'bak_test',
    endpoint: `http://[::1]:${(server.address() as AddressInfo).port}`,
    handleSignals: false,
    captureUnhandledRejections: false,
  });
  analytics.captureError(new Error('x'));
  await analytics.flush({ timeoutMs: 5_000 });
  await analytics.shutdown();
  server.close();
  expect(analytics.stats().delivered).toBe(1);
  expect(bodies.join('')).toContain('"type":"error"');
});
