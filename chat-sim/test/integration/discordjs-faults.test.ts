import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RESTEvents } from 'discord.js';
import type { Client, TextChannel } from 'discord.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startChatSim } from '../../src/index.ts';
import type { ChatSim } from '../../src/index.ts';
import { clientOf, login } from './discordjs-client.ts';

const ROUTE = '/channels/{id}/messages';

let sim: ChatSim;
let client: Client;
let channel: TextChannel;
let attempts: { status: number; headers: Headers }[];

beforeEach(async () => {
  sim = await startChatSim({ guilds: 1 });
  client = await login(clientOf(sim, { rest: { retries: 2 } }));
  const found = client.guilds.cache.first()?.systemChannel;
  if (found === null || found === undefined) throw new Error('Expected a system channel.');
  channel = found;
  attempts = [];
  client.rest.on(RESTEvents.Response, (request, response) => {
    const { status, headers } = response;
    if (request.path.endsWith('/messages'))
      attempts.push({ status, headers: new Headers(headers) });
  });
});

afterEach(async () => {
  await client.destroy();
  await sim.stop();
});

test.each([
  ['rate-limit-bucket', { 'x-ratelimit-scope': 'user', via: '1.1 google' }],
  ['rate-limit-shared', { 'x-ratelimit-scope': 'shared', via: '1.1 google' }],
  ['rate-limit-global', { 'x-ratelimit-scope': 'global', 'x-ratelimit-global': 'true' }],
  ['rate-limit-edge', { via: null, 'x-ratelimit-limit': null, 'x-ratelimit-scope': null }],
] as const)('%s: one 429, then the call passes', async (kind, headers) => {
  const fault = sim.restFaults.add({ kind, route: ROUTE, times: 1, retryAfterSeconds: 0.1 });
  await channel.send('hello');
  expect(attempts.map(({ status }) => status)).toEqual([429, 200]);
  for (const [name, value] of Object.entries(headers)) {
    expect(attempts[0]?.headers.get(name)).toBe(value);
  }
  expect(fault.hits).toBe(1);
  expect(sim.ledger().faults).toEqual({ [kind]: 1 });
  expect(sim.ledger().rest[`POST ${ROUTE}`]).toEqual({ 429: 1, 200: 1 });
});

test('answers carry where the bucket stands', async () => {
  await channel.send('one');
  await channel.send('two');
  const [first, second] = attempts.map(({ headers }) =>
    Number(headers.get('x-ratelimit-remaining')),
  );
  expect([first, second]).toEqual([99, 98]);
  const { headers } = attempts[1] ?? { headers: new Headers() };
  expect(headers.get('x-ratelimit-bucket')).toMatch(/^[0-9a-f]{32}$/);
  const resetMs = Number(headers.get('x-ratelimit-reset')) * 1000;
  const afterMs = Number(headers.get('x-ratelimit-reset-after')) * 1000;
  expect(Math.abs(resetMs - afterMs - Date.now())).toBeLessThan(500);
});

test('a bucket that is used up is limited for real', async () => {
  await sim.stop();
  await client.destroy();
  sim = await startChatSim({ guilds: 1, rateLimit: { limit: 2, windowMs: 300 } });
  const path = `${sim.restUrl}/v10/users/@me`;
  const get = async (): Promise<number> =>
    (await fetch(path, { headers: { authorization: 'Bot x' } })).status;
  expect([await get(), await get(), await get()]).toEqual([200, 200, 429]);
});

test.each([
  ['forbidden', { status: 403, code: 50013 }],
  ['unauthorized', { status: 401 }],
] as const)('%s', async (kind, expected) => {
  sim.restFaults.add({ kind, route: ROUTE, times: 1 });
  await expect(channel.send('hello')).rejects.toMatchObject(expected);
});

test('500 and 502 are tried again', async () => {
  sim.restFaults.add({ kind: 'server-error', route: ROUTE, times: 1 });
  sim.restFaults.add({ kind: 'server-error', status: 502, route: ROUTE, times: 1 });
  await channel.send('hello');
  expect(attempts.map(({ status }) => status)).toEqual([500, 502, 200]);
});

test('a fault without end lasts until it is cleared', async () => {
  const fault = sim.restFaults.add({ kind: 'server-error', method: 'POST', route: ROUTE });
  await expect(channel.send('hello')).rejects.toMatchObject({ status: 500 });
  expect(fault.hits).toBe(3);
  fault.clear();
  await channel.send('hello');
});

test('a reset connection is tried again, a late answer arrives', async () => {
  sim.restFaults.add({ kind: 'reset', route: ROUTE, times: 1 });
  await channel.send('hello');
  sim.restFaults.add({ kind: 'delay', delayMs: 150, route: ROUTE, times: 1 });
  const fromMs = performance.now();
  await channel.send('hello');
  expect(performance.now() - fromMs).toBeGreaterThanOrEqual(149);
  expect(sim.ledger().rest[`POST ${ROUTE}`]).toEqual({ reset: 1, 200: 2 });
});

test('a port in use is an error, not a hang', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => {
    other.listen(0, '127.0.0.1', resolve);
  });
  const { port } = other.address() as AddressInfo;
  await expect(startChatSim({ port })).rejects.toThrow(/EADDRINUSE/);
  other.close();
});
