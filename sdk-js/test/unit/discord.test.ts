import { EventEmitter } from 'node:events';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Analytics } from '../../src/analytics.ts';
import { discordView, intentBits } from '../../src/discord/client-view.ts';
import { readInteraction } from '../../src/discord/interactions.ts';
import type { InteractionPacket } from '../../src/discord/library.ts';
import { commandPath } from '../../src/discord/names.ts';
import { wrapRest } from '../../src/discord/rest.ts';
import type { RestCall } from '../../src/collect/adapter.ts';
import { MemorySink } from '../../src/testing.ts';
import { HandEnv } from '../support/hand-env.ts';
import { makeSdk } from '../support/sdk.ts';

class FakeClient extends EventEmitter {
  readonly options = { intents: 512, shardCount: 1 };
  readonly ws = Object.assign(new EventEmitter(), { shards: new Map(), destroyed: false });
  readonly guilds = { cache: new Map<string, unknown>() };
  rest: object = new EventEmitter();
}

function wrapped(rest: object) {
  const calls: RestCall[] = [];
  const faults: unknown[] = [];
  const undos = wrapRest(rest, {
    monotonic: () => 0,
    guildOfPath: () => null,
    settled: (call) => {
      calls.push(call);
      if (call.path === '/fault') throw new Error('analytics');
    },
    onFault: (error) => faults.push(error),
  });
  const undo = (): void => {
    for (const one of undos) one?.();
  };
  return { calls, faults, undo };
}

describe('wrapRest', () => {
  test('a test double with the four methods only, sync results and thenables', async () => {
    // oxlint-disable-next-line unicorn/no-thenable -- what some doubles answer
    const thenable = { then: (done: (value: string) => void) => done('value') };
    const rest = {
      post: () => 'sync',
      put: () => thenable,
      patch: () => {
        throw new Error('sync throw');
      },
      delete: async (path: string) => path,
    };
    const { calls, undo } = wrapped(rest);
    expect(rest.post()).toBe('sync');
    expect(rest.put()).toBe(thenable);
    expect(() => rest.patch()).toThrow('sync throw');
    expect(await rest.delete('/x')).toBe('/x');
    expect(calls).toHaveLength(1);
    expect(Object.hasOwn(rest, 'request')).toBe(false);
    undo();
    expect(rest.post.name).toBe('post');
  });

  test('a frozen REST object is left as it is', async () => {
    const rest = Object.freeze({ post: async () => 1 });
    const { undo } = wrapped(rest);
    expect(await rest.post()).toBe(1);
    undo();
  });

  test('B140: a fault of the analytics changes neither result nor rejection', async () => {
    const error = new Error('platform');
    const rest = {
      post: async (_path: string) => 'result',
      put: async (_path: string) => {
        throw error;
      },
    };
    const { faults } = wrapped(rest);
    expect(await rest.post('/fault')).toBe('result');
    await expect(rest.put('/fault')).rejects.toBe(error);
    expect(faults).toHaveLength(2);
  });

  test('calls without a path, a body with throwing getters, no arguments', async () => {
    const rest = { post: async (...args: unknown[]) => args.length };
    const { calls } = wrapped(rest);
    const evil = {
      get body(): never {
        throw new Error('getter');
      },
    };
    expect(await rest.post()).toBe(0);
    expect(await rest.post('/x', evil)).toBe(2);
    expect(calls.map(({ path, body }) => [path, body])).toEqual([['/x', undefined]]);
  });
});

describe('client view', () => {
  test.each<[unknown, number]>([
    [513, 513],
    [{ bitfield: 513 }, 513],
    [[1, 512], 513],
    [[{ bitfield: 1 }, 4_096], 4_097],
    [undefined, 0],
    ['Guilds', 0],
  ])('intents %j', (intents, bits) => {
    expect(intentBits(intents)).toBe(bits);
  });

  const guild = (presences: readonly string[]) => ({
    name: 'g',
    shardId: 0,
    presences: { cache: new Map(presences.map((status, n) => [n, { status }])) },
  });

  test('onlineCount counts who is not offline, and only with the presence intent', () => {
    const client = new FakeClient();
    client.guilds.cache.set('1', guild(['online', 'idle', 'dnd', 'offline']));
    expect(discordView(client, {}).guild('1')?.onlineCount).toBeNull();
    Reflect.set(client.options, 'intents', 256);
    expect(discordView(client, {}).guild('1')?.onlineCount).toBe(3);
  });

  test('a guild in an outage is skipped, whether it was known before or not', () => {
    const client = new FakeClient();
    client.guilds.cache.set('1', { available: false, shardId: 0 });
    client.guilds.cache.set('2', { ...guild([]), available: false });
    const view = discordView(client, {});
    expect(view.guild('1')).toBeNull();
    expect(view.guild('2')).toBeNull();
    expect(view.guild('3')).toBeNull();
  });

  test('ping -1 and not a number are null; statuses by number', () => {
    const client = new FakeClient();
    for (const [id, ping, status] of [
      [0, -1, 0],
      [1, 42, 8],
      [2, Number.NaN, 5],
      [3, 7, 1],
    ] as const) {
      client.ws.shards.set(id, { ping, status });
    }
    const view = discordView(client, {});
    for (const id of [0, 1, 2, 3]) view.known.set(id, new Set());
    expect(view.shards().map(({ pingMs, status }) => [pingMs, status])).toEqual([
      [null, 'ready'],
      [42, 'resuming'],
      [null, 'disconnected'],
      [7, 'connecting'],
    ]);
    client.ws.destroyed = true;
    expect(view.shards()).toEqual([]);
  });

  test.each<[object, Record<string, string>, string | null]>([
    [{}, {}, null],
    [{}, { CLUSTER: '3' }, null],
    [{}, { CLUSTER: '3', CLUSTER_MANAGER: 'true' }, '3'],
    [{ cluster: { id: 0 } }, {}, '0'],
    [{ cluster: { id: 'eu' } }, { CLUSTER: '3', CLUSTER_MANAGER: 'true' }, 'eu'],
  ])('cluster of %j with %j', (extra, variables, clusterId) => {
    expect(discordView(extra, variables).clusterId).toBe(clusterId);
  });
});

describe('INTERACTION_CREATE', () => {
  test.each<[string, unknown]>([
    ['ping', { id: '1', type: 1 }],
    ['unknown type', { id: '1', type: 99 }],
    ['unknown component', { id: '1', type: 3, data: { component_type: 99 } }],
    ['no id', { type: 2, data: { type: 1, name: 'x' } }],
    ['nothing', undefined],
    ['a text', 'x'],
  ])('%s is left out', (_, packet) => {
    expect(readInteraction(packet as InteractionPacket, 0)).toBeNull();
  });

  test('names of commands: subcommands yes, values no, 100 code points', () => {
    const flat = { name: 'a', options: [{ type: 3, name: 'q', value: 'secret' }] };
    expect(commandPath(flat)).toBe('a');
    const deep = {
      name: 'a',
      options: [{ type: 2, name: 'b', options: [{ type: 1, name: 'c' }] }],
    };
    expect(commandPath(deep)).toBe('a b c');
    expect(Array.from(commandPath({ name: '😀'.repeat(150) }))).toHaveLength(100);
    expect(commandPath(null)).toBe('');
  });
});

describe('attach', () => {
  test.each([undefined, null, 5, 'x', {}, { ws: {} }, new EventEmitter()])(
    'to %s: one warning, nothing else',
    (client) => {
      const env = new HandEnv();
      const { sdk } = makeSdk({ apiKey: 'k', endpoint: 'http://a.example' }, { env });
      sdk.attach(client);
      sdk.attach(client);
      expect(env.warnings).toHaveLength(1);
    },
  );

  test('a second client is refused with a warning; after detach it is taken', () => {
    const env = new HandEnv();
    const { sdk, host } = makeSdk({ apiKey: 'k', endpoint: 'http://a.example' }, { env });
    const [first, second] = [new FakeClient(), new FakeClient()];
    sdk.attach(first);
    sdk.attach(second);
    expect(env.warnings).toHaveLength(1);
    expect(second.ws.eventNames()).toEqual([]);
    sdk.detach();
    expect(host.stopped).toBe(true);
    expect(first.ws.eventNames()).toEqual([]);
    sdk.attach(second);
    expect(second.ws.listenerCount('MESSAGE_CREATE')).toBe(1);
  });

  test('B2, C11: after a refused key no hook is left on the client', async () => {
    const env = new HandEnv();
    const send = async () => ({ status: 401, header: () => null, body: null });
    const { sdk, members } = makeSdk({ apiKey: 'k', endpoint: 'http://a.example', send }, { env });
    const client = new FakeClient();
    client.rest = Object.assign(new EventEmitter(), { post: async () => 1 });
    sdk.attach(client);
    sdk.captureError('x', undefined);
    await sdk.flush();
    expect(client.ws.eventNames()).toEqual([]);
    expect(client.eventNames()).toEqual([]);
    expect(members.size).toBe(0);
    expect(env.timerCount).toBe(0);
  });

  test('attached while the guilds of a shard still come: none of them is a join', async () => {
    const sink = new MemorySink();
    const { sdk } = makeSdk(
      { apiKey: 'k', endpoint: 'http://a.example', send: sink.send },
      { env: new HandEnv() },
    );
    const client = new FakeClient();
    const guild = (id: string): object => ({ id: `${id}00000000000000000`, name: id });
    const add = (id: string): void => {
      client.ws.emit('GUILD_CREATE', guild(id), 0);
      client.guilds.cache.set(`${id}00000000000000000`, { name: id, shardId: 0 });
    };
    client.ws.shards.set(0, Object.assign(new EventEmitter(), { status: 6, ping: -1 }));
    add('1');
    sdk.attach(client);
    add('2');
    add('3');
    client.emit('shardReady', 0);
    add('3');
    add('4');
    await sdk.flush();
    const seen = sink.events.filter(({ type }) => type.startsWith('guild_'));
    expect(seen).toMatchObject([{ type: 'guild_join', data: { name: '4', guildCount: 4 } }]);
    expect(sink.events.find(({ type }) => type === 'shard_ready')?.data).toMatchObject({
      guildCount: 3,
      startupMs: null,
    });
  });

  test('platform.md 0.3: an error of the client is seen and still kills a bot that does not listen', async () => {
    const sink = new MemorySink();
    const { sdk } = makeSdk(
      { apiKey: 'k', endpoint: 'http://a.example', send: sink.send },
      { env: new HandEnv() },
    );
    const client = new FakeClient();
    sdk.attach(client);
    const error = new Error('client');
    expect(() => client.emit('error', error)).toThrow(error);
    sdk.uncaught(error, 'uncaughtException', false);
    client.on('error', () => undefined);
    client.emit('error', new Error('second'));
    await sdk.flush();
    expect(
      sink.events.map(({ data }) => [Reflect.get(data, 'message'), Reflect.get(data, 'handled')]),
    ).toEqual([
      ['client', false],
      ['second', true],
    ]);
  });
});

describe('fake timers of a test framework', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test('B79: installed after the import, they drive the flush', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
    const sink = new MemorySink();
    const analytics = new Analytics({
      apiKey: 'k',
      endpoint: 'http://a.example',
      send: sink.send,
      handleSignals: false,
    });
    analytics.captureError(new Error('x'));
    await vi.advanceTimersByTimeAsync(4_999);
    expect(sink.events).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(sink.events).toHaveLength(1);
    await analytics.shutdown();
  });
});
