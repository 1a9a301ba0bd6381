import { ApiUsage, ShardHistory } from '@bot-analytics/protocol/read-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Rollup } from '../../src/analytics/rollup.ts';
import { event, TestServer, uuid, type BotKeys } from '../harness.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const server = new TestServer();
let bot: BotKeys;
/** Start of the present hour. */
const thisHour = Math.floor(Date.now() / HOUR) * HOUR;
const INSTANCE = '0193f0a0-0000-7000-8000-00000000c0de';
const silent = () => undefined;

const iso = (ms: number): string => new Date(ms).toISOString();
const get = (path: string) =>
  server.call('GET', `/v1/bots/${bot.botId}/${path}`, { key: bot.readKey });

/** A heartbeat of a process with shards 0 and 1, of which 0 carries the figures. */
function beat(shardId: number, tsMs: number, change: Record<string, unknown> = {}) {
  const primary = shardId === 0;
  const data = {
    shardId,
    shardCount: 2,
    clusterId: 'east',
    shardStatus: 'ready',
    wsPingMs: 40 + shardId,
    guildCount: 5,
    memoryMb: primary ? 200 : 0,
    cpuPercent: primary ? 10 : 0,
    eventLoopDelayP95Ms: primary ? 3 : null,
    restRequests: primary ? 100 : 0,
    restRateLimitedGlobal: primary ? 1 : 0,
    restRateLimitedBucket: primary ? 4 : 0,
    restRateLimitedShared: primary ? 2 : 0,
    rest400: primary ? 5 : 0,
    rest401: primary ? 6 : 0,
    rest403: primary ? 7 : 0,
    instanceId: INSTANCE,
    primary,
    ...change,
  };
  const ids = { guildId: undefined, userId: undefined };
  return event({ id: uuid(tsMs), type: 'heartbeat', ts: iso(tsMs), data, ...ids });
}

/** Computes the hours now, as the server does every ten minutes. */
async function rollUp(): Promise<Rollup> {
  const { store, env } = server.server.parts;
  const log = { error: silent, warn: silent, info: silent, debug: silent };
  const rollup = new Rollup({ store, env, log });
  await rollup.run();
  return rollup;
}

/** Hours 30 and 28 before this one have three heartbeats of each shard, hour 29 has none. */
const old = [30, 28].flatMap((hours) =>
  [5, 15, 25].flatMap((minute) => {
    const at = thisHour - hours * HOUR + minute * MINUTE;
    return [beat(0, at, { wsPingMs: minute }), beat(1, at, { wsPingMs: minute + 100 })];
  }),
);

/** The clock stands in the middle of an hour, so that no test crosses its end. */
const nowMs = (): number => server.env.nowMs();
const send = (events: readonly unknown[]) =>
  server.send(bot.apiKey, events, { sentAt: iso(nowMs()) });

beforeAll(async () => {
  server.env.offsetMs = thisHour + HOUR / 2 - Date.now();
  await server.start();
  bot = await server.createBot();
  await send(old);
});

afterAll(() => server.stop());

const range = `from=${thisHour - 31 * HOUR}&to=${thisHour - 27 * HOUR}`;
const hoursOf = async (shard: number) =>
  (await get(`shards/${shard}/history?${range}`)).body.hours as Record<string, unknown>[];

describe('the history of a shard', () => {
  const figures = {
    wsPingMs: 15,
    memoryMb: 200,
    cpuPercent: 10,
    eventLoopDelayP95Ms: 3,
    heartbeats: 3,
  };
  const none = {
    wsPingMs: null,
    memoryMb: null,
    cpuPercent: null,
    eventLoopDelayP95Ms: null,
    heartbeats: 0,
  };
  const expected = [31, 30, 29, 28].map((hours) => ({
    hour: iso(thisHour - hours * HOUR),
    ...(hours % 2 === 0 ? figures : none),
  }));

  test('has every hour, and null where nothing was measured', async () => {
    await rollUp();
    const { status, body } = await get(`shards/0/history?${range}`);
    expect(status).toBe(200);
    expect(ShardHistory.parse(body)).toEqual(body);
    expect(body).toMatchObject({ shardId: 0, clusterId: 'east', state: 'online' });
    expect(body.hours).toEqual(expected);
  });

  test('gives a shard the figures of its process', async () => {
    expect(await hoursOf(1)).toEqual(
      expected.map((hour) => (hour.heartbeats === 0 ? hour : { ...hour, wsPingMs: 115 })),
    );
  });

  test('counts a resent heartbeat once, before and after the hours are computed', async () => {
    await send(old);
    expect(await hoursOf(0)).toEqual(expected);
    await rollUp();
    expect(await hoursOf(0)).toEqual(expected);
    // Even when the store holds a row twice, as after a crash between insert and answer.
    await server.server.parts.store.run(
      `INSERT INTO heartbeats SELECT * FROM heartbeats WHERE bot_id = '${bot.botId}'`,
    );
    await rollUp();
    expect(await hoursOf(0)).toEqual(expected);
  });

  test('takes a late heartbeat into its hour', async () => {
    await send([beat(0, thisHour - 29 * HOUR + MINUTE, { wsPingMs: 7 })]);
    await rollUp();
    expect((await hoursOf(0))[2]).toMatchObject({ wsPingMs: 7, heartbeats: 1 });
  });

  test('shows the present hour at once', async () => {
    const at = nowMs();
    await send([beat(0, at), beat(1, at)]);
    const { body } = await get('shards/1/history');
    const last = body.hours.at(-1);
    expect(last).toMatchObject({ wsPingMs: 41, memoryMb: 200, cpuPercent: 10, heartbeats: 1 });
    expect(body.hours.length).toBeGreaterThanOrEqual(24);
  });

  test('of a shard that was never seen is empty, not missing', async () => {
    const { status, body } = await get(`shards/77/history?${range}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ state: null, lastHeartbeatAt: null, lifecycle: [] });
    expect(body.hours.every((hour: { heartbeats: number }) => hour.heartbeats === 0)).toBe(true);
  });

  test('holds the lifecycle of this shard alone, oldest first', async () => {
    const at = (minute: number) => iso(thisHour - 28 * HOUR + minute * MINUTE);
    const life = (type: string, minute: number, data: Record<string, unknown>) =>
      event({ type, ts: at(minute), data: { shardCount: 2, ...data } });
    const events = [
      life('shard_resume', 4, { shardId: 1, replayedEvents: 3, downMs: 900 }),
      life('shard_disconnect', 2, { shardId: 1, code: 4_004, willReconnect: false }),
      life('shard_ready', 1, { shardId: 1, guildCount: 5, unavailableGuilds: 0, startupMs: 10 }),
      life('shard_reconnect', 3, { shardId: 0, attempt: 1 }),
    ];
    expect((await send(events)).body.accepted).toBe(4);
    const { body } = await get(`shards/1/history?${range}`);
    expect(ShardHistory.parse(body)).toEqual(body);
    expect(body.lifecycle.map((each: { type: string }) => each.type)).toEqual([
      'shard_ready',
      'shard_disconnect',
      'shard_resume',
    ]);
    expect(body.lifecycle[1]).toMatchObject({ ts: at(2), data: { code: 4_004 } });
  });

  test.each([
    ['from=0001-01-01T00:00:00Z&to=9999-12-31T23:59:59Z', 400, 'invalid_range'],
    [`from=${thisHour - 401 * 24 * HOUR}`, 400, 'invalid_range'],
    [`from=${thisHour - 400 * 24 * HOUR}&to=${thisHour}`, 200, undefined],
  ])('%s: %i %s', async (query, status, code) => {
    const startedAt = performance.now();
    const answer = await get(`shards/0/history?${query}`);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(performance.now() - startedAt).toBeLessThan(1_500);
    if (status === 200) expect(answer.body.hours.length).toBeGreaterThanOrEqual(9_600);
  });

  test.each(['x', '-1', '65536', '1.5', '0%27'])('shard %s is not there', async (shard) => {
    expect((await get(`shards/${shard}/history`)).status).toBe(404);
  });
});

describe('API usage', () => {
  test('adds up what the processes counted, by hour, and knows the platform limit', async () => {
    const { status, body } = await get(`api-usage?${range}`);
    expect(status).toBe(200);
    expect(ApiUsage.parse(body)).toEqual(body);
    // Three heartbeats in two hours each, and the late one.
    expect(body).toMatchObject({
      restRequests: 700,
      rateLimitedGlobal: 7,
      rateLimitedBucket: 28,
      rest400: 35,
      rest401: 42,
      rest403: 49,
    });
    expect(body.hours.map((hour: { restRequests: number | null }) => hour.restRequests)).toEqual([
      null,
      300,
      100,
      300,
    ]);
    expect(body.shards).toHaveLength(1);
    expect(body.shards[0]).toMatchObject({ shardId: 0, restRequests: 700 });
    // 6 + 7 + 1 + 4 - 2 shared, in each ten minutes.
    expect(body.invalidRequests).toMatchObject({ limit: 10_000, windowMs: 600_000, peak: 16 });
  });

  test('counts what is not computed yet just the same', async () => {
    const from = thisHour;
    const before = (await get(`api-usage?from=${from}`)).body;
    expect(before).toMatchObject({ restRequests: 100, invalidRequests: { now: 16 } });
    await rollUp();
    expect((await get(`api-usage?from=${from}`)).body.restRequests).toBe(100);
  });

  test('of one process', async () => {
    expect((await get(`api-usage?${range}&shard=0`)).body.restRequests).toBe(700);
    const none = (await get(`api-usage?${range}&shard=1`)).body;
    expect(none).toMatchObject({ restRequests: 0, shards: [], routes: [] });
  });

  test('ranks the routes, with their share and trend', async () => {
    const snapshot = (hours: number, counts: Record<string, number>, total: number) =>
      event({
        id: uuid(thisHour - hours * HOUR + MINUTE),
        type: 'api_routes_snapshot',
        ts: iso(thisHour - hours * HOUR + MINUTE),
        guildId: undefined,
        userId: undefined,
        data: {
          windowMs: 300_000,
          total,
          distinctRoutes: 12,
          routes: Object.entries(counts).map(([route, count]) => ({ method: 'GET', route, count })),
          instanceId: INSTANCE,
          shardId: 0,
        },
      });
    const many = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`/r${i}`, 10 - i]));
    const events = [snapshot(31, many, 60), snapshot(28, { '/r9': 50, '/new': 5 }, 70)];
    await send(events);
    await send(events);
    const { body } = await get(`api-usage?${range}`);
    expect(ApiUsage.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      routesTotal: 130,
      trendStepMs: HOUR,
      routesAsOf: iso(thisHour - 28 * HOUR + MINUTE),
    });
    expect(body.routes).toHaveLength(10);
    expect(body.routes[0]).toEqual({
      method: 'GET',
      route: '/r9',
      count: 51,
      trend: [1, 0, 0, 50],
    });
    expect(body.routes[1]).toMatchObject({ route: '/r0', count: 10, trend: [10, 0, 0, 0] });
  });
});

test('a public link sees its last 31 days and its sections only', async () => {
  const path = `/v1/bots/${bot.botId}/shares`;
  const { body } = await server.call('POST', path, { body: { sections: ['history'] } });
  const open = (rest: string) =>
    server.call('GET', `/v1/public/${body.token}/${rest}`, { key: '' });
  expect((await open('shards/0/history')).status).toBe(200);
  const month = nowMs() - 31 * 24 * HOUR;
  expect((await open(`shards/0/history?from=${month - HOUR}&to=${month}`)).status).toBe(400);
  for (const rest of ['status', 'status/stream', 'summary', 'badge.svg', 'api-usage']) {
    expect((await open(rest)).status, rest).toBe(404);
  }
});
