import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Env } from '../../src/env.ts';
import { LiveConnection } from '../../src/live/connection.ts';
import { backoffMs, LIVE, LIVE_STEPS } from '../../src/live/machine.ts';
import { liveWords, serverNowMs } from '../../src/live/live-words.ts';
import { EventParser } from '../../src/live/sse-parser.ts';
import { makeStatus } from '../mock/fleet.ts';

const START_MS = Date.UTC(2026, 10, 21, 12, 0, 0);
const STATUS = makeStatus({ shards: 4, perCluster: 2, offline: [1] }, START_MS);

/** An answer that the test writes by hand. */
interface OpenAnswer {
  readonly url: string;
  readonly signal: AbortSignal;
  answer(status: number, body?: unknown): void;
  write(text: string): void;
  end(): void;
  fail(): void;
}

/** Clock and network turned by hand. */
class Stage {
  nowMs = START_MS;
  readonly requests: OpenAnswer[] = [];
  readonly #timers = new Map<number, { atMs: number; fn: () => void }>();
  #next = 0;

  readonly env: Env = {
    now: () => this.nowMs,
    monotonic: () => this.nowMs,
    random: () => 0.5,
    after: (ms, fn) => {
      const id = this.#next++;
      this.#timers.set(id, { atMs: this.nowMs + ms, fn });
      return () => {
        this.#timers.delete(id);
      };
    },
    every: () => () => undefined,
    fetch: (input, init) =>
      this.#fetch(
        typeof input === 'string' ? input : '',
        init?.signal ?? new AbortController().signal,
      ),
  };

  #fetch(url: string, signal: AbortSignal): Promise<Response> {
    return new Promise((resolve, reject) => {
      let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
      signal.addEventListener('abort', () => {
        reject(new DOMException('aborted', 'AbortError'));
        controller?.error(new DOMException('aborted', 'AbortError'));
        controller = undefined;
      });
      this.requests.push({
        url,
        signal,
        answer: (status, body) => {
          const stream = new ReadableStream<Uint8Array>({
            start: (given) => {
              controller = given;
            },
          });
          resolve(new Response(body === undefined ? stream : JSON.stringify(body), { status }));
        },
        write: (text) => controller?.enqueue(new TextEncoder().encode(text)),
        end: () => controller?.close(),
        fail: () => reject(new TypeError('network')),
      });
    });
  }

  /** Runs every timer up to `ms` from now. */
  async turn(ms: number): Promise<void> {
    const endMs = this.nowMs + ms;
    for (;;) {
      const due = [...this.#timers].filter(([, timer]) => timer.atMs <= endMs);
      const first = due.toSorted(([, a], [, b]) => a.atMs - b.atMs)[0];
      if (first === undefined) break;
      this.#timers.delete(first[0]);
      this.nowMs = first[1].atMs;
      first[1].fn();
      await settle();
    }
    this.nowMs = endMs;
  }

  last(): OpenAnswer {
    const last = this.requests.at(-1);
    if (last === undefined) throw new Error('no request was made');
    return last;
  }
}

/** Lets every promise that is ready run. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((done) => setImmediate(done));
}

function start(): { stage: Stage; live: LiveConnection } {
  const stage = new Stage();
  const live = new LiveConnection(stage.env, { streamUrl: '/stream', statusUrl: '/status' });
  live.wake();
  return { stage, live };
}

const snapshot = `event: snapshot\ndata: ${JSON.stringify(STATUS)}\n\n`;

async function opened(): Promise<{ stage: Stage; live: LiveConnection }> {
  const { stage, live } = start();
  stage.last().answer(200);
  await settle();
  stage.last().write(snapshot);
  await settle();
  return { stage, live };
}

describe('the connection that feeds a status page', () => {
  test('a stream delivers a snapshot and deltas', async () => {
    const { stage, live } = await opened();
    expect(live.view()).toMatchObject({ state: 'live', lost: false });
    const second = live.view().status?.clusters[1];
    const shard = { ...STATUS.clusters[0]!.shards[1]!, state: 'online', clusterId: '0' };
    const delta = { generatedAt: STATUS.generatedAt, online: 4, total: 4, shards: [shard] };
    stage.last().write(`event: delta\ndata: ${JSON.stringify(delta)}\n\n`);
    await settle();
    expect(live.view().status).toMatchObject({ online: 4 });
    expect(live.view().status?.clusters[1]).toBe(second);
  });

  test('a lost stream freezes what is shown, waits, and comes back', async () => {
    const { stage, live } = await opened();
    stage.last().end();
    await settle();
    expect(live.view()).toMatchObject({ state: 'waiting', lost: true });
    expect(live.view().status?.online).toBe(3);
    await stage.turn(backoffMs(1, 0.5));
    expect(live.view().state).toBe('connecting');
    stage.last().answer(200);
    await settle();
    stage.last().write(snapshot);
    await settle();
    expect(live.view()).toMatchObject({ state: 'live', lost: false });
  });

  test('silence longer than the server ever keeps counts as lost', async () => {
    const { stage, live } = await opened();
    await stage.turn(LIVE.silenceMaxMs - 1_000);
    stage.last().write(': ping\n\n');
    await settle();
    await stage.turn(LIVE.silenceMaxMs - 1);
    expect(live.view().state).toBe('live');
    await stage.turn(1);
    expect(live.view()).toMatchObject({ state: 'waiting', lost: true });
    expect(stage.requests[0]?.signal.aborted).toBe(true);
  });

  test('a server that takes no more streams is polled', async () => {
    const { stage, live } = start();
    stage.last().answer(503);
    await settle();
    expect(stage.last().url).toBe('/status');
    stage.last().answer(200, STATUS);
    await settle();
    expect(live.view()).toMatchObject({ state: 'polling', lost: false });
    await stage.turn(LIVE.pollEveryMs);
    expect(stage.requests.filter(({ url }) => url === '/status')).toHaveLength(2);
  });

  test('after repeated failures the page polls, and tries the stream again later', async () => {
    const { stage, live } = start();
    for (let attempt = 1; attempt < LIVE.attemptsBeforePolling; attempt += 1) {
      stage.last().fail();
      await settle();
      await stage.turn(LIVE.backoffCapMs + 300);
    }
    stage.last().fail();
    await settle();
    expect(live.view().state).toBe('polling');
    for (let poll = 0; poll < LIVE.pollsBeforeStream; poll += 1) {
      stage.last().answer(200, STATUS);
      await settle();
      await stage.turn(LIVE.pollEveryMs);
    }
    expect(stage.last().url).toBe('/stream');
  });

  test('a server that was away is live again within one wait, however long it was away', async () => {
    const { stage, live } = await opened();
    stage.last().end();
    await settle();
    for (let tries = 0; tries < 20; tries += 1) {
      await stage.turn(LIVE.backoffCapMs + 300);
      stage.last().fail();
      await settle();
      // After several streams in vain a poll was made, which fails as well.
      if (stage.last().url === '/status') stage.last().fail();
      await settle();
      expect(live.view()).toMatchObject({ lost: true, state: 'waiting' });
    }
    await stage.turn(LIVE.backoffCapMs + 300);
    expect(stage.last().url).toBe('/stream');
    stage.last().answer(200);
    await settle();
    stage.last().write(snapshot);
    await settle();
    expect(live.view()).toMatchObject({ lost: false, state: 'live' });
  });

  test.each([
    [401, '401'],
    [404, '404'],
  ])('an answer of %i ends the attempts', async (status) => {
    const { stage, live } = start();
    stage.last().answer(status);
    await settle();
    expect(live.view()).toMatchObject({ state: 'resting', refusal: { status }, lost: false });
    await stage.turn(600_000);
    live.wake();
    expect(stage.requests).toHaveLength(1);
  });

  test('a hidden tab closes its stream and opens another when shown', async () => {
    const { stage, live } = await opened();
    live.rest('hidden');
    await settle();
    expect(stage.requests[0]?.signal.aborted).toBe(true);
    expect(live.view()).toMatchObject({ state: 'resting', lost: false, resting: 'hidden' });
    await stage.turn(600_000);
    expect(stage.requests).toHaveLength(1);
    live.wake();
    expect(stage.requests).toHaveLength(2);
  });
});

test('nothing is drawn grey when the connection is lost: no step touches the status', () => {
  expect(Object.keys(LIVE_STEPS)).toHaveLength(5);
  expect(LIVE_STEPS.live.failed).toEqual({ to: 'waiting', do: 'back-off' });
});

test.each([
  [1, 0, 300],
  [1, 1, 1_300],
  [3, 1, 4_300],
  [12, 1, 30_300],
])('back-off before attempt %i at die %d', (attempt, die, expected) => {
  expect(backoffMs(attempt, die)).toBe(expected);
});

test('events are the same however the text is cut', () => {
  const text = ': ping\r\n\r\nevent: a\ndata: 1\ndata: 2\n\ndata:x\n\nevent: b\r\ndata: ü\r\n\r\n';
  const whole = new EventParser().push(text);
  expect(whole).toEqual([
    { event: 'a', data: '1\n2' },
    { event: 'message', data: 'x' },
    { event: 'b', data: 'ü' },
  ]);
  const noCarriageReturns = text.replaceAll('\r', '');
  fc.assert(
    fc.property(fc.array(fc.nat(noCarriageReturns.length), { maxLength: 12 }), (cuts) => {
      const parser = new EventParser();
      const at = [0, ...cuts.toSorted((a, b) => a - b), noCarriageReturns.length];
      const got = at
        .slice(1)
        .flatMap((end, index) => parser.push(noCarriageReturns.slice(at[index], end)));
      expect(got).toEqual(whole);
    }),
  );
});

describe('what the live bar says', () => {
  const view = {
    state: 'live',
    resting: null,
    status: STATUS,
    arrivedAtMs: START_MS,
    lost: false,
    refusal: null,
  } as const;
  test.each([
    [view, 500, 'Live, updated now', null],
    [view, 12_000, 'Live, updated 12 s ago', null],
    [{ ...view, state: 'polling' } as const, 31_000, 'Every 30 s, updated 31 s ago', null],
    [
      { ...view, status: null, arrivedAtMs: null, state: 'connecting' } as const,
      0,
      'Connecting…',
      null,
    ],
  ])('%#', (given, laterMs, text, frozen) => {
    expect(liveWords(given, START_MS + laterMs)).toMatchObject({ text, frozen });
  });

  test('a lost connection is said, with the time of what is shown', () => {
    const words = liveWords({ ...view, state: 'waiting', lost: true }, START_MS + 60_000);
    expect(words.on).toBe(false);
    expect(words.frozen).toMatch(/^Connection lost, showing \d\d:00:00\./);
  });

  test('the clock of the server stands still while nothing arrives', () => {
    expect(serverNowMs(view, START_MS + 5_000)).toBe(START_MS + 5_000);
    expect(serverNowMs({ ...view, lost: true }, START_MS + 5_000)).toBe(START_MS);
    expect(serverNowMs({ ...view, resting: 'paused' }, START_MS + 5_000)).toBe(START_MS);
  });
});
