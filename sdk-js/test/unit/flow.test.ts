import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { LIMITS } from '@bot-analytics/protocol';
import { encodeEvent, type QueuedEvent } from '../../src/event/encode.ts';
import { batchBody } from '../../src/core/batch.ts';
import { Queue } from '../../src/core/queue.ts';
import { numbers, rig } from '../support/rig.ts';
import { sendSized } from '../support/sized.ts';

describe('flush triggers', () => {
  test('B15: an empty queue sends nothing, by timer or by hand', async () => {
    const { env, server, transport } = rig();
    expect(await transport.flush(1_000)).toEqual({
      delivered: 0,
      dropped: 0,
      queued: 0,
      state: 'active',
    });
    await env.advance(60_000);
    expect(server.attempts).toHaveLength(0);
    expect(env.timerCount).toBe(0);
  });

  test('C24: the timer runs only while something waits', async () => {
    const { env, server, put } = rig();
    put(1);
    await env.advance(4_999);
    expect(server.attempts).toHaveLength(0);
    await env.advance(1);
    expect(server.attempts).toHaveLength(1);
    expect(env.timerCount).toBe(0);
  });

  test('B60: no request at 49 events, one at 50', async () => {
    const { env, server, put, putMany } = rig();
    putMany(49);
    await env.settle();
    expect(server.attempts).toHaveLength(0);
    put(49);
    await env.settle();
    expect(server.numbers()).toEqual([numbers(0, 49)]);
  });

  test('B61: 5,000 in one loop are ten requests of 500, in order', async () => {
    const { env, server, transport, putMany } = rig();
    putMany(5_000);
    expect(server.attempts).toHaveLength(0);
    await env.settle();
    expect(server.numbers().map((list) => list.length)).toEqual(
      Array.from({ length: 10 }, () => 500),
    );
    expect(server.numbers().flat()).toEqual(numbers(0, 4_999));
    expect(transport.stats().delivered).toBe(5_000);
  });

  test('B56: 501 events are 500 and 1', async () => {
    const { env, server, putMany } = rig();
    putMany(501);
    await env.settle();
    expect(server.numbers().map((list) => list.length)).toEqual([500, 1]);
  });

  test('B62: an event that comes during a request leaves with the same drain', async () => {
    let release: (status: number) => void = () => undefined;
    const first = new Promise<number>((resolve) => {
      release = resolve;
    });
    const { env, server, put } = rig([first]);
    put(1);
    await env.advance(5_000);
    put(2);
    release(200);
    await env.settle();
    expect(server.numbers()).toEqual([[1], [2]]);
  });
});

describe('order and concurrency', () => {
  test('B66: 100 flushes at once share one drain', async () => {
    const { env, server, transport, putMany } = rig();
    putMany(1_200);
    const flushes = Array.from({ length: 100 }, () => transport.flush(9_000));
    await env.settle();
    const results = await Promise.all(flushes);
    expect(server.maxOpen).toBe(1);
    expect(server.attempts).toHaveLength(3);
    expect(results.every(({ delivered }) => delivered === 1_200)).toBe(true);
    expect(env.holds).toBe(0);
  });

  test('B67: a flush ends although the bot keeps producing', async () => {
    let requests = 0;
    const busy = rig([], async () => {
      requests += 1;
      if (requests <= 20) busy.putMany(600, requests * 1_000);
      return { status: 200, header: () => null, body: null };
    });
    busy.put(0);
    const flushed = busy.transport.flush(9_000).then((result) => ({ result, requests }));
    await busy.env.settle();
    const { result, requests: atEnd } = await flushed;
    expect(result.queued).toBeGreaterThan(0);
    expect(atEnd).toBeLessThan(5);
    expect(requests).toBeGreaterThan(20);
  });

  test('B68: a failing server never rejects anything', async () => {
    const { env, transport, server, put } = rig();
    server.fallback = new Error('connect ECONNREFUSED');
    put(1);
    void transport.flush(100_000);
    await env.advance(60_000);
    expect(transport.stats().dropped.retries_exhausted).toBe(1);
  });

  test('B69: a flush during a backoff neither skips nor doubles the wait', async () => {
    const { env, server, transport, put } = rig([503, 200]);
    env.randoms = [0.999];
    put(1);
    await env.advance(5_000);
    const flushed = transport.flush(9_000);
    await env.advance(990);
    expect(server.attempts).toHaveLength(1);
    await env.advance(20);
    expect(server.attempts).toHaveLength(2);
    expect((await flushed).delivered).toBe(1);
  });

  test('a flush that takes too long resolves and leaves the events queued', async () => {
    const { env, transport, put } = rig(['hang']);
    put(1);
    const flushed = transport.flush(100);
    await env.advance(100);
    expect(await flushed).toMatchObject({ delivered: 0, queued: 1, state: 'active' });
    expect(env.holds).toBe(0);
  });

  test('an event that comes right after a flush of nothing leaves with the timer', async () => {
    const { env, server, transport, put } = rig();
    const flushed = transport.flush(9_000);
    put(1);
    await flushed;
    await env.advance(5_000);
    expect(server.numbers()).toEqual([[1]]);
  });

  test('C17: who still waits holds the process when another flush ends', async () => {
    const { env, transport, put } = rig([200, 'hang']);
    put(1);
    const flushes = [transport.flush(200), transport.flush(100)];
    put(2);
    flushes.push(transport.flush(300), transport.flush(0));
    await env.settle();
    expect(env.holds).toBe(1);
    await env.advance(0);
    expect((await flushes[0])?.delivered).toBe(1);
    expect(env.holds).toBe(1);
    await env.advance(300);
    await Promise.all(flushes);
    expect(env.holds).toBe(0);
    expect(env.timerCount).toBe(1);
  });

  test('C17: one handle holds the process while flushes wait', async () => {
    const { env, transport, put } = rig(['hang']);
    put(1);
    const flushes = [transport.flush(100), transport.flush(200)];
    expect(env.holds).toBe(1);
    await env.advance(150);
    expect(env.holds).toBe(1);
    await env.advance(100);
    await Promise.all(flushes);
    expect(env.holds).toBe(0);
  });
});

describe('overflow', () => {
  test('B63: new events during a full-queue request: exactly those in the request are removed', async () => {
    let release: (status: number) => void = () => undefined;
    const first = new Promise<number>((resolve) => {
      release = resolve;
    });
    const { env, server, transport, putMany } = rig([first]);
    putMany(5_000);
    await env.settle();
    putMany(3, 5_000);
    release(200);
    await env.settle();
    expect(server.numbers().flat()).toEqual(numbers(0, 5_002));
    expect(transport.stats().delivered).toBe(5_003);
  });

  test('B64, B65: 6,000 during a hanging request: those under way and the newest 5,000 arrive', async () => {
    let release: (status: number) => void = () => undefined;
    const first = new Promise<number>((resolve) => {
      release = resolve;
    });
    const { env, server, transport, putMany } = rig([first]);
    putMany(500);
    await env.settle();
    putMany(6_000, 500);
    expect(transport.stats()).toMatchObject({ queued: 5_000, inFlight: 500 });
    release(200);
    await env.settle();
    expect(transport.stats().dropped.overflow).toBe(1_000);
    expect(server.numbers().flat()).toEqual([...numbers(0, 499), ...numbers(1_500, 6_499)]);
    expect(env.warnings).toHaveLength(1);
    putMany(5_600, 10_000);
    await env.settle();
    expect(env.warnings).toHaveLength(1);
    expect(transport.stats().dropped.overflow).toBe(1_600);
  });

  test('C13: what comes back by 429 goes first when there is no room', async () => {
    const { env, server, transport, putMany } = rig();
    let release: (status: number) => void = () => undefined;
    server.steps.push(
      new Promise<number>((resolve) => {
        release = resolve;
      }),
    );
    putMany(500);
    await env.settle();
    putMany(4_900, 500);
    server.fallback = { status: 429, headers: { 'Retry-After': '5' } };
    release(429);
    await env.settle();
    server.fallback = 200;
    await env.advance(300_000);
    expect(server.numbers().slice(1).flat()).toEqual(numbers(400, 5_399));
    expect(transport.stats().dropped.overflow).toBe(400);
  });

  test('C8: one unsent guild_snapshot per guild, the latest', async () => {
    const { env, server, transport, put } = rig();
    put(1, 'guild_snapshot', { guildId: '11111111111111111' });
    put(2);
    put(3, 'guild_snapshot', { guildId: '11111111111111112' });
    put(4, 'guild_snapshot', { guildId: '11111111111111111' });
    put(5, 'heartbeat');
    put(6, 'heartbeat');
    expect(transport.stats().queued).toBe(5);
    await env.advance(5_000);
    expect(server.numbers()).toEqual([[4, 2, 3, 5, 6]]);
    put(7, 'guild_snapshot', { guildId: '11111111111111111' });
    await env.advance(5_000);
    expect(server.numbers()[1]).toEqual([7]);
  });

  test('the queue never passes its bound and loses count of nothing', () => {
    const step = fc.record({
      do: fc.constantFrom('push' as const, 'take' as const, 'exempt' as const, 'back' as const),
      count: fc.integer({ min: 1, max: 2_000 }),
      guild: fc.option(fc.integer({ min: 1, max: 3 }), { nil: null }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        let seq = 0;
        let overflown = 0;
        const queue = new Queue(() => (overflown += 1));
        const kept = (): number => queue.count() + overflown;
        let held: readonly QueuedEvent[] = [];
        const event = (guild: number | null): QueuedEvent => ({
          seq: (seq += 1),
          type: guild === null ? 'heartbeat' : 'guild_snapshot',
          json: '{}',
          key: guild === null ? seq : `${guild}`,
        });
        for (const { do: what, count, guild } of steps) {
          const before = kept();
          const isPlainPush = what === 'push' && guild === null;
          if (what === 'push') for (let i = 0; i < count; i += 1) queue.push(event(guild));
          else if (what === 'back') queue.putBack(held);
          if (what === 'back' || what === 'push') held = [];
          else held = queue.take(count, what === 'exempt');
          expect(queue.count()).toBeLessThanOrEqual(LIMITS.queueEventsMax);
          expect(queue.count(true)).toBe(queue.count());
          if (isPlainPush) expect(kept()).toBe(before + count);
          if (what === 'take' || what === 'exempt') expect(kept()).toBe(before - held.length);
        }
        const left = queue.take(LIMITS.queueEventsMax);
        const guilds = left.map(({ key }) => key).filter((key) => typeof key === 'string');
        expect(new Set(guilds).size).toBe(guilds.length);
        expect(queue.count()).toBe(0);
        expect(queue.count(true)).toBe(0);
      }),
      { numRuns: 60 },
    );
  });
});

describe('size', () => {
  const sized = (chars: string, bytes: number) => {
    const event = { type: 'error' as const, tsMs: 0, data: { context: chars } };
    const made = encodeEvent(event, '0'.repeat(36), '0'.repeat(24));
    return { ...made, bytes: made.bytes + bytes };
  };

  test.each(['é', '€', '😀'])('B51-B53: bytes are counted, not characters (%s)', (char) => {
    const { json, bytes } = sized(char.repeat(500), 0);
    expect(bytes).toBe(Buffer.byteLength(json));
  });

  test('B51, B52: a body of exactly 1,048,576 bytes is one request, a byte more is two', async () => {
    // Events of 4,000 bytes of text; the last one fills up to the byte.
    const { env, server, transport } = rig();
    const text = '€'.repeat(1_300);
    const put = (length: number): void =>
      transport.enqueue({
        type: 'error',
        tsMs: 0,
        data: { context: { a: text, b: 'x'.repeat(length) } },
      });
    const one = encodeEvent(
      { type: 'error', tsMs: 0, data: { context: { a: text, b: '' } } },
      '0'.repeat(36),
      '2026-01-15T12:00:00.000Z',
    ).bytes;
    const count = 240;
    const envelopeBytes = batchBody([], '0'.repeat(36), '0'.repeat(24)).length;
    const left = LIMITS.batchBytesMax - envelopeBytes - (count - 1) - count * one;
    const each = Math.floor(left / count);
    for (let n = 0; n < count - 1; n += 1) put(each);
    put(left - each * (count - 1));
    await env.settle();
    expect(server.attempts.map(({ bytes }) => bytes)).toEqual([LIMITS.batchBytesMax]);
    for (let n = 0; n < count - 1; n += 1) put(each);
    put(left - each * (count - 1) + 1);
    await env.settle();
    expect(server.attempts.slice(1).map(({ events }) => events.length)).toEqual([120, 120]);
    expect(server.attempts.every(({ bytes }) => bytes <= LIMITS.batchBytesMax)).toBe(true);
  });

  test('B57: 500 events of 16 KiB: no part is over the limit, order is kept', async () => {
    const { env, server, transport } = rig();
    for (let n = 0; n < 500; n += 1) {
      const data = {
        n,
        a: 'x'.repeat(4_090),
        b: 'x'.repeat(4_090),
        c: 'x'.repeat(4_090),
        d: 'x'.repeat(4_000),
      };
      transport.enqueue({ type: 'error', tsMs: 0, data });
    }
    await env.settle();
    await env.settle();
    expect(server.attempts.length).toBeGreaterThan(7);
    expect(server.attempts.every(({ bytes }) => bytes <= LIMITS.batchBytesMax)).toBe(true);
    expect(server.numbers().flat()).toEqual(numbers(0, 499));
  });

  test('splitting keeps every event once, in order, within the limit', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 1_500 }), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(sizes, async (eventBytes) => {
        const { parts, dropped } = await sendSized({
          eventBytes,
          envelopeBytes: 100,
          limit: 1_000,
          maxEvents: LIMITS.batchEventsMax,
        });
        const kept = parts.flat();
        expect(kept).toEqual(kept.toSorted((a, b) => a - b));
        const all = [...kept, ...dropped].toSorted((a, b) => a - b);
        expect(all).toEqual(eventBytes.map((_, index) => index));
        const bytesOf = (index: number): number => eventBytes[index] ?? NaN;
        for (const part of parts) {
          const bytes = part.reduce((sum, index) => sum + bytesOf(index), 100 + part.length - 1);
          expect(bytes).toBeLessThanOrEqual(1_000);
        }
        for (const index of dropped) expect(bytesOf(index) + 100).toBeGreaterThan(1_000);
      }),
    );
  });
});

describe('shutdown', () => {
  test('B115: twice, flush after, enqueue after', async () => {
    const { env, server, transport, put, states } = rig();
    put(1);
    const first = transport.shutdown(3_000);
    const second = transport.shutdown(3_000);
    await env.settle();
    expect(await first).toEqual({ delivered: 1, dropped: 0, queued: 0, state: 'closed' });
    expect(await second).toBe(await first);
    expect(await transport.flush(100)).toEqual({
      delivered: 0,
      dropped: 0,
      queued: 0,
      state: 'closed',
    });
    put(2);
    await env.advance(60_000);
    expect(server.attempts).toHaveLength(1);
    expect(transport.stats().dropped.shutdown).toBe(1);
    expect(states).toEqual(['closed']);
    expect(env.timerCount).toBe(0);
    expect(env.holds).toBe(0);
  });

  test('hooks that call back while it ends: nothing is sent, nothing waits uncounted', async () => {
    const quiet = { status: 429, headers: { 'Retry-After': '600' } };
    const { env, server, transport, put, states, drops } = rig([quiet]);
    put(1);
    await env.advance(5_000);
    put(2);
    const noted = states.push.bind(states);
    states.push = (...ended) => {
      put(3);
      void transport.flush(0);
      return noted(...ended);
    };
    const closed = transport.shutdown(300);
    await env.advance(300);
    expect(await closed).toMatchObject({ delivered: 0, queued: 0, state: 'closed' });
    expect(server.attempts).toHaveLength(1);
    expect(transport.stats()).toMatchObject({ queued: 0, inFlight: 0, dropped: { shutdown: 3 } });
    expect(drops.reduce((sum, { count }) => sum + count, 0)).toBe(3);
  });

  test('an idle one takes no event of hooks that hear of its end', async () => {
    const { transport, put, states, drops } = rig();
    const [noted, lost] = [states.push.bind(states), drops.push.bind(drops)];
    states.push = (...ended) => {
      put(1);
      return noted(...ended);
    };
    let again = true;
    drops.push = (...gone) => {
      if (again) {
        again = false;
        put(2);
      }
      return lost(...gone);
    };
    await transport.shutdown(1_000);
    expect(transport.stats()).toMatchObject({ queued: 0, dropped: { shutdown: 2 } });
  });

  test('a signal during a long shutdown ends it in its own, shorter time', async () => {
    const { env, transport, put } = rig(['hang']);
    put(1);
    const long = transport.shutdown(60_000);
    await env.advance(1_000);
    void transport.shutdown(3_000);
    await env.advance(3_000);
    expect(await long).toEqual({ delivered: 0, dropped: 1, queued: 0, state: 'closed' });
    expect(env.timerCount).toBe(0);
    expect(env.holds).toBe(0);
  });

  test('B116: with 100 ms and ten batches: ends in time, the one under way is aborted, all is counted', async () => {
    const { env, server, transport, putMany } = rig([200, 'hang']);
    putMany(5_000);
    const closed = transport.shutdown(100);
    await env.advance(100);
    expect(await closed).toEqual({ delivered: 500, dropped: 4_500, queued: 0, state: 'closed' });
    expect(server.attempts.at(-1)?.signal.aborted).toBe(true);
    expect(transport.stats().dropped.shutdown).toBe(4_500);
    expect(env.holds).toBe(0);
  });

  test('B114: during a backoff it ends at its deadline', async () => {
    const { env, transport, server, put } = rig();
    server.fallback = 503;
    env.randoms = [0.9, 0.9, 0.9, 0.9];
    put(1);
    await env.advance(5_000);
    const closed = transport.shutdown(500);
    await env.advance(500);
    expect(await closed).toMatchObject({ dropped: 1, state: 'closed' });
  });

  test('a quiet period that ends within the time is waited out, also twice', async () => {
    const limited = { status: 429, headers: { 'Retry-After': '1' } };
    const { env, server, transport, put } = rig([limited, limited]);
    put(1);
    const closed = transport.shutdown(3_000);
    await env.advance(2_500);
    expect(await closed).toEqual({ delivered: 1, dropped: 0, queued: 0, state: 'closed' });
    expect(server.attempts).toHaveLength(3);
    expect(env.holds).toBe(0);
    expect(env.timerCount).toBe(0);
  });

  test('a server that asks for one pause after the other does not prolong the time', async () => {
    const { env, server, transport, put } = rig();
    server.fallback = { status: 429, headers: { 'Retry-After': '1' } };
    put(1);
    const closed = transport.shutdown(3_000);
    await env.advance(3_000);
    expect(await closed).toMatchObject({ delivered: 0, dropped: 1, state: 'closed' });
    expect(server.attempts.length).toBeLessThanOrEqual(4);
    expect(env.timerCount).toBe(0);
  });

  test('in a quiet period only the exempt events are sent, at once', async () => {
    const { env, server, transport, put } = rig([429]);
    put(1);
    await env.advance(5_000);
    put(2, 'heartbeat');
    const closed = transport.shutdown(3_000);
    await env.settle();
    expect(await closed).toEqual({ delivered: 1, dropped: 1, queued: 0, state: 'closed' });
    expect(server.numbers()).toEqual([[1], [2]]);
  });
});
