import { describe, expect, test } from 'vitest';
import type { ClientView, InteractionSeen } from '../../src/collect/adapter.ts';
import { createCollector } from '../../src/collect/collector.ts';
import type { EventInput } from '../../src/event/encode.ts';
import { HandEnv } from '../support/hand-env.ts';
import { FixedHost, INSTANCE } from '../support/sdk.ts';

/** A client with shards 0 and 1 and as many guilds as wanted. */
class FakeClient implements ClientView {
  readonly library = 'discord.js';
  readonly libraryVersion = '14.0.0';
  readonly clusterId = null;
  guilds: string[] = [];
  ids = [0, 1];
  ping: number | null = 40;
  readonly shardCount = () => 2;
  readonly shards = () =>
    this.ids.map((id) => ({
      id,
      status: 'ready' as const,
      pingMs: this.ping,
      guildCount: 1,
      voiceConnections: 0,
    }));
  readonly guildIds = () => this.guilds;
  readonly guild = (id: string) => ({
    id,
    shardId: 0,
    name: `guild ${id}`,
    locale: 'en-US',
    memberCount: 5,
    onlineCount: null,
    available: true,
  });
  readonly shardOfGuild = () => 1;
  readonly applicationId = () => '222222222222222222';
}

function collecting() {
  const env = new HandEnv();
  const client = new FakeClient();
  const host = new FixedHost();
  const events: (EventInput & { data: Record<string, unknown> })[] = [];
  const collector = createCollector(client, {
    env,
    host,
    emit: (event) => events.push(event as (typeof events)[0]),
    collect: { interactions: true, actions: true, gateway: true, snapshots: true },
    snapshotIntervalMs: 60_000,
    clusterId: null,
    instanceId: INSTANCE,
    health: () => ({ sdkQueueSize: 3, sdkDropped: 2 }),
    drainSoon: () => undefined,
    clientError: () => undefined,
  });
  const of = (type: string) => events.filter((event) => event.type === type);
  return { env, client, host, collector, events, of };
}

const seen = (id: string): InteractionSeen => ({
  id,
  type: 'interaction_slash',
  commandName: 'ping',
  interactionKind: 'slash',
  shardId: 1,
  guildId: null,
  channelId: null,
  userId: null,
  createdMs: 0,
});
const answer = { success: true, responseKind: 'reply', errorCode: null } as const;

describe('interactions', () => {
  test('15 s without an answer: timed out; a later answer changes nothing', async () => {
    const { env, collector, of } = collecting();
    collector.interaction(seen('1'));
    await env.advance(1_000);
    collector.interaction(seen('2'));
    await env.advance(13_999);
    expect(of('interaction_slash')).toHaveLength(0);
    await env.advance(1);
    expect(of('interaction_slash')[0]?.data).toMatchObject({
      timedOut: true,
      success: false,
      latencyMs: null,
      responseKind: null,
    });
    await env.advance(500);
    collector.answered({ id: '1', ...answer });
    collector.answered({ id: '2', ...answer });
    expect(of('interaction_slash')).toHaveLength(2);
    expect(of('interaction_slash')[1]?.data).toMatchObject({ timedOut: false, latencyMs: 14_500 });
    await env.advance(60_000);
    expect(of('interaction_slash')).toHaveLength(2);
  });

  test('ts is the receipt, latency runs on the monotonic clock', async () => {
    const { env, collector, of } = collecting();
    const receivedMs = env.wallMs;
    collector.interaction(seen('1'));
    await env.advance(120);
    env.wallMs -= 3_600_000;
    collector.answered({ id: '1', ...answer });
    expect(of('interaction_slash')[0]).toMatchObject({
      tsMs: receivedMs,
      data: { latencyMs: 120, gatewayDelayMs: null },
    });
  });

  test('gatewayDelayMs is corrected by the clock of the platform', () => {
    const { env, collector, of } = collecting();
    // The platform is 7.3 s ahead; the interaction was made 80 ms ago on its clock.
    const headers = new Map([
      ['x-ratelimit-reset', String((env.wallMs + 7_300 + 5_000) / 1_000)],
      ['x-ratelimit-reset-after', '5'],
    ]);
    collector.httpAttempt({
      method: 'GET',
      path: '/gateway/bot',
      status: 200,
      header: (name) => headers.get(name) ?? null,
    });
    collector.interaction({ ...seen('1'), createdMs: env.wallMs + 7_300 - 80 });
    collector.answered({ id: '1', ...answer });
    expect(of('interaction_slash')[0]?.data['gatewayDelayMs']).toBe(80);
  });

  test('a dispatch that comes again, before or after the answer, is one interaction', async () => {
    const { env, collector, of } = collecting();
    collector.interaction(seen('1'));
    collector.interaction(seen('1'));
    collector.answered({ id: '1', ...answer });
    collector.interaction(seen('1'));
    await env.advance(60_000);
    expect(of('interaction_slash')).toHaveLength(1);
  });

  test('an error of a later reply names its command; one error of several methods is one event', () => {
    const { collector, of } = collecting();
    collector.interaction({ ...seen('1'), guildId: '123456789012345678' });
    collector.answered({ id: '1', ...answer });
    const error = new Error('late');
    collector.replyFailed({ interactionId: '1', phase: 'followUp', error });
    collector.replyFailed({ interactionId: '1', phase: 'fetchReply', error });
    collector.replyFailed({ interactionId: '2', phase: 'reply', error: 'text' });
    expect(of('command_error')).toMatchObject([
      {
        guildId: '123456789012345678',
        data: { phase: 'followUp', commandName: 'ping', interactionKind: 'slash', shardId: 1 },
      },
      { data: { message: 'text', commandName: null, interactionKind: null, shardId: null } },
    ]);
  });

  test('10,001 unanswered ones: the oldest is emitted, none is lost', () => {
    const { collector, of } = collecting();
    for (let n = 0; n <= 10_000; n += 1) collector.interaction(seen(`${n}`));
    expect(of('interaction_slash')).toHaveLength(1);
    collector.stop();
    expect(of('interaction_slash')).toHaveLength(10_001);
  });
});

describe('gateway counters', () => {
  test('one event per kind, shard and window of 60 s, none for 0; the last part at the end', async () => {
    const { env, collector, events, of } = collecting();
    const startMs = env.wallMs;
    for (let n = 0; n < 7; n += 1) collector.dispatch('event_message_create', n % 2);
    collector.dispatch('event_member_join', 0);
    await env.advance(60_000);
    expect(
      events.map(({ type, data }) => [type, data['shardId'], data['count'], data['windowMs']]),
    ).toEqual([
      ['event_message_create', 0, 4, 60_000],
      ['event_member_join', 0, 1, 60_000],
      ['event_message_create', 1, 3, 60_000],
    ]);
    expect(events[0]).toMatchObject({
      tsMs: startMs + 60_000,
      data: { windowStart: new Date(startMs).toISOString() },
    });
    await env.advance(60_000);
    expect(events).toHaveLength(3);
    collector.dispatch('event_message_create', 0);
    await env.advance(20_000);
    collector.emitWindow();
    collector.stop();
    expect(of('event_message_create').at(-1)?.data).toMatchObject({ count: 1, windowMs: 20_000 });
    expect(env.timerCount).toBe(0);
  });
});

describe('snapshots', () => {
  test('heartbeats: at ready, then every interval; process figures once per process', async () => {
    const { env, host, collector, of } = collecting();
    collector.httpAttempt({ method: 'GET', path: '/x', status: 200, header: () => null });
    collector.shardWasReady(0);
    collector.shardWasReady(1);
    expect(of('heartbeat')).toHaveLength(2);
    host.cpu = 30_000;
    host.bytes = 150 * 2 ** 20;
    await env.advance(60_000);
    const [first, second, third, fourth] = of('heartbeat').map(({ data }) => data);
    expect(first).toMatchObject({
      primary: true,
      restRequests: 1,
      memoryMb: 100,
      sdkQueueSize: 3,
      sdkDropped: 2,
    });
    expect(second).toMatchObject({
      primary: false,
      restRequests: 0,
      memoryMb: 0,
      cpuPercent: 0,
      eventLoopDelayP95Ms: null,
      wsPingMs: 40,
    });
    expect(third).toMatchObject({
      shardId: 0,
      intervalMs: 60_000,
      cpuPercent: 50,
      memoryMb: 150,
      eventLoopDelayP95Ms: 1.5,
      restRequests: 0,
    });
    expect(fourth).toMatchObject({ shardId: 1, primary: false });
  });

  test('shards that become ready in any order: exactly one is primary at every moment', () => {
    const { client, collector, of } = collecting();
    client.ids = [0, 1, 2];
    for (const ready of [1, 2, 0]) {
      collector.shardWasReady(ready);
      const last = new Map(of('heartbeat').map(({ data }) => [data['shardId'], data['primary']]));
      expect([...last.values()].filter((primary) => primary === true)).toHaveLength(1);
    }
    const rows = of('heartbeat').map(({ data }) => [data['shardId'], data['primary']]);
    expect(rows).toEqual([
      [1, true],
      [2, false],
      [0, true],
      [1, false],
    ]);
  });

  test('a shard that is still connecting is not primary before its first heartbeat', async () => {
    const { env, client, collector, of } = collecting();
    client.ids = [0, 1];
    collector.shardWasReady(1);
    await env.advance(60_000);
    const rows = of('heartbeat').map(({ data }) => [data['shardId'], data['primary']]);
    expect(rows).toEqual([
      [1, true],
      [0, false],
      [1, true],
    ]);
  });

  test('the first ping shows within a second, not after an interval', async () => {
    const { env, client, collector, of } = collecting();
    client.ids = [0];
    client.ping = null;
    collector.shardWasReady(0);
    await env.advance(20_500);
    expect(of('heartbeat').map(({ data }) => data['wsPingMs'])).toEqual([null]);
    client.ping = 31;
    await env.advance(1_000);
    expect(of('heartbeat').map(({ data }) => [data['wsPingMs'], data['intervalMs']])).toEqual([
      [null, 0],
      [31, 21_000],
    ]);
    await env.advance(39_000);
    expect(of('heartbeat')).toHaveLength(3);
  });

  test('C22: 2,500 guilds are spread over the interval, each once', async () => {
    const { env, client, collector, of } = collecting();
    client.guilds = Array.from({ length: 2_500 }, (_, n) => `${10n ** 17n + BigInt(n)}`);
    collector.shardWasReady(0);
    const sizes: number[] = [];
    for (let second = 0; second < 60; second += 1) {
      const before = of('guild_snapshot').length;
      await env.advance(1_000);
      sizes.push(of('guild_snapshot').length - before);
    }
    expect(Math.max(...sizes)).toBeLessThanOrEqual(42);
    expect(of('guild_snapshot')).toHaveLength(2_500);
    expect(new Set(of('guild_snapshot').map(({ guildId }) => guildId)).size).toBe(2_500);
    await env.advance(60_000);
    expect(of('guild_snapshot')).toHaveLength(5_000);
  });

  test('three guilds: three snapshots an interval, the first after a second', async () => {
    const { env, client, collector, of } = collecting();
    client.guilds = ['1', '2', '3'];
    collector.shardWasReady(0);
    await env.advance(1_000);
    expect(of('guild_snapshot')).toHaveLength(1);
    await env.advance(59_000);
    expect(of('guild_snapshot')).toHaveLength(3);
  });

  test('api_routes_snapshot every 5 minutes: the ten most used, normalised, none without requests', async () => {
    const { env, collector, of } = collecting();
    collector.shardWasReady(0);
    const call = (path: string, times: number): void => {
      for (let n = 0; n < times; n += 1)
        collector.httpAttempt({ method: 'post', path, status: 200, header: () => null });
    };
    call('/api/v10/interactions/123456789012345678/aW50ZXJhY3Rpb246c2VjcmV0/callback', 30);
    call('/channels/123456789012345678/messages', 3);
    call('/channels/123456789012345679/messages', 4);
    for (let n = 0; n < 12; n += 1) call(`/x${n}/y`, 1);
    await env.advance(300_000);
    const [{ data } = { data: {} }] = of('api_routes_snapshot');
    expect(data).toMatchObject({
      windowMs: 300_000,
      total: 49,
      distinctRoutes: 14,
      instanceId: INSTANCE,
      shardId: 0,
    });
    expect(Reflect.get(data, 'routes')).toHaveLength(10);
    expect(Reflect.get(data, 'routes').slice(0, 2)).toEqual([
      { method: 'POST', route: '/interactions/{id}/{token}/callback', count: 30 },
      { method: 'POST', route: '/channels/{id}/messages', count: 7 },
    ]);
    await env.advance(300_000);
    expect(of('api_routes_snapshot')).toHaveLength(1);
  });

  test('a million distinct paths are counted in bounded memory', () => {
    const { collector, of, env } = collecting();
    collector.shardWasReady(0);
    for (let n = 0; n < 100_000; n += 1) {
      collector.httpAttempt({ method: 'GET', path: `/p${n}`, status: 200, header: () => null });
    }
    return env.advance(300_000).then(() => {
      expect(of('api_routes_snapshot')[0]?.data).toMatchObject({
        total: 100_000,
        distinctRoutes: 500,
      });
    });
  });
});

describe('actions', () => {
  const call = {
    latencyMs: 1.26,
    success: true,
    status: null,
    errorCode: null,
    body: undefined,
    channelGuildId: '111111111111111111',
  };
  test.each([
    ['POST', '/interactions/123456789012345678/token/callback', null],
    ['POST', '/webhooks/222222222222222222/token', { via: 'followup' }],
    ['POST', '/webhooks/333333333333333333/token', { via: 'webhook' }],
    [
      'DELETE',
      '/channels/123456789012345678/messages/123456789012345679/reactions/%F0%9F%8E%89/123456789012345670',
      { latencyMs: 1.3 },
    ],
    ['GET', '/channels/123456789012345678/messages', null],
  ])('%s %s', (method, path, expected) => {
    const { collector, events } = collecting();
    collector.restCall({ ...call, method, path });
    if (expected === null) expect(events).toEqual([]);
    else expect(events[0]?.data).toMatchObject(expected);
  });

  test('a body whose properties throw harms nothing', () => {
    const body = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('body');
        },
        get: () => {
          throw new Error('body');
        },
      },
    );
    const { collector, of } = collecting();
    collector.restCall({
      ...call,
      method: 'PATCH',
      path: '/channels/123456789012345678',
      body,
    });
    expect(of('action_channel_update')[0]?.data).toMatchObject({ fields: [] });
  });

  test('what a library leaves undefined is no change', () => {
    const { collector, of } = collecting();
    const path = '/guilds/123456789012345678/members/123456789012345679';
    const body = { nick: 'x', communication_disabled_until: undefined, secret: 1 };
    collector.restCall({ ...call, method: 'PATCH', path, body });
    expect(of('action_member_update')).toMatchObject([
      {
        guildId: '123456789012345678',
        channelId: null,
        userId: '123456789012345679',
        data: { fields: ['nick'] },
      },
    ]);
  });

  test('who an action is about: a member, a banned user, whose reaction goes; not @me', () => {
    const { collector, events } = collecting();
    const [a, b, c] = ['123456789012345671', '123456789012345672', '123456789012345673'];
    const paths = {
      [`/guilds/${a}/members/${b}/roles/${c}`]: { guildId: a, channelId: null, userId: b },
      [`/guilds/${a}/bans/${b}`]: { guildId: a, channelId: null, userId: b },
      [`/channels/${a}/messages/${b}/reactions/x/${c}`]: { channelId: a, userId: c },
      [`/channels/${a}/messages/${b}/reactions/x/@me`]: { channelId: a, userId: null },
      [`/channels/${a}/messages/${b}`]: { channelId: a, userId: null },
      [`/webhooks/${a}/token/messages/${b}`]: { guildId: null, channelId: null, userId: null },
    };
    const about = { ...call, channelGuildId: null, method: 'DELETE' };
    for (const path of Object.keys(paths)) collector.restCall({ ...about, path });
    expect(events).toMatchObject(Object.values(paths));
  });
});
