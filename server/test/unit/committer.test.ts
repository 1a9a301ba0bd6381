import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BufferPool } from '../../src/buffer-pool.ts';
import { BatchBuilder, type Batch } from '../../src/ingest/check/batch.ts';
import { EventReader } from '../../src/ingest/check/events.ts';
import { Committer, type CommitResult, type GroupSizes } from '../../src/ingest/committer.ts';
import { Dedupe } from '../../src/ingest/dedupe.ts';
import { KnownIds } from '../../src/ingest/known-ids.ts';
import { Report } from '../../src/ingest/check/report.ts';
import { UsageBook } from '../../src/ingest/usage-book.ts';
import { writeRows } from '../../src/ingest/write-rows.ts';
import type { Env } from '../../src/env.ts';
import { createLog } from '../../src/log.ts';
import { StoreDownError, StoreRefusedError } from '../../src/store/errors.ts';
import type { BoundValues, Query } from '../../src/store/query.ts';
import { batch, event, testEnv, uuid } from '../harness.ts';

const BOT = '018f3a6e-7a2b-7c3d-8e4f-0123456789ab';

test('splitting finds exactly the bad rows and keeps the good ones, each once and in order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 64 }), async (bad) => {
      const stored: string[] = [];
      const rows = bad.map((isBad, i) => ({
        bytes: Buffer.from(`${isBad ? 'bad' : 'good'} ${i}\n`),
        owner: i,
      }));
      const pieces = rows.map((row) => row.bytes);
      const insert = async (_table: string, given: readonly Buffer[]): Promise<void> => {
        const lines = Buffer.concat(given).toString().trim().split('\n');
        if (lines.some((line) => line.startsWith('bad'))) throw new StoreRefusedError('bad');
        stored.push(...lines);
      };
      const refused = await writeRows(insert, 'events', { pieces, each: () => rows });
      const indexes = bad.map((_isBad, i) => i);
      expect(refused).toEqual(indexes.filter((i) => bad[i]));
      expect(stored).toEqual(indexes.filter((i) => !bad[i]).map((i) => `good ${i}`));
    }),
  );
});

/** A store in memory that answers the look-ups and can fail before or after it stored the rows. */
class FakeStore {
  readonly ids = new Set<string>();
  failNext: 'before' | 'after' | null = null;
  inserts = 0;
  reads = 0;
  /** Rows written; more than ids means that one was written twice. */
  rows = 0;
  /** Turns of the microtask queue that the next inserts take, over and over. */
  turns: readonly number[] = [1];
  /** Inserts on their way, and the most of them at one moment. */
  running = 0;
  runningMax = 0;

  insert = async (_table: string, pieces: readonly Buffer[]): Promise<void> => {
    this.inserts++;
    const fail = this.failNext;
    this.failNext = null;
    this.runningMax = Math.max(this.runningMax, ++this.running);
    const turns = this.turns[this.inserts % this.turns.length] ?? 1;
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    this.running--;
    if (fail === 'before') throw new StoreDownError('down');
    for (const [, id = ''] of Buffer.concat(pieces)
      .toString()
      .matchAll(/^\["[^"]+",(\d+),/gm)) {
      this.ids.add(id);
      this.rows++;
    }
    if (fail === 'after') throw new StoreDownError('down');
  };

  read = async <P extends BoundValues, R>({ name }: Query<P, R>, params: P): Promise<R[]> => {
    const turns = this.turns[++this.reads % this.turns.length] ?? 1;
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    const sorted = [...this.ids].toSorted((a, b) => (BigInt(a) < BigInt(b) ? 1 : -1));
    const found: Record<string, unknown[]> = {
      newest_event_id: sorted.slice(0, 1).map((id) => ({ id })),
      stored_event_ids: sorted
        .filter((id) => (params['ids'] as string[] | undefined)?.includes(id))
        .map((id) => ({ id })),
      stored_snapshot_ids: [],
      events_since: [{ events: String(this.ids.size) }],
    };
    return (found[name] ?? []) as R[];
  };
}

const pool = new BufferPool();

function committerOver(store: FakeStore, sizes?: GroupSizes, env: Env = testEnv()): Committer {
  const dedupe = new Dedupe({
    store,
    known: new KnownIds(5, 64),
    seed: 5,
    startedAtMs: 0,
    shared: false,
  });
  const usage = new UsageBook({ store, env, shared: false });
  const log = createLog('silent', env, () => undefined);
  const { insert } = store;
  const onGroup = (): void => undefined;
  return new Committer({ insert, dedupe, usage, env, log, onGroup, ...(sizes && { sizes }) });
}

function read(events: readonly unknown[]): Batch {
  const context = {
    botId: BOT,
    retentionDays: 90,
    receivedAtMs: Date.now(),
    shiftMs: 0,
    repair: false,
    ascii: true,
    bodyBytes: 1_000,
  };
  const batch = new BatchBuilder(context, events.length, pool);
  const reader = new EventReader(context, new Report(), batch);
  for (const [i, one] of events.entries()) reader.add(one, i);
  return batch.finish();
}

const submit = (committer: Committer, ids: readonly string[], quota: number | null = null) =>
  committer.submit({
    botId: BOT,
    monthlyQuota: quota,
    batch: read(ids.map((id) => event({ id }))),
  });

test('whatever fails when, every id is accepted once and stored once', async () => {
  const pool = Array.from({ length: 12 }, (_, i) => uuid(1_000 + i));
  const request = fc.record({
    ids: fc.array(fc.constantFrom(...pool), { minLength: 1, maxLength: 6 }),
    fail: fc.constantFrom('before', 'after', null, null),
    together: fc.boolean(),
  });
  const speeds = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.array(request, { maxLength: 12 }), speeds, async (requests, turns) => {
      const store = new FakeStore();
      store.turns = turns;
      const committer = committerOver(store, { rowsMax: 8, secondRowsMin: 1 });
      let accepted = 0;
      const sent = new Set<string>();
      const unsure = new Set<string>();
      const waiting: Promise<void>[] = [];
      for (const { ids, fail, together } of requests) {
        store.failNext ??= fail;
        const run = async (): Promise<void> => {
          let result: CommitResult = await submit(committer, ids);
          while (result.kind === 'down') {
            for (const id of ids) unsure.add(id);
            result = await submit(committer, ids);
          }
          if (result.kind !== 'stored') throw new Error('no quota here');
          expect(result.accepted + result.duplicates).toBe(ids.length);
          accepted += result.accepted;
          for (const id of ids) sent.add(id);
        };
        waiting.push(run());
        if (!together) await Promise.all(waiting);
      }
      await Promise.all(waiting);
      await committer.stop();
      expect(store.ids.size).toBe(sent.size);
      expect(store.rows).toBe(sent.size);
      // An insert that failed after it stored makes its ids duplicates of themselves, never accepted twice.
      expect(accepted).toBeLessThanOrEqual(sent.size);
      expect(accepted).toBeGreaterThanOrEqual(sent.size - unsure.size);
    }),
    { numRuns: 300 },
  );
});

test('whatever fails when, the quota is crossed by one request at most', async () => {
  const request = fc.record({
    size: fc.integer({ min: 1, max: 3 }),
    fail: fc.constantFrom('before', 'after', null, null),
  });
  const speeds = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.array(request, { maxLength: 10 }), speeds, async (requests, turns) => {
      const store = new FakeStore();
      store.turns = turns;
      const committer = committerOver(store, { rowsMax: 3, secondRowsMin: 1 });
      await Promise.all(
        requests.map(async ({ size, fail }) => {
          store.failNext ??= fail;
          const ids = Array.from({ length: size }, () => uuid());
          let result = await submit(committer, ids, 4);
          while (result.kind === 'down') result = await submit(committer, ids, 4);
        }),
      );
      await committer.stop();
      expect(store.ids.size).toBeLessThanOrEqual(4 - 1 + 3);
      expect(store.rows).toBe(store.ids.size);
    }),
    { numRuns: 300 },
  );
});

test('requests that wait for a group do not keep the process from hearing of its end', async () => {
  const store = new FakeStore();
  const env = testEnv();
  let groups = 0;
  const monotonicMs = (): number => {
    // A loop of microtasks would never let the insert below end.
    if (++groups > 1_000) throw new Error('a loop without end');
    return 0;
  };
  const { insert } = store;
  store.insert = async (table, pieces) => {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    await insert(table, pieces);
  };
  const committer = committerOver(store, { rowsMax: 2, secondRowsMin: 1 }, { ...env, monotonicMs });
  const requests = Array.from({ length: 4 }, () => [uuid(), uuid()]);
  const results = await Promise.all(requests.map((ids) => submit(committer, ids, 100)));
  await committer.stop();
  expect(results.map((result) => result.kind)).toEqual(Array.from(requests, () => 'stored'));
  expect(store.rows).toBe(8);
});

test('the quota holds inside one group as well', async () => {
  const store = new FakeStore();
  const committer = committerOver(store);
  const groups = Array.from({ length: 5 }, () => [uuid(), uuid(), uuid()]);
  const results = await Promise.all(groups.map((ids) => submit(committer, ids, 5)));
  await committer.stop();
  expect(results.map((result) => result.kind)).toEqual([
    'stored',
    'stored',
    'quota',
    'quota',
    'quota',
  ]);
  expect(store.ids.size).toBe(6);
});

test('the quota holds across two groups on their way', async () => {
  const store = new FakeStore();
  store.turns = [9, 3];
  const committer = committerOver(store, { rowsMax: 3, secondRowsMin: 1 });
  const groups = Array.from({ length: 5 }, () => [uuid(), uuid(), uuid()]);
  const results = await Promise.all(groups.map((ids) => submit(committer, ids, 5)));
  await committer.stop();
  const kinds = results.map((result) => result.kind).toSorted((a, b) => a.localeCompare(b));
  expect(kinds).toEqual(['quota', 'quota', 'quota', 'stored', 'stored']);
  expect(store.ids.size).toBe(6);
});

test('a second group goes out beside the first; a request with an id of it waits for its end', async () => {
  const store = new FakeStore();
  store.turns = [50];
  const committer = committerOver(store, { rowsMax: 2, secondRowsMin: 1 });
  const ids = Array.from({ length: 6 }, () => uuid());
  const [first = '', , third = ''] = ids;
  const requests = [ids.slice(0, 2), [first], ids.slice(2, 4), ids.slice(4), [third, third]];
  const results = await Promise.all(requests.map((each) => submit(committer, each)));
  await committer.stop();
  expect(store.runningMax).toBe(2);
  expect(results).toEqual([
    expect.objectContaining({ accepted: 2, duplicates: 0 }),
    expect.objectContaining({ accepted: 0, duplicates: 1 }),
    expect.objectContaining({ accepted: 2, duplicates: 0 }),
    expect.objectContaining({ accepted: 2, duplicates: 0 }),
    expect.objectContaining({ accepted: 0, duplicates: 2 }),
  ]);
  expect(store.rows).toBe(6);
});

test('requests that wait at the same moment share one insert', async () => {
  const store = new FakeStore();
  const committer = committerOver(store);
  await Promise.all(Array.from({ length: 20 }, () => submit(committer, [uuid()])));
  await committer.stop();
  expect(store.inserts).toBe(1);
  expect(batch([])).toHaveProperty('events');
});
