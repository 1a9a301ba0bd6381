import { describe, expect, test } from 'vitest';
import { STEPS } from '../../src/core/state.ts';
import { numbers, rig } from '../support/rig.ts';

const redirect = (status: number, location?: string) => ({
  status,
  headers: location === undefined ? {} : { location },
});
const limited = (retryAfter?: string) => ({
  status: 429,
  headers: retryAfter === undefined ? {} : { 'Retry-After': retryAfter },
});

describe('refused key', () => {
  test('B1: 401 settles all waiting flushes, warns once, frees the queue', async () => {
    const { env, server, transport, put, drops } = rig([401]);
    put(1);
    const flushes = Promise.all([
      transport.flush(9_000),
      transport.flush(9_000),
      transport.flush(9_000),
    ]);
    await env.settle();
    expect((await flushes).map(({ state }) => state)).toEqual(['disabled', 'disabled', 'disabled']);
    expect(env.warnings).toHaveLength(1);
    expect(env.warnings[0]).toContain('401');
    expect(server.attempts).toHaveLength(1);
    expect(transport.stats()).toMatchObject({ queued: 0, inFlight: 0, state: 'disabled' });
    expect(drops).toEqual([{ reason: 'disabled', count: 1, type: 'action_message_send' }]);
    expect(env.timerCount).toBe(0);
    expect(env.holds).toBe(0);
  });

  test('B2: 401 in the middle of a drain: the rest is never sent, enqueue is a counted no-op', async () => {
    const { env, server, transport, put, putMany, states } = rig([200, 200, 401]);
    putMany(5_000);
    await env.settle();
    expect(server.attempts).toHaveLength(3);
    put(1);
    await env.advance(600_000);
    expect(server.attempts).toHaveLength(3);
    expect(transport.stats().dropped.disabled).toBe(4_001);
    expect(transport.stats().delivered).toBe(1_000);
    expect(states).toEqual(['disabled']);
  });
});

describe('redirects', () => {
  test.each([301, 302, 303, 307, 308])(
    'B3, B4: %i disables, one request, origin only in the warning',
    async (status) => {
      const { env, server, transport, put } = rig([
        redirect(status, 'https://other.example/v1/events?key=secret'),
      ]);
      put(1);
      await env.advance(5_000);
      await env.advance(600_000);
      expect(server.attempts).toHaveLength(1);
      expect(transport.state).toBe('disabled');
      expect(env.warnings).toHaveLength(1);
      expect(env.warnings[0]).toContain('https://other.example;');
      expect(env.warnings[0]).not.toContain('secret');
    },
  );

  test.each([
    [300, 'https://x.example'],
    [304, undefined],
    [307, undefined],
  ])('B5: %i with Location %s drops the batch and stays active', async (status, location) => {
    const { env, transport, put } = rig([redirect(status, location)]);
    put(1);
    await env.advance(5_000);
    expect(transport.state).toBe('active');
    expect(transport.stats().dropped.bad_request).toBe(1);
  });
});

describe('quiet period', () => {
  test('B6: 429 without header: nothing before 300 s, then all in order', async () => {
    const { env, server, transport, put, putMany } = rig([limited()]);
    put(0);
    await env.advance(5_000);
    expect(transport.state).toBe('quiet');
    putMany(10, 1);
    await env.advance(299_998);
    expect(server.attempts).toHaveLength(1);
    await env.advance(2);
    expect(server.numbers()[1]).toEqual(numbers(0, 10));
    expect(transport.state).toBe('active');
  });

  test('B7: 429 in a drain: order, ids and attempts after the quiet period', async () => {
    const { env, server, putMany } = rig([200, 200, 503, limited('60')]);
    putMany(2_500);
    await env.advance(2_000);
    expect(server.attempts).toHaveLength(4);
    await env.advance(60_000);
    const firsts = server.numbers().map(([first]) => first);
    expect(firsts).toEqual([0, 500, 1_000, 1_000, 1_000, 1_500, 2_000]);
    const ids = server.attempts.map(({ events }) => events.map(({ id }) => id).join());
    expect(ids[4]).toBe(ids[2]);
    expect(new Set(server.attempts.map(({ batchId }) => batchId)).size).toBe(7);
  });

  test('B7: attempts start anew after a quiet period', async () => {
    const { env, server, transport, put } = rig([
      503,
      503,
      503,
      503,
      limited('10'),
      503,
      503,
      503,
      503,
      200,
    ]);
    put(1);
    await env.advance(5_000 + 20_000);
    await env.advance(30_000);
    expect(server.attempts).toHaveLength(10);
    expect(transport.stats().delivered).toBe(1);
  });

  test('B8: 401 on an exempt heartbeat disables and clears the queue', async () => {
    const { env, transport, put } = rig([limited('600'), 401]);
    put(0);
    await env.advance(5_000);
    put(1, 'heartbeat');
    await env.advance(5_000);
    expect(transport.stats()).toMatchObject({ state: 'disabled', queued: 0 });
    expect(transport.stats().dropped.disabled).toBe(2);
  });

  test('B9: a 429 on an exempt send never shortens the period', async () => {
    const { env, server, put } = rig([limited('200'), limited('10')]);
    put(0);
    await env.advance(5_000);
    put(1, 'heartbeat');
    await env.advance(5_000);
    expect(server.attempts).toHaveLength(2);
    await env.advance(194_900);
    expect(server.attempts).toHaveLength(2);
    await env.advance(200);
    // What came back stands at the head of the queue.
    expect(server.numbers()[2]).toEqual([1, 0]);
  });

  test('a 429 on an exempt send may lengthen the period, and causes no second request by itself', async () => {
    const { env, server, put } = rig([limited('20'), limited('100')]);
    put(0);
    await env.advance(5_000);
    put(1, 'heartbeat');
    await env.advance(5_000);
    await env.advance(99_000);
    expect(server.attempts).toHaveLength(2);
    await env.advance(1_100);
    expect(server.attempts).toHaveLength(3);
  });

  test('B10: exempt events go in one request, in their order; the others wait', async () => {
    const { env, server, transport, put } = rig([limited('60')]);
    put(0);
    await env.advance(5_000);
    put(1);
    put(2, 'heartbeat');
    put(3, 'guild_snapshot', { guildId: '11111111111111111' });
    put(4);
    put(5, 'guild_snapshot', { guildId: '11111111111111112' });
    put(6, 'guild_snapshot', { guildId: '11111111111111113' });
    put(7);
    await env.advance(5_000);
    expect(server.numbers()[1]).toEqual([2, 3, 5, 6]);
    await env.advance(60_000);
    expect(server.numbers()[2]).toEqual([0, 1, 4, 7]);
    expect(transport.stats().delivered).toBe(8);
  });

  test('api_routes_snapshot is not exempt', async () => {
    const { env, server, put } = rig([limited('60')]);
    put(0);
    await env.advance(5_000);
    put(1, 'api_routes_snapshot');
    await env.advance(50_000);
    expect(server.attempts).toHaveLength(1);
  });

  test('B11: 2,500 guild snapshots in one tick are 5 requests', async () => {
    const { env, server, put } = rig([limited('600')]);
    put(0);
    await env.advance(5_000);
    for (let n = 0; n < 2_500; n += 1)
      put(n, 'guild_snapshot', { guildId: String(10n ** 17n + BigInt(n)) });
    await env.settle();
    expect(server.attempts.slice(1).map(({ events }) => events.length)).toEqual([
      500, 500, 500, 500, 500,
    ]);
  });

  test('50 exempt events leave at once also when as many were given back', async () => {
    const { env, server, putMany } = rig([{ status: 429, headers: { 'Retry-After': '1000' } }]);
    putMany(60, 0, 'heartbeat');
    await env.settle();
    expect(server.attempts).toHaveLength(1);
    putMany(50, 60, 'heartbeat');
    await env.settle();
    expect(server.attempts).toHaveLength(2);
  });

  test('B12: overflow in a quiet period evicts the oldest, with one warning', async () => {
    const { env, server, transport, put, putMany } = rig([limited('60')]);
    put(0);
    await env.advance(5_000);
    putMany(5_000, 1);
    expect(transport.stats().dropped.overflow).toBe(1);
    putMany(10, 5_001);
    expect(env.warnings.filter((text) => text.includes('5000'))).toHaveLength(1);
    await env.advance(60_000);
    expect(server.numbers()[1]?.[0]).toBe(11);
    expect(server.numbers().at(-1)?.at(-1)).toBe(5_010);
  });

  test('B13: flush() resolves after the exempt events', async () => {
    const { env, server, transport, put } = rig([limited('60')]);
    put(0);
    await env.advance(5_000);
    put(1, 'heartbeat');
    const flushed = transport.flush(30_000);
    await env.settle();
    expect(await flushed).toEqual({ delivered: 1, dropped: 0, queued: 1, state: 'quiet' });
    expect(server.numbers()[1]).toEqual([1]);
  });

  test('B14: the end of the period and the flush timer in the same moment are one drain', async () => {
    const { env, server, put } = rig([limited('5')]);
    put(0);
    await env.advance(5_000);
    put(1, 'heartbeat');
    await env.advance(5_000);
    await env.advance(20_000);
    expect(new Set(server.numbers().slice(1).flat())).toEqual(new Set([0, 1]));
    expect(server.numbers().slice(1).flat()).toHaveLength(2);
    expect(server.maxOpen).toBe(1);
  });

  test('B21: over 24 days of timer never become a hot loop; more than 24 h is clamped with one warning', async () => {
    const { env, server, put } = rig([limited('99999999999')]);
    put(0);
    await env.advance(5_000);
    await env.advance(86_399_000);
    expect(server.attempts).toHaveLength(1);
    expect(env.warnings).toHaveLength(1);
    await env.advance(2_000);
    expect(server.attempts).toHaveLength(2);
  });

  test('B77: a wall clock that jumps does not end the period', async () => {
    const { env, server, put } = rig([limited('100')]);
    put(0);
    await env.advance(5_000);
    env.wallMs += 3_600_000;
    await env.advance(99_000);
    expect(server.attempts).toHaveLength(1);
    env.wallMs -= 7_200_000;
    await env.advance(1_100);
    expect(server.attempts).toHaveLength(2);
  });
});

test('a state that is final stays final', () => {
  expect(Object.values(STEPS.disabled)).toEqual(['disabled', 'disabled', 'disabled', 'disabled']);
  expect(Object.values(STEPS.closed)).toEqual(['closed', 'closed', 'closed', 'closed']);
});
