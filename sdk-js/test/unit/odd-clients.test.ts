import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import { MemorySink } from '../../src/testing.ts';
import { HandEnv } from '../support/hand-env.ts';
import { makeSdk } from '../support/sdk.ts';

const CHANNEL = '/channels/123456789012345678/messages';

class Rest extends EventEmitter {
  async request(options: object): Promise<object> {
    return options;
  }

  async post(fullRoute: string, options: object): Promise<object> {
    return await this.request({ ...options, fullRoute, method: 'POST' });
  }
}

class Client extends EventEmitter {
  readonly ws = Object.assign(new EventEmitter(), {
    shards: new Map<number, object>(),
    destroyed: false,
  });
  rest: object = new Rest();
  readonly options = { intents: 1 };
  readonly guilds = { cache: new Map<string, object>() };
  readonly channels = { cache: new Map<string, object>() };

  async send(): Promise<object> {
    return await (this.rest as Rest).post(CHANNEL, { body: {} });
  }
}

function shard(status = 0): EventEmitter {
  return Object.assign(new EventEmitter(), { status, ping: 5 });
}

function attached(client = new Client()) {
  const sink = new MemorySink();
  const env = new HandEnv();
  const made = makeSdk({ apiKey: 'k', endpoint: 'http://a.example', send: sink.send }, { env });
  made.sdk.attach(client);
  const sent = async (type: string) => {
    await made.sdk.flush();
    return sink.events.filter((event) => event.type === type).map((event) => event.data);
  };
  return { ...made, env, client, sent };
}

describe('what cannot be read or hooked costs one signal, never the bot', () => {
  test('a cache that throws leaves the bot its call, and the action its event', async () => {
    const client = new Client();
    client.channels.cache = new Proxy(new Map(), {});
    const { sent } = attached(client);
    expect(await client.send()).toMatchObject({ method: 'POST' });
    expect(await sent('action_message_send')).toHaveLength(1);
  });

  test('hooks that fail half-way are removed by a detach', () => {
    const client = new Client();
    const own = (): void => undefined;
    client.rest = { setMaxListeners: own, getMaxListeners: () => 10, listenerCount: () => 0 };
    const { sdk, env } = attached(client);
    sdk.attach(client);
    expect(client.ws.listenerCount('READY')).toBe(1);
    sdk.detach();
    expect(client.ws.listenerCount('READY')).toBe(0);
    expect(env.timerCount).toBe(0);
  });

  test('a hook that cannot be removed does not stop the end after a refused key', async () => {
    const { sdk, client, host } = attached();
    client.removeListener = () => {
      throw new Error('from the client');
    };
    const { sdk: refused, members } = makeSdk({
      apiKey: 'k',
      endpoint: 'http://a.example',
      send: async () => await Promise.resolve({ status: 401, header: () => null, body: null }),
    });
    refused.attach(client);
    refused.captureError('x');
    expect(await refused.flush()).toMatchObject({ dropped: 1, queued: 0, state: 'disabled' });
    expect(members.size).toBe(0);
    sdk.detach();
    expect(host.stopped).toBe(true);
    expect(client.ws.listenerCount('READY')).toBe(0);
  });

  test('a figure that cannot be read costs heartbeats, not the process', async () => {
    const { env, client, host, sent } = attached();
    client.ws.shards.set(0, shard());
    client.emit('shardReady', 0);
    const memoryBytes = host.memoryBytes;
    Reflect.set(host, 'memoryBytes', () => {
      throw new Error('EMFILE');
    });
    // In Node this comes out of a timer, where nobody could catch it.
    await env.advance(120_000);
    Reflect.set(host, 'memoryBytes', memoryBytes);
    await env.advance(60_000);
    expect(await sent('heartbeat')).toHaveLength(2);
  });
});

describe('shards', () => {
  test('the time down is that of the last close, and unknown without one', async () => {
    const { env, client, sent } = attached();
    const one = shard();
    client.ws.shards.set(0, one);
    client.emit('shardReady', 0);
    one.emit('close', { code: 4000 });
    env.monotonicMs += 1_000;
    client.emit('shardResume', 0, 1);
    env.monotonicMs += 3_600_000;
    client.emit('shardReconnecting', 0);
    client.emit('shardResume', 0, 1);
    expect(await sent('shard_resume')).toMatchObject([{ downMs: 1_000 }, { downMs: null }]);
  });

  test('a shard that was resuming when it was attached gets its heartbeats', async () => {
    const client = new Client();
    const one = Object.assign(shard(), { status: 8 });
    client.ws.shards.set(0, one);
    const { sent } = attached(client);
    one.status = 0;
    client.emit('shardResume', 0, 1);
    expect(await sent('heartbeat')).toMatchObject([{ shardId: 0, shardStatus: 'ready' }]);
  });

  test('a shard object that a new login put in place is watched too', async () => {
    const { client, sent } = attached();
    client.ws.shards.set(0, shard());
    client.emit('shardReady', 0);
    const next = shard();
    client.ws.shards.set(0, next);
    client.emit('shardReady', 0);
    client.emit('shardReady', 0);
    next.emit('close', { code: 4000 });
    expect(await sent('shard_disconnect')).toMatchObject([{ shardId: 0, code: 4000 }]);
  });
});

test('with a wrapper above ours nothing is reported after a detach, and once after a new attach', async () => {
  const { sdk, client, sent } = attached();
  const rest = client.rest as Rest;
  const ours = rest.post;
  rest.post = async (...args) => await ours.apply(rest, args);
  await client.send();
  sdk.detach();
  await client.send();
  expect(await sent('action_message_send')).toHaveLength(1);
  sdk.attach(client);
  await client.send();
  expect(await sent('action_message_send')).toHaveLength(2);
});

test('10,001 answered interactions do not push out one that waits', async () => {
  const { client, env, sent } = attached();
  const come = (n: number): void => {
    const packet = { id: `${n}`, type: 2, data: { type: 1, name: 'x' } };
    client.ws.emit('INTERACTION_CREATE', packet, 0);
  };
  const answer = async (n: number): Promise<object> =>
    await (client.rest as Rest).post(`/interactions/${n}/token/callback`, { body: { type: 4 } });
  come(1);
  for (let n = 2; n <= 10_002; n += 1) {
    come(n);
    await answer(n);
    if (n % 500 === 0) await sent('heartbeat');
  }
  env.monotonicMs += 1_000;
  await answer(1);
  const slash = await sent('interaction_slash');
  expect(slash).toHaveLength(10_002);
  expect(slash.at(-1)).toMatchObject({ success: true, latencyMs: 1_000, timedOut: false });
});
