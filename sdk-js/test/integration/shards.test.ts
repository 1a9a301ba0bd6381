import { afterEach, describe, expect, test } from 'vitest';
import type { EventType } from '../../src/api/events.ts';
import { onInteraction, startBot, textChannelOf, type Bot } from '../support/bot.ts';

let bot: Bot;
afterEach(async () => {
  await bot.stop();
});

async function shardEvents(from = 0): Promise<[EventType, unknown][]> {
  const all = (await bot.events()).filter(({ type }) => type.startsWith('shard_'));
  return all.slice(from).map(({ type, data }) => [type, data]);
}

describe('shard kinds', () => {
  test('connect and ready of each shard', async () => {
    bot = await startBot({ sim: { shards: 2, guilds: 5 } });
    await bot.of('shard_ready', 2);
    const seen = await shardEvents();
    expect(seen).toHaveLength(4);
    expect(seen).toContainEqual(['shard_connect', { shardId: 1, shardCount: 2, resumed: false }]);
    expect(seen).toContainEqual([
      'shard_ready',
      {
        shardId: 1,
        shardCount: 2,
        guildCount: 2,
        unavailableGuilds: 0,
        startupMs: expect.any(Number),
      },
    ]);
  });

  test.each([
    ['close 4000', () => bot.sim.gateway.close({ code: 4000 }), 4000],
    ['op 7', () => bot.sim.gateway.reconnect(), null],
    ['a cut connection', () => bot.sim.gateway.kill(), null],
  ] as const)('%s: disconnect, reconnect, resume', async (_, cut, code) => {
    bot = await startBot();
    const from = (await shardEvents()).length;
    cut();
    bot.sim.events.channelCreate();
    const [resumed] = await bot.of('shard_resume', 1);
    const seen = await shardEvents(from);
    expect(seen.map(([type]) => type)).toEqual([
      'shard_disconnect',
      'shard_reconnect',
      'shard_resume',
    ]);
    const [, closed] = seen[0] ?? [];
    expect(closed).toMatchObject({ willReconnect: true, shardId: 0 });
    if (code !== null) expect(closed).toMatchObject({ code });
    expect(seen[1]?.[1]).toMatchObject({ attempt: 1 });
    expect(resumed?.data.downMs).toBeGreaterThanOrEqual(0);
    expect(resumed?.data.replayedEvents).toBeGreaterThanOrEqual(0);
    expect(resumed?.data.replayedEvents).toBeLessThanOrEqual(1);
  });

  test('op 9, not resumable: a new session', async () => {
    bot = await startBot();
    const from = (await shardEvents()).length;
    bot.sim.gateway.invalidSession({ resumable: false });
    await bot.of('shard_ready', 2);
    expect((await shardEvents(from)).map(([type]) => type)).toEqual([
      'shard_disconnect',
      'shard_reconnect',
      'shard_connect',
      'shard_ready',
    ]);
  });

  test('4014: it will not reconnect', async () => {
    bot = await startBot();
    bot.client.on('error', () => undefined);
    const from = (await shardEvents()).length;
    bot.sim.gateway.close({ code: 4014 });
    await bot.of('shard_disconnect', 1);
    expect((await shardEvents(from))[0]).toEqual([
      'shard_disconnect',
      { shardId: 0, shardCount: 1, code: 4014, willReconnect: false },
    ]);
    expect((await shardEvents(from)).map(([type]) => type)).not.toContain('shard_reconnect');
  });

  test('destroy(): disconnected for good, no false reconnect, no more heartbeats', async () => {
    bot = await startBot({ analytics: { snapshotIntervalMs: 1_000 } });
    const from = (await shardEvents()).length;
    await bot.client.destroy();
    const beats = (await bot.of('heartbeat')).length;
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(await shardEvents(from)).toEqual([
      ['shard_disconnect', { shardId: 0, shardCount: 1, code: 1000, willReconnect: false }],
    ]);
    expect(await bot.of('heartbeat')).toHaveLength(beats);
  });
});

describe('heartbeat', () => {
  test('one per shard at ready, figures of the process on one, ping null before the first', async () => {
    bot = await startBot({ sim: { shards: 2, guilds: 5 }, analytics: { clusterId: 'eu-1' } });
    const beats = await bot.of('heartbeat', 2);
    expect(beats.map(({ data }) => data.shardId).toSorted((a, b) => a - b)).toEqual([0, 1]);
    for (const { data } of beats) {
      expect(data).toMatchObject({
        shardCount: 2,
        clusterId: 'eu-1',
        shardStatus: 'ready',
        wsPingMs: null,
        intervalMs: 0,
        library: 'discord.js',
        libraryVersion: '14.28.1',
        runtime: 'node',
        runtimeVersion: process.version,
        sdkDropped: 0,
      });
    }
    expect(new Set(beats.map(({ data }) => data.instanceId)).size).toBe(1);
    const primary = beats.find(({ data }) => data.shardId === 0);
    expect(primary?.data).toMatchObject({ primary: true, guildCount: 3 });
    expect(primary?.data.memoryMb).toBeGreaterThan(20);
    expect(primary?.data.restRequests).toBeGreaterThan(0);
  });

  test('a ready shard shows at once, not after a flush interval', async () => {
    bot = await startBot({ analytics: { flushIntervalMs: 3_600_000 } });
    await bot.sink.until(() => bot.sink.types().includes('heartbeat'), 1_000);
  });

  test('attached after ready', async () => {
    bot = await startBot({ sim: { shards: 2 }, attachLate: true });
    expect(await bot.of('heartbeat', 2)).toHaveLength(2);
  });

  test('the ping of the library after its first heartbeat', async () => {
    bot = await startBot({
      sim: { heartbeatIntervalMs: 200 },
      analytics: { snapshotIntervalMs: 1_000 },
    });
    // At ready, at the first ping, and after each interval.
    const beats = await bot.of('heartbeat', 4);
    expect(beats[0]?.data.wsPingMs).toBeNull();
    expect(beats[1]?.data.wsPingMs).toBeGreaterThanOrEqual(0);
    expect(beats[1]?.data.intervalMs).toBeLessThan(900);
    expect(beats[3]?.data.wsPingMs).toBeGreaterThanOrEqual(0);
    expect(beats[3]?.data.intervalMs).toBeGreaterThan(900);
    expect(beats[3]?.data.eventLoopDelayP95Ms).toBeGreaterThanOrEqual(0);
    expect(beats[3]?.data.cpuPercent).toBeGreaterThanOrEqual(0);
  });
});

describe('REST counters and routes', () => {
  test('429 by class, 400, 401, 403, requests; routes without ids and tokens', async () => {
    bot = await startBot({
      analytics: { snapshotIntervalMs: 1_000 },
      prepare: (client) =>
        onInteraction(client, async (interaction) => {
          if (interaction.isChatInputCommand()) await interaction.reply('x');
        }),
    });
    const channelId = textChannelOf(bot.sim);
    const post = () =>
      bot.client.rest.post(`/channels/${channelId}/messages`, { body: { content: 'x' } });
    for (const kind of [
      'rate-limit-bucket',
      'rate-limit-global',
      'rate-limit-shared',
      'rate-limit-edge',
    ] as const) {
      bot.sim.restFaults.add({ kind, times: 1, retryAfterSeconds: 0.05, method: 'POST' });
      await post().catch(() => undefined);
    }
    bot.sim.restFaults.add({ kind: 'forbidden', times: 1, method: 'POST' });
    await post().catch(() => undefined);
    await bot.client.rest
      .post(`/channels/${channelId}/messages`, { body: {} })
      .catch(() => undefined);
    const record = bot.sim.users.slash({ command: 'x' });
    await bot.sim.settled(record);
    const before = (await bot.of('heartbeat', 1)).length;
    const beats = await bot.of('heartbeat', before + 2);
    const sum = (name: keyof (typeof beats)[0]['data']): number =>
      beats.reduce((total, { data }) => total + Number(data[name]), 0);
    expect({
      global: sum('restRateLimitedGlobal'),
      bucket: sum('restRateLimitedBucket'),
      shared: sum('restRateLimitedShared'),
      edge: sum('restRateLimitedEdge'),
      forbidden: sum('rest403'),
      malformed: sum('rest400'),
    }).toEqual({ global: 1, bucket: 2, shared: 1, edge: 1, forbidden: 1, malformed: 1 });
    const attempts = Object.values(bot.sim.ledger().rest).flatMap((byStatus) =>
      Object.values(byStatus),
    );
    expect(sum('restRequests')).toBe(attempts.reduce((total, count) => total + count, 0));
  });
});
