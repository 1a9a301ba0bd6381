import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { realEnv } from '../../src/core/env.ts';
import { sendWithFetch } from '../../src/fetch.ts';
import { makeSdk } from '../support/sdk.ts';
import { Sink } from '../support/sink.ts';

let sink: Sink;
beforeEach(async () => {
  sink = await Sink.start();
});
afterEach(async () => {
  await sink.stop();
});

/** Retries at once: what is under test is the HTTP exchange, not the backoff. */
const env = { ...realEnv(), random: () => 0, warn: () => undefined };

function sdkFor(endpoint: string, options = {}) {
  const { sdk } = makeSdk({ apiKey: 'key-1', endpoint, ...options }, { env });
  let n = 0;
  const put = (): void => sdk.captureError(`error ${(n += 1)}`, undefined);
  return { sdk, put };
}

/** A server that speaks raw bytes; `answer` gets each request once its body is whole. */
async function rawServer(answer: (socket: Socket, request: number) => void): Promise<Server> {
  let requests = 0;
  const server = createServer((socket) => {
    let seen = '';
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      seen += chunk.toString('latin1');
      const head = seen.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(seen)?.[1] ?? 0);
      if (head < 0 || seen.length < head + 4 + length) return;
      seen = '';
      answer(socket, (requests += 1));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function portOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';

describe('requests', () => {
  test('method, path and headers are those of the specification', async () => {
    const { sdk, put } = sdkFor(sink.endpoint);
    put();
    await sdk.flush(2_000);
    expect(sink.requests[0]).toMatchObject({ method: 'POST', path: '/v1/events' });
    expect(sink.requests[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      authorization: 'Bearer key-1',
      'user-agent': '@vendor/chat.js/0.5.0',
    });
    expect(sink.requests[0]?.sdk).toEqual({ name: '@vendor/chat.js', version: '0.5.0' });
    await sdk.shutdown();
  });

  test('B48: 100 flushes use one connection; B117: after the shutdown none is left', async () => {
    const { sdk, put } = sdkFor(sink.endpoint);
    for (let n = 0; n < 100; n += 1) {
      put();
      await sdk.flush(2_000);
    }
    expect(sink.connections).toBe(1);
    expect(sink.stored).toHaveLength(100);
    await sdk.shutdown();
    await sink.until(() => sink.openSockets === 0);
  });

  test('B47: a server that closes each connection', async () => {
    sink.fallback = { status: 200, headers: { Connection: 'close' }, body: '{}' };
    const { sdk, put } = sdkFor(sink.endpoint);
    for (let n = 0; n < 3; n += 1) {
      put();
      await sdk.flush(2_000);
    }
    expect(sink.stored).toHaveLength(3);
    await sdk.shutdown();
  });

  test('the redirect target receives nothing', async () => {
    const other = await Sink.start();
    sink.script({ status: 302, headers: { Location: `${other.endpoint}/v1/events` } });
    const { sdk, put } = sdkFor(sink.endpoint);
    put();
    expect(await sdk.flush(2_000)).toMatchObject({ state: 'disabled', dropped: 1 });
    expect(other.requests).toHaveLength(0);
    await other.stop();
  });
});

describe('answers', () => {
  test.each([
    ['no body', ''],
    ['garbage', 'not json at all {'],
    ['10 MiB', 'x'.repeat(10 * 2 ** 20)],
  ])('B39: 200 with %s is delivered', async (_, body) => {
    sink.fallback = { status: 200, body };
    const { sdk, put } = sdkFor(sink.endpoint);
    put();
    expect(await sdk.flush(4_000)).toMatchObject({ delivered: 1 });
    put();
    expect(await sdk.flush(4_000)).toMatchObject({ delivered: 1 });
    await sdk.shutdown();
  });

  test('B40: 200 whose body hangs is delivered; the next batch starts within 1 s and a bit', async () => {
    sink.script((_request, response) => {
      response.writeHead(200, { 'Content-Length': '100' }).write('{');
    });
    const { sdk, put } = sdkFor(sink.endpoint);
    put();
    const first = await sdk.flush(4_000);
    put();
    await sdk.flush(4_000);
    expect(first.delivered).toBe(1);
    expect(sink.requests).toHaveLength(2);
    expect((sink.requests[1]?.atMs ?? 0) - (sink.requests[0]?.atMs ?? 0)).toBeLessThan(1_400);
    await sdk.shutdown();
  });

  test('B41: 200 and a reset in the body is delivered once', async () => {
    sink.script((_request, response) => {
      response
        .writeHead(200, { 'Content-Length': '100' })
        .write('{', () => response.socket?.resetAndDestroy());
    });
    const { sdk, put } = sdkFor(sink.endpoint);
    put();
    expect(await sdk.flush(4_000)).toMatchObject({ delivered: 1 });
    expect(sink.requests).toHaveLength(1);
    await sdk.shutdown();
  });

  test('B43: 503 whose body hangs: the retry does not wait for it', async () => {
    sink.script((_request, response) => {
      response.writeHead(503, { 'Content-Length': '100' }).write('{');
    });
    const { sdk, put } = sdkFor(sink.endpoint);
    put();
    expect(await sdk.flush(4_000)).toMatchObject({ delivered: 1 });
    expect((sink.requests[1]?.atMs ?? 0) - (sink.requests[0]?.atMs ?? 0)).toBeLessThan(500);
    await sdk.shutdown();
    await sink.until(() => sink.openSockets === 0);
  });

  test('B43: ten answers whose bodies hang hold one socket after the other, not ten at once', async () => {
    for (let n = 0; n < 10; n += 1) {
      sink.script((_request, response) => {
        response.writeHead(400, { 'Content-Length': '100' }).write('{');
      });
    }
    const { sdk, put } = sdkFor(sink.endpoint);
    let most = 0;
    for (let n = 0; n < 10; n += 1) {
      put();
      await sdk.flush(4_000);
      most = Math.max(most, sink.openSockets);
    }
    expect(sdk.stats().dropped.bad_request).toBe(10);
    expect(most).toBeLessThanOrEqual(2);
    await sdk.shutdown();
  });

  test('B40: a 200 whose body hangs beyond the time of the attempt is still a 200', async () => {
    sink.script((_request, response) => {
      setTimeout(() => response.writeHead(200, { 'Content-Length': '100' }).write('{'), 100);
    });
    const { sdk, put } = sdkFor(sink.endpoint, { requestTimeoutMs: 1_000 });
    put();
    expect(await sdk.flush(4_000)).toMatchObject({ delivered: 1 });
    expect(sink.requests).toHaveLength(1);
    await sdk.shutdown();
  });

  test('B37: 100 and 103 before the answer', async () => {
    const server = await rawServer((socket) => {
      socket.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n');
      socket.write(OK);
    });
    const { sdk, put } = sdkFor(portOf(server));
    put();
    expect(await sdk.flush(4_000)).toMatchObject({ delivered: 1 });
    await sdk.shutdown();
    server.close();
  });

  test('B38: 101 is retried', async () => {
    const server = await rawServer((socket, request) => {
      const upgrade =
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n';
      socket.write(request === 1 ? upgrade : OK);
    });
    const { sdk, put } = sdkFor(portOf(server));
    put();
    expect(await sdk.flush(4_000)).toMatchObject({ delivered: 1 });
    await sdk.shutdown();
    server.close();
  });

  test('B44: headers that drip in are cut off by the total time', async () => {
    const server = await rawServer((socket, request) => {
      if (request > 1) {
        socket.write(OK);
        return;
      }
      const drip = setInterval(() => socket.write('H'), 50);
      socket.write('HTTP/1.1 200 OK\r\nX: ');
      socket.on('close', () => clearInterval(drip));
    });
    const { sdk, put } = sdkFor(portOf(server), { requestTimeoutMs: 1_000 });
    put();
    const startedMs = performance.now();
    expect(await sdk.flush(5_000)).toMatchObject({ delivered: 1 });
    expect(performance.now() - startedMs).toBeGreaterThan(950);
    expect(performance.now() - startedMs).toBeLessThan(2_000);
    await sdk.shutdown();
    server.close();
  });
});

describe('broken connections', () => {
  test('B45: reset, half answer, no HTTP at all, then delivered', async () => {
    const server = await rawServer((socket, request) => {
      if (request === 1) socket.resetAndDestroy();
      else if (request === 2) socket.end('HTTP/1.1 200 O');
      else if (request === 3) socket.end('SSH-2.0-nonsense\r\n');
      else socket.write(OK);
    });
    const { sdk, put } = sdkFor(portOf(server));
    put();
    expect(await sdk.flush(4_000)).toMatchObject({ delivered: 1 });
    expect(sdk.stats().lastError).not.toBeNull();
    await sdk.shutdown();
    server.close();
  });

  test.each([
    ['B45: refused', 'http://127.0.0.1:1', 'ECONNREFUSED'],
    ['B45: unknown host', 'http://no-such-host.invalid', undefined],
    ['B45: TLS against a plain server', 'https://', undefined],
  ])('%s is retried and then dropped', async (_, endpoint, code) => {
    const target = endpoint === 'https://' ? sink.endpoint.replace('http:', 'https:') : endpoint;
    const { sdk, put } = sdkFor(target);
    put();
    expect(await sdk.flush(9_000)).toMatchObject({ dropped: 1, state: 'active' });
    if (code !== undefined) expect(sdk.stats().lastError).toBe(code);
    expect(sdk.stats().dropped.retries_exhausted).toBe(1);
    await sdk.shutdown();
  });

  test('B46: an idle connection that the server closed right before its next use', async () => {
    const server = await rawServer((socket, request) => {
      if (request === 2) socket.destroy();
      else socket.write(OK);
    });
    const { sdk, put } = sdkFor(portOf(server));
    for (let n = 0; n < 3; n += 1) {
      put();
      expect(await sdk.flush(4_000)).toMatchObject({ delivered: 1 });
    }
    await sdk.shutdown();
    server.close();
  });
});

describe('another way to the server', () => {
  test('B49: through a given fetch, redirects not followed', async () => {
    sink.script({ status: 503 });
    const { sdk, put } = sdkFor(sink.endpoint, { send: sendWithFetch(fetch) });
    put();
    expect(await sdk.flush(4_000)).toMatchObject({ delivered: 1 });
    sink.script({ status: 307, headers: { Location: sink.endpoint } });
    put();
    expect(await sdk.flush(4_000)).toMatchObject({ state: 'disabled' });
    expect(sink.requests).toHaveLength(3);
  });

  test('a send that throws, never answers or answers nonsense harms nothing', async () => {
    const faults = [
      () => {
        throw new Error('sync');
      },
      () => undefined,
      () => Promise.resolve({}),
      () => Promise.reject('text'),
    ];
    for (const send of faults) {
      const { sdk, put } = sdkFor(sink.endpoint, { send });
      put();
      expect(await sdk.flush(9_000)).toMatchObject({ dropped: 1, state: 'active' });
      await sdk.shutdown();
    }
  });
});

test('a shutdown in a short pause waits it out, on the real clock', async () => {
  sink.script({ status: 429, headers: { 'Retry-After': '1' } });
  const { sdk, put } = sdkFor(sink.endpoint);
  put();
  await sdk.flush(2_000);
  expect(sdk.stats()).toMatchObject({ state: 'quiet', queued: 1 });
  expect(await sdk.shutdown()).toMatchObject({ delivered: 1, queued: 0, state: 'closed' });
});
