import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventPages, slicesOf, windowsOf } from '../../../src/analytics/events.ts';
import type { Query } from '../../../src/store/query.ts';
import { T0 } from '../status/heartbeats.ts';

const HOUR = 3_600_000;

test('hours are joined up to 50,000 events, never split, and stay within the range', () => {
  const range = { fromMs: T0 + 5, toMs: T0 + 10 * HOUR - 5 };
  const hour = (n: number, events: number) => ({
    hour: (T0 + n * HOUR) / 1_000,
    events: String(events),
  });
  expect(slicesOf([], range)).toEqual([]);
  expect(
    slicesOf([hour(0, 10), hour(3, 49_990), hour(4, 1), hour(5, 200_000), hour(9, 1)], range),
  ).toEqual([
    { fromMs: T0 + 5, toMs: T0 + 4 * HOUR },
    { fromMs: T0 + 4 * HOUR, toMs: T0 + 5 * HOUR },
    { fromMs: T0 + 5 * HOUR, toMs: T0 + 6 * HOUR },
    { fromMs: T0 + 9 * HOUR, toMs: T0 + 10 * HOUR - 5 },
  ]);
});

test('newest events are looked for in growing windows that make up the range', () => {
  const range = { fromMs: T0, toMs: T0 + 700 * HOUR };
  expect(windowsOf(range, 'oldest')).toEqual([range]);
  expect(windowsOf(range, 'newest')).toEqual([
    { fromMs: T0 + 699 * HOUR, toMs: T0 + 700 * HOUR },
    { fromMs: T0 + 675 * HOUR, toMs: T0 + 699 * HOUR },
    { fromMs: T0 + 99 * HOUR, toMs: T0 + 675 * HOUR },
    { fromMs: T0, toMs: T0 + 99 * HOUR },
  ]);
  const short = { fromMs: T0, toMs: T0 + HOUR };
  expect(windowsOf(short, 'newest')).toEqual([short]);
});

interface Stored {
  readonly tsMs: number;
  readonly id: bigint;
}

const uuidOf = (id: bigint): string =>
  id
    .toString(16)
    .padStart(32, '0')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

const oldestFirst = (a: Stored, b: Stored): number => a.tsMs - b.tsMs || (a.id < b.id ? -1 : 1);
const ORDERS = ['oldest', 'newest'] as const;
/** The events in an order, as ids. */
const idsIn = (order: (typeof ORDERS)[number], events: readonly Stored[]): string[] => {
  const sorted = events.toSorted(oldestFirst);
  return (order === 'oldest' ? sorted : sorted.toReversed()).map((e) => uuidOf(e.id));
};

/** The event queries over an array; counts the pages it was asked for. */
function storeOf(events: readonly Stored[]) {
  const store = {
    pages: 0,
    read<P, R>(query: Query<never, R>, params: P): Promise<R[]> {
      const p = params as Record<string, number | string>;
      const inRange = events.filter(
        (e) => e.tsMs >= Number(p['fromMs']) && e.tsMs < Number(p['toMs']),
      );
      if (query.name === 'event_hours') {
        const hours = new Map<number, number>();
        for (const { tsMs } of inRange) {
          const hour = Math.floor(tsMs / HOUR) * 3_600;
          hours.set(hour, (hours.get(hour) ?? 0) + 1);
        }
        const rows = [...hours].sort(([a], [b]) => a - b);
        return Promise.resolve(rows.map(([hour, n]) => ({ hour, events: String(n) }) as R));
      }
      store.pages += 1;
      const sign = query.name === 'event_page_newest' ? -1 : 1;
      const position = { tsMs: Number(p['afterMs']), id: BigInt(p['afterId'] ?? 0) };
      const isBehind = (e: Stored): boolean =>
        (e.tsMs !== position.tsMs || e.id !== position.id) && sign * oldestFirst(e, position) > 0;
      const rows = inRange
        .filter(isBehind)
        .sort((a, b) => sign * oldestFirst(a, b))
        .slice(0, Number(p['limit']))
        .map((e) => ({
          eventId: uuidOf(e.id),
          type: 'error',
          tsMs: String(e.tsMs),
          guildId: '0',
          channelId: '1',
          userId: '0',
          data: '{}',
        }));
      return Promise.resolve(rows as R[]);
    },
  };
  return store;
}

const range = { fromMs: T0, toMs: T0 + 48 * HOUR };
const stored = fc.uniqueArray(
  fc.record({
    // Few distinct times, so that pages end between events of one millisecond.
    tsMs: fc.integer({ min: 0, max: 60 }).map((n) => T0 + n * 2_000_000 - 6_000_000),
    id: fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }),
  }),
  { selector: (e) => e.id, maxLength: 60 },
);

test.each(ORDERS)(
  'every event of the range comes once, %s first, whatever the size of a page',
  async (order) => {
    await fc.assert(
      fc.asyncProperty(stored, fc.integer({ min: 1, max: 7 }), async (events, pageEvents) => {
        const seen: string[] = [];
        const filter = { botId: 'b', range, types: [], order, after: null };
        for await (const page of eventPages(storeOf(events), filter, pageEvents)) {
          expect(page.length).toBeLessThanOrEqual(pageEvents);
          seen.push(...page.map((e) => e.id));
        }
        const inRange = events.filter((e) => e.tsMs >= range.fromMs && e.tsMs < range.toMs);
        expect(seen).toEqual(idsIn(order, inRange));
      }),
      { numRuns: 60 },
    );
  },
);

test.each(ORDERS)('a cursor goes on exactly behind its event, %s first', async (order) => {
  await fc.assert(
    fc.asyncProperty(stored, async (events) => {
      const filter = { botId: 'b', range, types: [], order, after: null };
      const all: { id: string; tsMs: number }[] = [];
      for await (const page of eventPages(storeOf(events), filter)) all.push(...page);
      const middle = all[Math.floor(all.length / 2)];
      if (middle === undefined) return;
      const rest: string[] = [];
      const after = { tsMs: middle.tsMs, id: middle.id };
      for await (const page of eventPages(storeOf(events), { ...filter, after })) {
        rest.push(...page.map((e) => e.id));
      }
      expect(rest).toEqual(all.slice(Math.floor(all.length / 2) + 1).map((e) => e.id));
    }),
    { numRuns: 60 },
  );
});

test('who asks for the newest page does not look at the whole range', async () => {
  const events = Array.from({ length: 48 }, (_, i) => ({ tsMs: T0 + i * HOUR, id: BigInt(i) }));
  const store = storeOf(events);
  const looked: number[] = [];
  const watched: typeof store.read = (query, params) => {
    if (query.name === 'event_hours') looked.push(Number((params as { fromMs: number }).fromMs));
    return store.read(query, params);
  };
  const filter = { botId: 'b', range, types: [], order: 'newest', after: null } as const;
  const { value } = await eventPages({ read: watched }, filter, 1).next();
  expect(value?.map((e) => e.tsMs)).toEqual([T0 + 47 * HOUR]);
  expect(looked).toEqual([T0 + 47 * HOUR]);
});

test('who stops asking stops the work', async () => {
  const events = Array.from({ length: 100 }, (_, i) => ({ tsMs: T0 + i, id: BigInt(i) }));
  const store = storeOf(events);
  const filter = { botId: 'b', range, types: [], order: 'oldest', after: null } as const;
  for await (const page of eventPages(store, filter, 10)) {
    if (page.some((e) => e.tsMs >= T0 + 15)) break;
  }
  expect(store.pages).toBe(2);
});
