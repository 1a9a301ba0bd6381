import { afterAll, beforeAll, expect, test } from 'vitest';
import { SampleBots } from '../../src/sample/sample-bots.ts';
import { TestServer, until } from '../harness.ts';

const server = new TestServer();
let own: { botId: string };
let botId = '';
let tookMs = 0;

const minutesAgo = (minutes: number): string =>
  new Date(server.env.nowMs() - minutes * 60_000).toISOString();

const read = async (path: string) => (await server.call('GET', `/v1/bots/${botId}${path}`)).body;

beforeAll(async () => {
  await server.start();
  own = await server.createBot();
  const started = performance.now();
  const { status, body } = await server.call('POST', '/v1/sample-bot', { body: {} });
  tookMs = performance.now() - started;
  expect(status).toBe(201);
  botId = body.botId;
});

afterAll(() => server.stop());

test('it is there within seconds, once, and marked', async () => {
  // 0.8 s on a quiet machine; others may run beside the tests.
  expect(tookMs).toBeLessThan(6_000);
  const again = await server.call('POST', '/v1/sample-bot', { body: {} });
  expect(again.body).toEqual({ botId, name: 'Sample bot' });
  const { body } = await server.call('GET', '/v1/bots');
  expect(body.bots.map((bot: { sample: boolean }) => bot.sample)).toEqual([false, true]);
  expect(body.bots[1].presence).toMatchObject({ online: 30, total: 32 });
  expect(body.bots[0].presence).toEqual({ online: 0, total: 0, guildCount: 0 });
});

test('clusters, offline shards, and one that does not respond', async () => {
  const status = await read('/status');
  expect(status).toMatchObject({ online: 30, total: 32, shardCount: 32 });
  expect(status.clusters).toHaveLength(4);
  const shards = status.clusters.flatMap((cluster: { shards: unknown[] }) => cluster.shards);
  const offline = shards.filter((shard: { state: string }) => shard.state === 'offline');
  expect(offline.map((shard: { shardId: number }) => shard.shardId)).toEqual([11, 21]);
  const silent = shards.filter((shard: { unresponsive: unknown }) => shard.unresponsive !== null);
  expect(silent.map((shard: { shardId: number }) => shard.shardId)).toEqual([26]);
});

test('seven days of hours with gaps, and what happened to the connection', async () => {
  const history = await read(`/shards/17/history?from=${minutesAgo(7 * 24 * 60 - 60)}`);
  const measured = history.hours.filter((hour: { heartbeats: number }) => hour.heartbeats > 0);
  expect(history.hours.length).toBeGreaterThanOrEqual(167);
  // 3 h of all clusters and 5 h of this one are missing, give or take an hour cut at each end.
  expect(history.hours.length - measured.length).toBeGreaterThanOrEqual(6);
  expect(history.hours.length - measured.length).toBeLessThanOrEqual(9);
  for (const hour of measured) expect(hour.wsPingMs).toBeGreaterThan(0);
  for (const hour of measured) expect(hour.memoryMb).toBeGreaterThan(0);
  const types = new Set(history.lifecycle.map((event: { type: string }) => event.type));
  for (const type of ['shard_connect', 'shard_disconnect', 'shard_ready', 'shard_resume']) {
    expect(types).toContain(type);
  }
});

test('API usage with both kinds of 429, processes and routes', async () => {
  const usage = await read('/api-usage');
  expect(usage.restRequests).toBeGreaterThan(100_000);
  expect(usage.rateLimitedGlobal).toBeGreaterThan(50);
  expect(usage.rateLimitedBucket).toBeGreaterThan(50);
  expect(usage.rest403).toBeGreaterThan(50);
  expect(usage.shards.map((shard: { shardId: number }) => shard.shardId)).toEqual([0, 8, 16, 24]);
  expect(usage.routes).toHaveLength(10);
  expect(usage.routesTotal).toBeGreaterThan(0.9 * usage.restRequests);
  expect(usage.invalidRequests.peak).toBeGreaterThan(0);
});

test('interactions are there; none lies ahead of the clock', async () => {
  const { events } = await read('/events?order=newest&limit=1000');
  expect(events).toHaveLength(1_000);
  const types = new Set(events.map((event: { type: string }) => event.type));
  for (const type of ['interaction_slash', 'interaction_button', 'command_error']) {
    expect(types).toContain(type);
  }
  expect(Date.parse(events[0].ts)).toBeLessThanOrEqual(server.env.nowMs());
});

test('it takes no keys', async () => {
  for (const path of ['keys', 'keys/rotate']) {
    const body = { scope: 'ingest' };
    const { status, body: problem } = await server.call('POST', `/v1/bots/${botId}/${path}`, {
      body,
    });
    expect([status, problem.code]).toEqual([409, 'sample_bot']);
  }
  expect((await read('/keys')).keys).toEqual([]);
});

const heartbeatsOf = async (): Promise<number> => {
  const [row] = await server.rows(
    `SELECT count() AS rows FROM heartbeats FINAL WHERE bot_id = '${botId}' AND shard_id = 17`,
  );
  return Number(row?.['rows']);
};

test('its heartbeats go on; two servers that make the same slots store them once', async () => {
  const before = await heartbeatsOf();
  server.env.offsetMs += 180_000;
  expect((await read('/status')).online).toBe(0);
  const [one, two] = [
    new SampleBots(server.server.parts),
    new SampleBots(server.server.parts),
  ] as const;
  await one.tick();
  await two.tick();
  expect((await read('/status')).online).toBe(30);
  expect(await heartbeatsOf()).toBe(before + 1);
});

test('removed: gone from every read and from the store, and the own bot is untouched', async () => {
  expect((await server.call('DELETE', '/v1/sample-bot')).status).toBe(204);
  expect((await server.call('DELETE', '/v1/sample-bot')).status).toBe(404);
  expect((await server.call('GET', `/v1/bots/${botId}/status`)).status).toBe(404);
  const { body } = await server.call('GET', '/v1/bots');
  expect(body.bots.map((bot: { botId: string }) => bot.botId)).toEqual([own.botId]);
  for (const table of ['events', 'heartbeats', 'api_routes', 'shard_hours']) {
    const sql = `SELECT count() AS rows FROM ${table} WHERE bot_id = '${botId}'`;
    await until(
      `no row in ${table}`,
      async () => Number((await server.rows(sql))[0]?.['rows']) === 0,
    );
  }
  const made = await server.call('POST', '/v1/sample-bot', { body: {} });
  expect(made.status).toBe(201);
  expect(made.body.botId).not.toBe(botId);
});
