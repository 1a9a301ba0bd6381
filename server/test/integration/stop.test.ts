import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { event, TestServer, type BotKeys } from '../harness.ts';

const t = new TestServer();
let bot: BotKeys;
beforeAll(async () => {
  await t.start();
  bot = await t.createBot();
});
afterAll(() => t.stop());

test('time limits: keep-alive above 65 s, headers 10 s, requests 30 s', () => {
  const { server } = createApp(t.server.parts);
  expect(server).toMatchObject({
    keepAliveTimeout: 70_000,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    maxConnections: 20_000,
  });
});

test('bodies in flight are bounded: 429 beyond, and room again afterwards', async () => {
  const events = Array.from({ length: 500 }, () => event());
  const small = new TestServer();
  await small.start({ inFlightBytesMax: 200_000 });
  const { apiKey } = await small.createBot();
  const answers = await Promise.all(Array.from({ length: 8 }, () => small.send(apiKey, events)));
  const refused = answers.filter((answer) => answer.status === 429);
  expect(refused.length).toBeGreaterThan(0);
  for (const answer of refused) {
    expect(answer.body.code).toBe('overloaded');
    const waitS = Number(answer.headers.get('retry-after'));
    expect(waitS >= 1 && waitS <= 60).toBe(true);
  }
  expect((await small.send(apiKey, events)).status).toBe(200);
  await small.stop();
});

test('metrics need the admin token and hold no names of bots', async () => {
  expect((await t.call('GET', '/metrics', { key: '' })).status).toBe(401);
  await t.send(bot.apiKey, [event()]);
  const { body } = await t.call('GET', '/metrics');
  expect(body).toMatch(/^bot_analytics_stored_rows_total [1-9]\d*$/m);
  expect(body).toMatch(/^bot_analytics_ingest_requests_total\{status="200"\} [1-9]\d*$/m);
  expect(body).not.toContain(bot.botId);
});

test('while stopping: 429, Retry-After 2, Connection close, for writes and reads', async () => {
  t.server.parts.pressure.beginStop();
  const write = await t.send(bot.apiKey, [event()]);
  const read = await t.call('GET', '/v1/bots');
  for (const answer of [write, read]) {
    expect([answer.status, answer.body.code]).toEqual([429, 'shutting_down']);
    expect(answer.headers.get('retry-after')).toBe('2');
    expect(answer.headers.get('connection')).toBe('close');
  }
});
