import { describe, expect, test } from 'vitest';
import type { AnalyticsEvent } from '../../src/api/events.ts';
import { HandEnv } from '../support/hand-env.ts';
import { ScriptSend } from '../support/script-send.ts';
import { makeSdk } from '../support/sdk.ts';

function sdkWith(options: object) {
  const env = new HandEnv();
  const server = new ScriptSend();
  const made = makeSdk(
    { apiKey: 'k', endpoint: 'http://a.example', send: server.send, ...options },
    { env },
  );
  return { ...made, env, server };
}

describe('beforeSend', () => {
  test('sees the event and may change what it says', async () => {
    const seen: AnalyticsEvent[] = [];
    const { sdk, server } = sdkWith({
      beforeSend: (event: AnalyticsEvent) => {
        seen.push(event);
        return { ...event, userId: undefined, data: { ...event.data, message: '[redacted]' } };
      },
    });
    sdk.captureError(new Error('secret'), { userId: '123456789012345678' });
    await sdk.flush();
    expect(seen[0]).toMatchObject({ type: 'error', userId: '123456789012345678' });
    const [sent] = server.attempts[0]?.events ?? [];
    expect(sent).toMatchObject({ id: seen[0]?.id, data: { message: '[redacted]' } });
    expect(sent).not.toHaveProperty('userId');
  });

  test('an event that inherits from the one it was shown keeps its ids; odd ones go', async () => {
    const ids = { guildId: '123456789012345678', userId: '223456789012345678' };
    const { sdk, server } = sdkWith({
      beforeSend: (event: AnalyticsEvent): unknown =>
        Object.create(event, { userId: { value: 5 }, channelId: { value: {} } }),
    });
    sdk.captureError('x', ids);
    await sdk.flush();
    expect(server.attempts[0]?.events[0]).toMatchObject({ guildId: ids.guildId });
    expect(server.attempts[0]?.events[0]).not.toHaveProperty('userId');
  });

  test.each<[string, unknown, unknown]>([
    ['a list', ['a'], { 0: 'a' }],
    ['a boxed text', new String('ab'), { 0: 'a', 1: 'b' }],
    ['a boxed number', new Number(5), {}],
  ])('data that is %s leaves as an object', async (_, data, expected) => {
    const { sdk, server } = sdkWith({
      beforeSend: (event: AnalyticsEvent) => ({ ...event, data }),
    });
    sdk.captureError('x', undefined);
    await sdk.flush();
    expect(server.attempts[0]?.events[0]?.data).toEqual(expected);
  });

  test('B100: null drops, a changed id or type is restored', async () => {
    let n = 0;
    const { sdk, server } = sdkWith({
      beforeSend: (event: AnalyticsEvent) =>
        (n += 1) === 1 ? null : { ...event, id: 'x', type: 'heartbeat' },
    });
    sdk.captureError('one', undefined);
    sdk.captureError('two', undefined);
    await sdk.flush();
    expect(sdk.stats().dropped.hook).toBe(1);
    expect(server.attempts[0]?.events).toHaveLength(1);
    expect(server.attempts[0]?.events[0]).toMatchObject({ type: 'error' });
    expect(server.attempts[0]?.events[0]?.id).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each<[string, () => unknown]>([
    [
      'B99: throws',
      () => {
        throw new Error('hook');
      },
    ],
    ['B100: a promise', () => Promise.resolve(null)],
    ['a rejected promise', () => Promise.reject(new Error('async hook'))],
    ['undefined', () => undefined],
    ['a text', () => 'x'],
    ['no data', () => ({ id: 'x' })],
  ])('%s: the event is dropped and counted, with one warning', async (_, beforeSend) => {
    const { sdk, env } = sdkWith({ beforeSend });
    sdk.captureError('x', undefined);
    sdk.captureError('y', undefined);
    expect(sdk.stats().dropped.hook).toBe(2);
    expect(env.warnings).toHaveLength(1);
    await env.settle();
  });

  test('a hook that is no function is ignored with a warning', async () => {
    const { sdk, env, server } = sdkWith({ beforeSend: 'x', onDrop: 5 });
    sdk.captureError('x', undefined);
    await sdk.flush();
    expect(server.attempts).toHaveLength(1);
    expect(env.warnings).toHaveLength(2);
  });
});

describe('onDrop and onStateChange', () => {
  test('hear of losses and states; what they throw stays with them', async () => {
    const drops: unknown[] = [];
    const states: unknown[] = [];
    const { sdk, server } = sdkWith({
      onDrop: (drop: unknown) => {
        drops.push(drop);
        throw new Error('hook');
      },
      onStateChange: (state: unknown, previous: unknown) => {
        states.push([state, previous]);
        throw new Error('hook');
      },
    });
    server.fallback = 401;
    sdk.captureError('x', undefined);
    await sdk.flush();
    expect(drops).toEqual([{ reason: 'disabled', count: 1, type: 'error' }]);
    expect(states).toEqual([['disabled', 'active']]);
  });
});

test('hooks that are async against their type end no process', async () => {
  const unhandled: unknown[] = [];
  const listener = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', listener);
  const rejects = async (): Promise<never> => await Promise.reject(new Error('async hook'));
  const { sdk, server } = sdkWith({ onDrop: rejects, onStateChange: rejects });
  server.fallback = 401;
  sdk.captureError('x', undefined);
  await sdk.flush();
  await new Promise((resolve) => setImmediate(resolve));
  process.removeListener('unhandledRejection', listener);
  expect(unhandled).toEqual([]);
});

describe('captureError', () => {
  const cause = Object.defineProperty(new Error('x'), 'message', {
    get: () => {
      throw new Error('getter');
    },
  });
  test.each<[string, unknown, object]>([
    ['Error', new TypeError('bad'), { name: 'TypeError', message: 'bad', code: null }],
    ['error with a code', Object.assign(new Error('x'), { code: 50_013 }), { code: 50_013 }],
    ['text', 'plain', { name: 'string', message: 'plain', stack: null }],
    ['null', null, { name: 'object', message: 'null' }],
    ['undefined', undefined, { name: 'undefined', message: 'undefined' }],
    ['object', { password: 'secret' }, { name: 'object', message: '[object]' }],
    ['symbol', Symbol('s'), { name: 'symbol', message: 'Symbol(s)' }],
    ['error whose message throws', cause, { name: 'Error', message: '[object]' }],
    ['object without prototype', Object.create(null), { name: 'object' }],
  ])('%s', async (_, thrown, expected) => {
    const { sdk, server } = sdkWith({});
    sdk.captureError(thrown, { data: { where: 'test' } });
    await sdk.flush();
    expect(server.attempts[0]?.events[0]?.data).toMatchObject({
      ...expected,
      origin: 'captureError',
      handled: true,
      context: { where: 'test' },
    });
  });

  test('bounds of the payload', async () => {
    const { sdk, server } = sdkWith({});
    const error = Object.assign(new Error('ä'.repeat(9_000)), {
      name: '😀'.repeat(500),
      stack: 's'.repeat(99_999),
    });
    sdk.captureError(error, undefined);
    await sdk.flush();
    const data = server.attempts[0]?.events[0]?.data as {
      name: string;
      message: string;
      stack: string;
    };
    expect(Array.from(data.name)).toHaveLength(200);
    expect(Buffer.byteLength(data.message)).toBe(2_048);
    expect(Buffer.byteLength(data.stack)).toBe(8_192);
  });
});

describe('timeouts that are none', () => {
  test.each([-1, Number.NaN, '5', Number.POSITIVE_INFINITY, {}])(
    'flush(%s) uses the default and resolves',
    async (timeoutMs) => {
      const { sdk, env } = sdkWith({});
      sdk.captureError('x', undefined);
      expect(await sdk.flush(timeoutMs)).toMatchObject({ delivered: 1 });
      expect(env.warnings).toHaveLength(1);
    },
  );
});
