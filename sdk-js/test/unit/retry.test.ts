import { describe, expect, test } from 'vitest';
import type { Send } from '../../src/api/send.ts';
import { quietPeriodMs } from '../../src/core/retry-after.ts';
import { numbers, rig } from '../support/rig.ts';

const UUID7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('retries', () => {
  test('B27: 503 four times, then 200: same events, new batchId, sentAt not decreasing', async () => {
    const { env, server, transport, putMany } = rig([503, 503, 503, 503, 200]);
    putMany(3);
    await env.advance(5_000);
    await env.advance(20_000);
    expect(server.attempts).toHaveLength(5);
    expect(new Set(server.attempts.map(({ batchId }) => batchId)).size).toBe(5);
    for (const { batchId } of server.attempts) expect(batchId).toMatch(UUID7);
    expect(new Set(server.attempts.map(({ events }) => JSON.stringify(events))).size).toBe(1);
    const sentAt = server.attempts.map((attempt) => attempt.sentAt);
    expect(sentAt).toEqual(sentAt.toSorted());
    expect(transport.stats().delivered).toBe(3);
  });

  test('B28: 503 for ever: five requests, a debug entry, the next batch starts at attempt 1', async () => {
    const { env, server, transport, put } = rig();
    server.fallback = 503;
    put(1);
    await env.advance(5_000);
    await env.advance(60_000);
    expect(server.attempts).toHaveLength(5);
    expect(env.debugs.filter((text) => text.includes('retries_exhausted'))).not.toHaveLength(0);
    expect(transport.stats().dropped.retries_exhausted).toBe(1);
    put(2);
    await env.advance(60_000);
    expect(server.attempts).toHaveLength(10);
    expect(transport.stats().lastError).toBe('HTTP 503');
  });

  test.each([
    [0, [0, 0, 0, 0]],
    [0.999_999, [999.999, 1_999.998, 3_999.996, 7_999.992]],
  ])('B29: waits with random %d', async (random, waits) => {
    const { env, server, put } = rig();
    server.fallback = 503;
    env.randoms = Array.from({ length: 4 }, () => random);
    put(1);
    await env.advance(5_000);
    const times: number[] = [];
    for (const wait of waits) {
      times.push(server.attempts.length);
      await env.advance(wait);
    }
    times.push(server.attempts.length);
    expect(times.at(-1)).toBe(5);
    if (random > 0) expect(times).toEqual([1, 2, 3, 4, 5]);
  });

  test('B30, B31: 403 four times is delivered, five times loses that batch only', async () => {
    const { env, server, transport, put, putMany } = rig([
      403, 403, 403, 403, 200, 403, 403, 403, 403, 403, 200,
    ]);
    put(0);
    await env.advance(25_000);
    expect(transport.stats().delivered).toBe(1);
    putMany(501, 1);
    await env.advance(25_000);
    expect(transport.stats().dropped.retries_exhausted).toBe(500);
    expect(server.numbers().at(-1)).toEqual([501]);
  });

  test('B32: 400 drops the batch and nothing else, one request each', async () => {
    const { env, server, transport, putMany } = rig([400]);
    putMany(510);
    await env.settle();
    expect(server.attempts.map(({ events }) => events.length)).toEqual([500, 10]);
    expect(transport.stats()).toMatchObject({ delivered: 10, dropped: { bad_request: 500 } });
  });

  test.each([404, 405, 410, 415, 422, 451])('B33: %i drops, no retry, active', async (status) => {
    const { env, server, transport, put } = rig([status]);
    put(1);
    await env.advance(60_000);
    expect(server.attempts).toHaveLength(1);
    expect(transport.state).toBe('active');
    expect(env.warnings).toHaveLength(status === 404 || status === 405 ? 1 : 0);
  });

  test.each([408, 425])('B34: %i is retried', async (status) => {
    const { env, transport, put } = rig([status, 200]);
    put(1);
    await env.advance(30_000);
    expect(transport.stats().delivered).toBe(1);
  });

  test('B35: 413 is split, order kept, fresh batchIds; alone it is dropped', async () => {
    const { env, server, transport, putMany } = rig([413, 200, 413, 200, 413]);
    putMany(4);
    await env.advance(5_000);
    expect(server.numbers()).toEqual([[0, 1, 2, 3], [0, 1], [2, 3], [2], [3]]);
    expect(new Set(server.attempts.map(({ batchId }) => batchId)).size).toBe(5);
    expect(transport.stats()).toMatchObject({ delivered: 3, dropped: { too_large: 1 } });
  });

  test.each([200, 201, 202, 204, 206, 226])('B36: %i is delivered', async (status) => {
    const { env, transport, put } = rig([status]);
    put(1);
    await env.advance(5_000);
    expect(transport.stats().delivered).toBe(1);
  });

  const throws = (): never => {
    throw new Error('strange');
  };
  test.each([
    ['throws', throws],
    ['rejects with nothing', async () => await Promise.reject<never>()],
    ['answers nothing', async () => undefined],
    ['answers without headers', async () => ({ status: 200 })],
    ['answers with headers that throw', async () => ({ status: 200, header: throws, body: null })],
    ['answers a status that throws', async () => ({ status: { toString: throws } })],
  ])('a `send` that %s is a network error', async (_, send) => {
    const { env, transport, put } = rig([], send as unknown as Send);
    put(1);
    await env.advance(5_000);
    await env.advance(60_000);
    expect(transport.stats()).toMatchObject({ delivered: 0, dropped: { retries_exhausted: 1 } });
    expect(transport.stats().lastError).not.toBeNull();
  });

  test.each([undefined, 7, {}])('an answer with the body %s is an answer', async (body) => {
    const answer = { status: 200, header: () => undefined, body };
    const { env, transport, put } = rig([], (async () => answer) as unknown as Send);
    put(1);
    await env.advance(5_000);
    expect(transport.stats().delivered).toBe(1);
  });

  test('B26: Retry-After on 503 is ignored', async () => {
    const { env, server, put } = rig([{ status: 503, headers: { 'Retry-After': '3600' } }]);
    put(1);
    await env.advance(5_000);
    await env.advance(1_000);
    expect(server.attempts).toHaveLength(2);
  });

  test('B42, B73: an attempt that never ends is given up after 10 s in all, and the next one runs', async () => {
    const { env, server, transport, put } = rig(['hang', 200]);
    put(1);
    await env.advance(5_000);
    await env.advance(9_999);
    expect(server.attempts).toHaveLength(1);
    await env.advance(1_001);
    expect(server.attempts).toHaveLength(2);
    expect(server.attempts[0]?.signal.aborted).toBe(true);
    expect(transport.stats().delivered).toBe(1);
  });

  test.each(['toString', '__proto__', 2, 4, 99, 600, Number.NaN])(
    'a send that answers with the status %s is tried again',
    async (status) => {
      let sent = 0;
      const { env, transport, put } = rig([], (async () => {
        sent += 1;
        return { status: sent === 1 ? status : 200, header: () => null, body: null };
      }) as Send);
      put(1);
      await env.advance(10_000);
      expect(sent).toBe(2);
      expect(transport.stats()).toMatchObject({ delivered: 1, inFlight: 0 });
    },
  );

  test.each([
    'Sat, 6 Dec 2026 08:49:37 GMT',
    'Sat 21 Nov 2026 08:49:37 GMT',
    'Sat, 21-Nov-2026 08:49:37 GMT',
    'Sat, 21 Nov 26 08:49:37 GMT',
    'Sat Nov 21 08:49:37 26',
    '1 21 Nov 2026 08:49:37 GMT',
    '\u00a0120',
  ])('a Retry-After of %s counts as absent', (header) => {
    expect(quietPeriodMs(header, '', Date.UTC(2026, 10, 21))).toBe(300_000);
  });

  test('B72: the late answer of a timed-out attempt is ignored', async () => {
    let answer: (status: number) => void = () => undefined;
    const late = new Promise<number>((resolve) => {
      answer = resolve;
    });
    const { env, server, transport, put } = rig([late, 200]);
    put(1);
    await env.advance(5_000 + 10_000);
    answer(401);
    await env.advance(1_000);
    expect(transport.state).toBe('active');
    expect(server.attempts).toHaveLength(2);
    expect(transport.stats().delivered).toBe(1);
  });

  test('B78: the wall clock going back does not prolong a backoff', async () => {
    const { env, server, put } = rig([503, 200]);
    put(1);
    await env.advance(5_000);
    env.wallMs -= 3_600_000;
    await env.advance(1_000);
    expect(server.attempts).toHaveLength(2);
  });

  test('B58: a part that gets 503 is retried alone; its sibling waits', async () => {
    const { env, server, put } = rig([413, 503, 200, 200]);
    for (const n of numbers(0, 3)) put(n);
    await env.advance(10_000);
    expect(server.numbers()).toEqual([
      [0, 1, 2, 3],
      [0, 1],
      [0, 1],
      [2, 3],
    ]);
  });

  test('B59: a second part that gets 429 does not send the first again', async () => {
    const { env, server, transport, putMany } = rig([
      413,
      200,
      { status: 429, headers: { 'Retry-After': '5' } },
    ]);
    putMany(4);
    await env.advance(5_000);
    await env.advance(6_000);
    expect(server.numbers()).toEqual([
      [0, 1, 2, 3],
      [0, 1],
      [2, 3],
      [2, 3],
    ]);
    expect(transport.stats().delivered).toBe(4);
  });

  test('events that the server did not store are counted as rejected', async () => {
    const body = JSON.stringify({ received: 3, rejectedCount: 2, rejected: [] });
    const { env, transport, putMany } = rig([{ status: 200, body }]);
    putMany(3);
    await env.advance(5_000);
    expect(transport.stats()).toMatchObject({ delivered: 1, dropped: { rejected: 2 } });
  });

  test.each([
    '{"rejectedCount":',
    '{"rejectedCount":"x"}',
    '[]',
    'null',
    '{"rejectedCount":-4}',
    '<html>',
  ])('B39: an answer like %s is an answer', async (body) => {
    const { env, transport, putMany } = rig([{ status: 200, body }]);
    putMany(3);
    await env.advance(5_000);
    expect(transport.stats().delivered).toBe(3);
  });
});
