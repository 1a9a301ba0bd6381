import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { realEnv } from '../../src/core/env.ts';
import { createHttpClient } from '../../src/core/http-client.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: unknown = runInNewContext('gc');

/** Everything that the process holds after a collection, bytes. */
async function heldBytes(): Promise<number> {
  // What the last requests left to the event loop has to be through.
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  if (typeof collectGarbage === 'function') Reflect.apply(collectGarbage, undefined, []);
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + external + arrayBuffers;
}

let server: Server;
let open: Set<Socket>;
let url: string;

beforeEach(async () => {
  open = new Set();
  server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
    socket.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/events`;
});
afterEach(() => {
  for (const socket of open) socket.destroy();
  server.close();
});

const BODY_BYTES = 1_000_000;
const ATTEMPTS = 60;

test('B42: attempts that time out leave no socket and no body behind', async () => {
  const { send, close } = createHttpClient(realEnv());
  const attempt = async (): Promise<void> => {
    const controller = new AbortController();
    const body = 'x'.repeat(BODY_BYTES);
    const outcome = send({ url, headers: {}, body, signal: controller.signal }).then(
      () => 'answered',
      () => 'failed',
    );
    await untilOpen();
    controller.abort();
    expect(await outcome).toBe('failed');
  };
  for (let n = 0; n < 5; n += 1) await attempt();
  const before = await heldBytes();
  for (let n = 0; n < ATTEMPTS; n += 1) await attempt();
  const grown = (await heldBytes()) - before;
  // Kept bodies would be 60 MB.
  expect(grown).toBeLessThan(3 * BODY_BYTES);
  while (open.size > 0) await new Promise((resolve) => setImmediate(resolve));
  close();
});

/** The request is under way: the server took its connection. */
async function untilOpen(): Promise<void> {
  const deadlineMs = performance.now() + 5_000;
  while (open.size === 0) {
    if (performance.now() > deadlineMs) throw new Error('no connection within 5 s');
    await new Promise((resolve) => setImmediate(resolve));
  }
}
