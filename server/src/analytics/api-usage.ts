import { INVALID_REQUEST_LIMIT, type ApiUsage } from '@bot-analytics/protocol/read-api';
import {
  freshUsage,
  routesTotal,
  topRoutes,
  usageHours,
  usageShards,
  type CounterRow,
  type FreshUsageRow,
  type RouteRow,
  type UsageHourRow,
  type UsageShardRow,
} from '../store/queries/api-usage.ts';
import type { Store } from '../store/store.ts';
import { hourOf, hoursOf, type TimeRange } from './range.ts';

const COUNTERS = [
  'restRequests',
  'rateLimitedGlobal',
  'rateLimitedBucket',
  'rest400',
  'rest401',
  'rest403',
] as const satisfies readonly (keyof CounterRow)[];
type Counters = Record<(typeof COUNTERS)[number], number>;

const HOUR_MS = 3_600_000;
const TREND_STEPS_MAX = 24;
const iso = (ms: number): string => new Date(ms).toISOString();

function zero(): Counters {
  return {
    restRequests: 0,
    rateLimitedGlobal: 0,
    rateLimitedBucket: 0,
    rest400: 0,
    rest401: 0,
    rest403: 0,
  };
}

const NOT_MEASURED = {
  restRequests: null,
  rateLimitedGlobal: null,
  rateLimitedBucket: null,
  rest400: null,
  rest401: null,
  rest403: null,
} as const satisfies Record<keyof Counters, null>;

function addTo<K>(sums: Map<K, Counters>, key: K, row: CounterRow): void {
  let sum = sums.get(key);
  if (sum === undefined) sums.set(key, (sum = zero()));
  for (const name of COUNTERS) sum[name] += Number(row[name]);
}

/** What the queries found. Computed hours end where the fresh rows begin. */
export interface UsageRows {
  readonly hours: readonly UsageHourRow[];
  readonly shards: readonly UsageShardRow[];
  readonly fresh: readonly FreshUsageRow[];
}

type Figures = Pick<ApiUsage, 'hours' | 'shards' | 'invalidRequests'> & Counters;

/** Invalid requests by window of ten minutes, Unix ms. */
function windowsOf({ hours, fresh }: UsageRows): Map<number, number> {
  const windows = new Map<number, number>();
  for (const { hour, invalid } of hours) {
    for (const [i, count] of invalid.entries()) {
      windows.set(hour * 1_000 + i * INVALID_REQUEST_LIMIT.windowMs, Number(count));
    }
  }
  for (const { slot, invalid } of fresh) {
    windows.set(slot * 1_000, (windows.get(slot * 1_000) ?? 0) + Number(invalid));
  }
  return windows;
}

/** Totals, every hour of the range, every process, and the distance to the platform's limit. */
export function sumUsage(range: TimeRange, rows: UsageRows, invalidNow: number): Figures {
  const byHour = new Map<number, Counters>();
  const byShard = new Map<number, Counters>();
  const total = new Map<'all', Counters>();
  for (const row of rows.hours) {
    addTo(byHour, row.hour * 1_000, row);
    addTo(total, 'all', row);
  }
  for (const row of rows.shards) addTo(byShard, row.shardId, row);
  for (const row of rows.fresh) {
    addTo(byHour, hourOf(row.slot * 1_000), row);
    addTo(byShard, row.shardId, row);
    addTo(total, 'all', row);
  }
  let peak = 0;
  let peakAtMs: number | null = null;
  for (const [atMs, count] of windowsOf(rows)) {
    if (peakAtMs !== null && count <= peak) continue;
    peak = count;
    peakAtMs = atMs;
  }
  return {
    ...(total.get('all') ?? zero()),
    hours: hoursOf(range).map((ms) => ({ hour: iso(ms), ...(byHour.get(ms) ?? NOT_MEASURED) })),
    shards: [...byShard]
      .sort(([a], [b]) => a - b)
      .map(([shardId, counters]) => ({ shardId, ...counters })),
    invalidRequests: {
      limit: INVALID_REQUEST_LIMIT.requests,
      windowMs: INVALID_REQUEST_LIMIT.windowMs,
      now: invalidNow,
      peak,
      peakAt: peakAtMs === null ? null : iso(peakAtMs),
    },
  };
}

/** A page asks for a range that ends now; its clock and the way here may differ by this. */
const NOW_TOLERANCE_MS = 300_000;

/** The last ten minutes lie across two windows of the clock, so they may hold more than either. */
export function withNow(
  invalid: ApiUsage['invalidRequests'],
  endsNow: boolean,
  nowMs: number,
): ApiUsage['invalidRequests'] {
  if (!endsNow || invalid.now <= invalid.peak) return invalid;
  return { ...invalid, peak: invalid.now, peakAt: iso(nowMs - invalid.windowMs) };
}

/** Length of a step of the trends: whole hours, at most 24 steps. */
export function trendStepMs(range: TimeRange): number {
  const hours = Math.ceil((range.toMs - hourOf(range.fromMs)) / HOUR_MS);
  return Math.ceil(hours / TREND_STEPS_MAX) * HOUR_MS;
}

/** The top routes with their trends, most called first. */
export function rankRoutes(rows: readonly RouteRow[], range: TimeRange): ApiUsage['routes'] {
  const steps = Math.ceil((range.toMs - hourOf(range.fromMs)) / trendStepMs(range));
  const routes = new Map<string, ApiUsage['routes'][number]>();
  for (const { method, route, step, calls } of rows) {
    const name = `${method} ${route}`;
    let entry = routes.get(name);
    if (entry === undefined) {
      entry = { method, route, count: 0, trend: Array.from({ length: steps }, () => 0) };
      routes.set(name, entry);
    }
    entry.count += Number(calls);
    if (step < steps) entry.trend[step] = (entry.trend[step] ?? 0) + Number(calls);
  }
  return [...routes.values()].sort(
    (a, b) => b.count - a.count || (`${a.method} ${a.route}` < `${b.method} ${b.route}` ? -1 : 1),
  );
}

export interface UsageDeps {
  readonly store: Pick<Store, 'read'>;
  readonly freshFromMs: () => number;
}

/** API usage of a bot, or of the process whose lowest shard is `shardId`. @throws StoreDownError */
export async function readUsage(
  { store, freshFromMs }: UsageDeps,
  asked: {
    readonly botId: string;
    readonly shardId: number | undefined;
    readonly range: TimeRange;
  },
  nowMs: number,
): Promise<ApiUsage> {
  const { botId, shardId = -1, range } = asked;
  const fromMs = hourOf(range.fromMs);
  const { toMs } = range;
  const freshFrom = Math.max(fromMs, freshFromMs());
  const scope = { botId, shardId };
  const whole = { ...scope, fromMs, toMs };
  const computed = { ...scope, fromMs, toMs: Math.min(toMs, freshFrom) };
  const stepMs = trendStepMs(range);
  const [hours, shards, fresh, last, routes, [total]] = await Promise.all([
    computed.fromMs < computed.toMs ? store.read(usageHours, computed) : [],
    computed.fromMs < computed.toMs ? store.read(usageShards, computed) : [],
    freshFrom < toMs ? store.read(freshUsage, { ...whole, fromMs: freshFrom, nowMs }) : [],
    store.read(freshUsage, {
      ...scope,
      fromMs: nowMs - INVALID_REQUEST_LIMIT.windowMs,
      toMs: nowMs + HOUR_MS,
      nowMs,
    }),
    store.read(topRoutes, { ...whole, stepMs }),
    store.read(routesTotal, whole),
  ]);
  const invalidNow = last.reduce((sum, row) => sum + Number(row.invalidNow), 0);
  const figures = sumUsage(range, { hours, shards, fresh }, invalidNow);
  const seen = Number(total?.snapshots ?? 0) > 0;
  return {
    from: iso(fromMs),
    to: iso(toMs),
    ...figures,
    invalidRequests: withNow(figures.invalidRequests, toMs >= nowMs - NOW_TOLERANCE_MS, nowMs),
    routesAsOf: seen ? iso(Number(total?.asOfMs ?? 0)) : null,
    routesTotal: Number(total?.total ?? 0),
    trendStepMs: stepMs,
    routes: rankRoutes(routes, range),
  };
}
