import type { ApiUsage } from '@bot-analytics/protocol/read-api';
import { gapsOf, middleOf } from '../../chart/gaps.ts';
import type { Bar } from '../../chart/bars.ts';
import type { ChartData, ChartSeries } from '../../chart/series.ts';
import { fullCount, plural, share, shortCount } from '../../format/numbers.ts';
import { clockTime, dayAndClock, dayShortText } from '../../format/time.ts';
import type { Figure } from '../../ui/figures.tsx';
import type { Counter } from './search.ts';

const hourMs = 3_600_000;

interface CounterSpec {
  readonly key: Counter;
  readonly label: string;
  /** What it means, for the tile. */
  readonly help: string;
}

/** Spec: Status view, "API usage". */
export const COUNTERS = [
  { key: 'restRequests', label: 'REST requests', help: 'to the platform' },
  { key: 'rateLimitedGlobal', label: 'Global 429', help: 'limit of the whole bot' },
  { key: 'rateLimitedBucket', label: 'Bucket 429', help: 'limit of one route' },
  { key: 'rest400', label: '400', help: 'malformed requests' },
  { key: 'rest401', label: '401', help: 'wrong token' },
  { key: 'rest403', label: '403', help: 'missing permission' },
] as const satisfies readonly CounterSpec[];

/** One chart over time. */
export interface UsageChart {
  readonly title: string;
  readonly summary: string;
  readonly data: ChartData;
  readonly wordsAt: (index: number) => string;
}

/** One chart by process. */
export interface ProcessChart {
  readonly title: string;
  readonly summary: string;
  readonly bars: readonly Bar[];
}

/** Distance to the platform's ban. */
export interface InvalidView {
  /** Highest window as a part of the limit, 0 to 1. */
  readonly part: number;
  readonly text: string;
  readonly tone: 'good' | 'warn' | 'bad';
}

/** One row of the top routes. */
export interface RouteRow {
  readonly method: string;
  readonly route: string;
  readonly count: string;
  readonly share: string;
  /** Of the most called route, 0 to 1. */
  readonly part: number;
  readonly trend: readonly number[];
}

export interface UsageView {
  readonly hasData: boolean;
  readonly tiles: readonly Figure[];
  readonly requests: UsageChart;
  readonly refusals: UsageChart;
  readonly invalid: InvalidView;
  readonly routes: readonly RouteRow[];
  readonly routesAsOf: string | null;
}

function tilesOf(usage: ApiUsage): readonly Figure[] {
  return COUNTERS.map(({ key, label, help }) => ({
    key,
    label,
    value: shortCount(usage[key]),
    full: fullCount(usage[key]),
    help: key === 'restRequests' ? help : `${share(usage[key], usage.restRequests)} · ${help}`,
  }));
}

function chartOf(
  usage: ApiUsage,
  series: readonly (Pick<ChartSeries, 'color' | 'dash'> & { key: Counter; label: string })[],
  title: string,
): UsageChart {
  const range = { fromMs: Date.parse(usage.from), toMs: Date.parse(usage.to) };
  const startsMs = usage.hours.map((hour) => Date.parse(hour.hour));
  const lines = series.map(({ key, ...rest }) => ({
    ...rest,
    values: usage.hours.map((hour) => hour[key]),
  }));
  const steps = startsMs.map((atMs, index) => ({ atMs, value: lines[0]?.values[index] ?? null }));
  const totals = series.map(({ key, label }) => {
    const total = fullCount(usage[key]);
    return series.length === 1 ? `${total} in all` : `${label} ${total}`;
  });
  return {
    title,
    summary: `${totals.join(', ')}.`,
    wordsAt: (index) => {
      const at = startsMs[index] ?? 0;
      const values = lines.map((line) => {
        const value = line.values[index] ?? null;
        const text = value === null ? 'not measured' : fullCount(value);
        return lines.length === 1 ? text : `${line.label} ${text}`;
      });
      return `${dayShortText(at)}, ${clockTime(at)}: ${values.join(', ')}`;
    },
    data: {
      range,
      timesMs: startsMs.map((ms) => middleOf(ms, hourMs, range)),
      series: lines,
      gaps: gapsOf(steps, hourMs),
      marks: [],
    },
  };
}

/** From half of the limit on it is worth a look; from 80 % on it is urgent. */
const warnPart = 0.5;
const badPart = 0.8;

export function invalidView({
  invalidRequests: invalid,
}: Pick<ApiUsage, 'invalidRequests'>): InvalidView {
  const part = invalid.limit === 0 ? 0 : Math.min(1, invalid.peak / invalid.limit);
  const minutes = Math.round(invalid.windowMs / 60_000);
  const limit = fullCount(invalid.limit);
  if (invalid.peak === 0) {
    const text =
      'No invalid requests (401, 403, 429) in this range. ' +
      `The platform bans a bot at ${limit} in ${minutes} min.`;
    return { part, text, tone: 'good' };
  }
  const peak = invalid.peakAt === null ? '' : ` at ${dayAndClock(Date.parse(invalid.peakAt))}`;
  const text =
    `At most ${fullCount(invalid.peak)} invalid requests (401, 403, 429) in ${minutes} min${peak}: ` +
    `${share(invalid.peak, invalid.limit)} of the platform’s ban limit of ${limit}. ` +
    `In the last ${minutes} min: ${fullCount(invalid.now)}.`;
  return { part, text, tone: part >= badPart ? 'bad' : part >= warnPart ? 'warn' : 'good' };
}

function routesOf(usage: ApiUsage): readonly RouteRow[] {
  const most = Math.max(1, ...usage.routes.map((route) => route.count));
  return usage.routes.map(({ method, route, count, trend }) => ({
    method,
    route,
    count: fullCount(count),
    share: share(count, usage.routesTotal),
    part: count / most,
    trend,
  }));
}

export function usageView(usage: ApiUsage): UsageView {
  return {
    hasData: usage.hours.some((hour) => hour.restRequests !== null),
    tiles: tilesOf(usage),
    requests: chartOf(
      usage,
      [{ key: 'restRequests', label: 'Requests', color: '--series-1' }],
      'REST requests an hour',
    ),
    refusals: chartOf(
      usage,
      [
        { key: 'rateLimitedGlobal', label: 'Global 429', color: '--series-5' },
        { key: 'rateLimitedBucket', label: 'Bucket 429', color: '--series-2', dash: [8, 4] },
        { key: 'rest400', label: '400', color: '--series-3', dash: [2, 3] },
        { key: 'rest401', label: '401', color: '--series-4', dash: [10, 3, 2, 3] },
        { key: 'rest403', label: '403', color: '--series-1', dash: [5, 3] },
      ],
      'Refused requests an hour',
    ),
    invalid: invalidView(usage),
    routes: routesOf(usage),
    routesAsOf: usage.routesAsOf === null ? null : dayAndClock(Date.parse(usage.routesAsOf)),
  };
}

/** The processes side by side, by one counter. */
export function processChart(shards: ApiUsage['shards'], by: Counter): ProcessChart {
  const label = COUNTERS.find(({ key }) => key === by)?.label ?? by;
  const bars = shards.map((shard) => ({ label: `Shard ${shard.shardId}`, value: shard[by] }));
  const total = bars.reduce((sum, { value }) => sum + value, 0);
  const most = bars.toSorted((a, b) => b.value - a.value)[0];
  const top =
    most === undefined || total === 0
      ? ''
      : ` Most: the process of ${most.label.toLowerCase()} with ${fullCount(most.value)} (${share(most.value, total)}).`;
  return {
    title: `${label} by process`,
    summary: `${fullCount(total)} in ${plural(bars.length, 'process', 'processes')}.${top}`,
    bars,
  };
}

/** Rows of the CSV by process. */
export function processCsvRows(
  shards: ApiUsage['shards'],
): readonly (readonly (string | number | null)[])[] {
  const head = ['lowest_shard', ...COUNTERS.map(({ key }) => key)];
  return [
    head,
    ...shards.map((shard) => [shard.shardId, ...COUNTERS.map(({ key }) => shard[key])]),
  ];
}

/** Rows of the CSV. */
export function usageCsvRows(usage: ApiUsage): readonly (readonly (string | number | null)[])[] {
  const head = ['hour_utc', 'hour_local', ...COUNTERS.map(({ key }) => key)];
  const rows = usage.hours.map((hour) => [
    hour.hour,
    dayAndClock(Date.parse(hour.hour)),
    ...COUNTERS.map(({ key }) => hour[key]),
  ]);
  return [head, ...rows];
}
