import { expect, test } from 'vitest';
import { EngineException } from '../src/sql/exception.ts';
import { Lane } from '../src/store/lane.ts';
import { HandClock, settled } from './hand-clock.ts';

interface Bench {
  readonly lane: Lane<string>;
  readonly clock: HandClock;
  /** `open a`, `close a`, in order. */
  readonly log: string[];
  readonly stuck: () => number;
}

function bench(slots: number, waitingMax = 2): Bench {
  const clock = new HandClock();
  const log: string[] = [];
  let stuck = 0;
  const lane = new Lane<string>({
    name: 'reader',
    slots,
    waitingMax,
    waitMaxMs: 1_000,
    stuckAfterMs: 5_000,
    onStuck: () => {
      stuck += 1;
    },
    open: async (key) => {
      if (key === 'broken') throw new Error('cannot open');
      log.push(`open ${key}`);
      return { session: key, close: () => log.push(`close ${key}`) };
    },
    env: clock,
  });
  return { lane, clock, log, stuck: () => stuck };
}

interface Job {
  readonly result: Promise<string>;
  readonly finish: () => void;
  readonly abort: () => void;
}

/** A statement that runs until it is told to finish. */
function job(lane: Lane<string>, key: string, discard = false): Job {
  const { promise, resolve } = deferred();
  const gone = new AbortController();
  const result = lane.use(key, gone.signal, async (session, drop) => {
    if (discard) drop();
    await promise;
    return session;
  });
  result.catch(() => undefined);
  return { result, finish: resolve, abort: () => gone.abort() };
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

test('one session serves one statement at a time, in the order they came', async () => {
  const { lane, log } = bench(1);
  const first = job(lane, 'a');
  const second = job(lane, 'a');
  const third = job(lane, 'b');
  await settled();
  expect([lane.busy, lane.waiting]).toEqual([1, 2]);
  second.finish();
  third.finish();
  await settled();
  expect(log).toEqual(['open a']);
  first.finish();
  expect(await second.result).toBe('a');
  expect(await third.result).toBe('b');
  expect(log).toEqual(['open a', 'close a', 'open b']);
});

test('a session with the same settings is preferred', async () => {
  const { lane, log } = bench(2);
  const [a, b] = [job(lane, 'a'), job(lane, 'b')];
  a.finish();
  b.finish();
  await Promise.all([a.result, b.result]);
  const [b2, a2] = [job(lane, 'b'), job(lane, 'a')];
  b2.finish();
  a2.finish();
  await Promise.all([b2.result, a2.result]);
  expect(log).toEqual(['open a', 'open b']);
});

test('a discarded session does not serve the next statement', async () => {
  const { lane, log } = bench(1);
  const first = job(lane, 'a', true);
  first.finish();
  await first.result;
  const second = job(lane, 'a');
  second.finish();
  await second.result;
  expect(log).toEqual(['open a', 'close a', 'open a']);
});

test('the queue is bounded in number', async () => {
  const { lane } = bench(1, 1);
  const running = job(lane, 'a');
  const waiting = job(lane, 'a');
  const refused = job(lane, 'a');
  await expect(refused.result).rejects.toMatchObject({ code: 202 });
  running.finish();
  waiting.finish();
  await waiting.result;
});

test('the queue is bounded in time', async () => {
  const { lane, clock } = bench(1);
  const running = job(lane, 'a');
  const waiting = job(lane, 'a');
  await clock.advance(1_000);
  await expect(waiting.result).rejects.toMatchObject({ code: 202 });
  expect(lane.waiting).toBe(0);
  running.finish();
  await running.result;
});

test('a client that goes away leaves the queue and is not run', async () => {
  const { lane } = bench(1);
  const running = job(lane, 'a');
  const waiting = job(lane, 'a');
  waiting.abort();
  await expect(waiting.result).rejects.toBeInstanceOf(EngineException);
  running.finish();
  await running.result;
  expect([lane.busy, lane.waiting]).toEqual([0, 0]);
});

test('a session that cannot open and a statement that fails give their place back', async () => {
  const { lane } = bench(1);
  await expect(job(lane, 'broken').result).rejects.toThrow('cannot open');
  const never = new AbortController().signal;
  const failing = lane.use('a', never, () => Promise.reject(new Error('failed')));
  await expect(failing).rejects.toThrow('failed');
  const next = job(lane, 'a');
  next.finish();
  expect(await next.result).toBe('a');
});

test('a statement beyond every limit is reported', async () => {
  const { lane, clock, stuck } = bench(1);
  const running = job(lane, 'a');
  await settled();
  await clock.advance(4_999);
  expect(stuck()).toBe(0);
  await clock.advance(1);
  expect(stuck()).toBe(1);
  running.finish();
  await running.result;
});

test('closing waits for what runs, refuses what comes, and leaves no timer', async () => {
  const { lane, clock, log } = bench(2);
  const running = job(lane, 'a');
  await settled();
  let closed = false;
  const closing = lane.close().then(() => {
    closed = true;
  });
  await expect(job(lane, 'a').result).rejects.toMatchObject({ code: 236 });
  expect(closed).toBe(false);
  running.finish();
  await closing;
  expect(log).toEqual(['open a', 'close a']);
  expect(clock.pending).toBe(0);
});
