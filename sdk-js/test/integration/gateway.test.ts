import { GatewayDispatchEvents, GatewayIntentBits, Options } from 'discord.js';
import { afterEach, describe, expect, test } from 'vitest';
import { GATEWAY_KINDS, GATEWAY_TYPES } from '@bot-analytics/protocol';
import { ALL_INTENTS, startBot, type Bot } from '../support/bot.ts';

let bot: Bot;
afterEach(async () => {
  await bot.stop();
});

const CANARY = 'canary-51c0';

/** Counts by type, all shards together. */
async function counted(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const event of await bot.events()) {
    if (!event.type.startsWith('event_')) continue;
    counts[event.type] = (counts[event.type] ?? 0) + Number(Reflect.get(event.data, 'count'));
  }
  return counts;
}

/** What the platform dispatched, by our type names. */
function dispatched(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const byName of Object.values(bot.sim.ledger().dispatches)) {
    for (const type of GATEWAY_TYPES) {
      const count = byName[GATEWAY_KINDS[type].dispatch] ?? 0;
      if (count > 0) counts[type] = (counts[type] ?? 0) + count;
    }
  }
  return counts;
}

function readyListeners({ client }: Bot): number {
  return client.ws.listenerCount(GatewayDispatchEvents.Ready);
}

function everything(times: number): void {
  const { events } = bot.sim;
  for (let n = 0; n < times; n += 1) {
    events.messageCreate({ content: CANARY, fields: { embeds: [{ title: CANARY }] } });
    events.messageUpdate();
    events.messageDelete();
    events.messageBulkDelete();
    events.reactionAdd();
    events.reactionRemove();
    events.memberJoin();
    events.memberLeave();
    events.memberUpdate();
    events.memberBan();
    events.memberUnban();
    events.channelCreate();
    events.channelUpdate();
    events.channelDelete();
    events.threadCreate();
    events.threadDelete();
    events.roleCreate();
    events.roleUpdate();
    events.roleDelete();
    events.voiceStateUpdate();
    events.inviteCreate();
    events.inviteDelete();
    events.guildUpdate();
    events.automodAction();
    events.presenceUpdate();
    events.typingStart();
  }
}

describe('24 gateway counters', () => {
  test('all kinds are counted exactly, cached or not, per shard; no content leaves', async () => {
    bot = await startBot({
      sim: { shards: 2 },
      client: {
        intents: ALL_INTENTS,
        makeCache: Options.cacheWithLimits({ MessageManager: 0, GuildMemberManager: 0 }),
      },
    });
    everything(5);
    bot.sim.events.messageCreate({ guildId: null, content: CANARY });
    const expected = dispatched();
    expect(Object.keys(expected)).toHaveLength(24);
    const total = Object.values(expected).reduce((sum, count) => sum + count, 0);
    let counts = await counted();
    const deadline = performance.now() + 3_000;
    while (
      Object.values(counts).reduce((sum, count) => sum + count, 0) < total &&
      performance.now() < deadline
    ) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      counts = await counted();
    }
    expect(counts).toEqual(expected);
    const perShard = (await bot.events()).filter(({ type }) => type === 'event_message_create');
    expect(new Set(perShard.map(({ data }) => Reflect.get(data, 'shardId')))).toEqual(
      new Set([0, 1]),
    );
    expect(bot.sink.requests.map(({ body }) => body).join('')).not.toContain(CANARY);
  });

  test('B139: no listener where the intent is off', async () => {
    bot = await startBot({
      client: { intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildInvites] },
    });
    const listening = GATEWAY_TYPES.filter(
      (type) => bot.client.ws.listenerCount(GATEWAY_KINDS[type].dispatch as never) > 0,
    );
    expect(listening).not.toContain('event_message_create');
    expect(listening).toHaveLength(11);
    // The library's own events stay without a listener, so it does no extra work for them.
    expect(bot.client.listenerCount('messageCreate')).toBe(0);
    expect(bot.client.listenerCount('raw')).toBe(0);
    expect(bot.client.listenerCount('error')).toBe(0);
  });

  test('detach takes every listener away and gives the REST methods back', async () => {
    const before = { client: 0, ws: 0 };
    bot = await startBot({
      attachLate: true,
      client: { intents: ALL_INTENTS },
      prepare: (client) => {
        before.client = client.eventNames().length;
        before.ws = client.ws.eventNames().length;
      },
    });
    expect(bot.client.ws.eventNames().length).toBeGreaterThan(before.ws + 20);
    bot.analytics.attach(bot.client);
    expect(readyListeners(bot)).toBe(1);
    bot.analytics.detach();
    expect(bot.client.eventNames().length).toBe(before.client);
    expect(bot.client.ws.eventNames().length).toBe(before.ws);
    expect(bot.client.rest.listenerCount('response')).toBe(0);
    for (const name of ['post', 'patch', 'put', 'delete', 'request']) {
      expect(Object.hasOwn(bot.client.rest, name)).toBe(false);
    }
    const stored = bot.sink.stored.length;
    bot.sim.events.messageCreate();
    await bot.analytics.flush();
    const late = bot.sink.stored.slice(stored).map(({ type }) => type);
    expect(late).not.toContain('event_message_create');
  });

  test('a bot with as many listeners as it may have sees no new warning', async () => {
    const warnings: string[] = [];
    const listener = (warning: Error): void => void warnings.push(warning.name);
    process.on('warning', listener);
    bot = await startBot({
      attachLate: true,
      prepare: (client) => {
        for (let n = 0; n < 10; n += 1) client.on('interactionCreate', () => undefined);
      },
    });
    await new Promise((resolve) => setImmediate(resolve));
    process.removeListener('warning', listener);
    expect(warnings.filter((name) => name.startsWith('MaxListeners'))).toEqual([]);
    expect(bot.client.getMaxListeners()).toBe(11);
    bot.analytics.detach();
    expect(bot.client.getMaxListeners()).toBe(10);
  });
});

describe('guild_join and guild_leave', () => {
  const changes = async () =>
    (await bot.events())
      .filter(({ type }) => type === 'guild_join' || type === 'guild_leave')
      .map(({ type, guildId }) => [type, guildId]);

  test('the start is no join; a real join and leave are one each, with the facts', async () => {
    bot = await startBot({ sim: { guilds: 10, shards: 2 } });
    expect(await changes()).toEqual([]);
    bot.sim.guilds.join();
    const [joined] = await bot.of('guild_join', 1);
    const id = joined?.guildId ?? '';
    expect(joined?.data).toMatchObject({
      guildCount: 11,
      memberCount: expect.any(Number),
      name: expect.any(String),
      locale: expect.any(String),
    });
    bot.sim.guilds.leave(id);
    const [left] = await bot.of('guild_leave', 1);
    expect(left).toMatchObject({
      guildId: id,
      data: { guildCount: 10, name: joined?.data.name, memberCount: joined?.data.memberCount },
    });
  });

  test('outages and recoveries of all guilds are none', async () => {
    bot = await startBot({ sim: { guilds: 10 } });
    bot.sim.guilds.outage();
    bot.sim.guilds.restore();
    bot.sim.guilds.join();
    await bot.of('guild_join', 1);
    expect(await changes()).toHaveLength(1);
  });

  test('a guild in an outage since the start is no join when it comes back', async () => {
    bot = await startBot({ sim: { guilds: 3 } });
    const [first = ''] = [...bot.sim.world.guilds.keys()];
    bot.sim.guilds.outage(first);
    bot.sim.gateway.invalidSession({ resumable: false });
    await bot.of('shard_ready', 2);
    bot.sim.guilds.restore(first);
    await bot.sink.until(() => bot.client.guilds.cache.get(first)?.available === true);
    expect(await changes()).toEqual([]);
  });

  test('after a new session: left and joined meanwhile are found, nothing else', async () => {
    bot = await startBot({ sim: { guilds: 5 } });
    const [first = ''] = [...bot.sim.world.guilds.keys()];
    bot.sim.gateway.refuseResume();
    bot.sim.gateway.kill();
    bot.sim.guilds.leave(first);
    bot.sim.guilds.join();
    await bot.of('shard_ready', 2);
    await bot.of('guild_join', 1);
    const seen = await changes();
    expect(seen).toHaveLength(2);
    expect(seen).toContainEqual(['guild_leave', first]);
  });

  test('a join that is replayed by a resume is one join', async () => {
    bot = await startBot({ sim: { guilds: 5 } });
    bot.sim.gateway.kill();
    bot.sim.guilds.join();
    await bot.of('shard_resume', 1);
    await bot.of('guild_join', 1);
    expect(await changes()).toHaveLength(1);
  });

  test('attached after ready: the guilds of the cache are no joins', async () => {
    bot = await startBot({ sim: { guilds: 5 }, attachLate: true });
    bot.sim.guilds.outage();
    bot.sim.guilds.restore();
    bot.sim.guilds.join();
    await bot.of('guild_join', 1);
    expect(await changes()).toHaveLength(1);
  });
});
