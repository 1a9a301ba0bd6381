import type { HistoryHour, ShardHistory } from '@bot-analytics/protocol/read-api';
import { gapsOf, middleOf } from '../../chart/gaps.ts';
import type { Span } from '../../chart/gaps.ts';
import type { ChartData } from '../../chart/series.ts';
import { megabytes, milliseconds, NOT_MEASURED, percent } from '../../format/numbers.ts';
import { clockTime, dayAndClock, dayShortText, relative } from '../../format/time.ts';
import { lifecycleLines } from './lifecycle.ts';
import type { LifecycleLine } from './lifecycle.ts';

const hourMs = 3_600_000;

type MetricKey = 'wsPingMs' | 'memoryMb' | 'cpuPercent' | 'eventLoopDelayP95Ms';

interface MetricSpec {
  readonly key: MetricKey;
  readonly title: string;
  /** Name of the CSV column. */
  readonly column: string;
  readonly color: string;
  readonly format: (value: number | null) => string;
}

/** The four charts. Spec: Status view, "History". */
export const METRICS = [
  { key: 'wsPingMs', title: 'Ping', column: 'ping_ms', color: '--series-1', format: milliseconds },
  { key: 'memoryMb', title: 'Memory', column: 'memory_mb', color: '--series-3', format: megabytes },
  { key: 'cpuPercent', title: 'CPU', column: 'cpu_percent', color: '--series-2', format: percent },
  {
    key: 'eventLoopDelayP95Ms',
    title: 'Event-loop delay, 95th percentile',
    column: 'event_loop_delay_p95_ms',
    color: '--series-4',
    format: milliseconds,
  },
] as const satisfies readonly MetricSpec[];

/** One chart. */
export interface MetricView {
  readonly key: MetricKey;
  readonly title: string;
  /** "Median hour 84 ms, from 61 ms to 130 ms; 4 of 24 hours not measured." */
  readonly summary: string;
  readonly data: ChartData;
  readonly format: (value: number) => string;
  readonly wordsAt: (index: number) => string;
}

/** Everything that the history of a shard shows. */
export interface HistoryView {
  /** Said above the charts while the shard is offline. */
  readonly offlineNotice: string | null;
  readonly hasData: boolean;
  readonly metrics: readonly MetricView[];
  readonly timeline: readonly LifecycleLine[];
  readonly rows: readonly HistoryHour[];
}

function hourLabel(atMs: number): string {
  return `${dayShortText(atMs)}, ${clockTime(atMs)}–${clockTime(atMs + hourMs)}`;
}

function summaryOf(values: readonly (number | null)[], format: MetricSpec['format']): string {
  const measured = values.filter((value) => value !== null);
  if (measured.length === 0) return 'Not measured in this range.';
  const sorted = measured.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? null;
  const ends = `${format(sorted[0] ?? null)} to ${format(sorted.at(-1) ?? null)}`;
  const span = sorted.length === 1 ? format(middle) : `${format(middle)} median, ${ends}`;
  const missing = values.length - measured.length;
  return missing === 0 ? `${span}.` : `${span}; ${missing} of ${values.length} hours not measured.`;
}

interface HistoryFrame {
  readonly range: Span;
  readonly startsMs: readonly number[];
  readonly timesMs: readonly number[];
  readonly timeline: readonly LifecycleLine[];
}

function metricView(history: ShardHistory, spec: MetricSpec, frame: HistoryFrame): MetricView {
  const { range, startsMs, timesMs, timeline } = frame;
  const values = history.hours.map((hour) => hour[spec.key]);
  const steps = startsMs.map((atMs, index) => ({ atMs, value: values[index] ?? null }));
  return {
    key: spec.key,
    title: spec.title,
    summary: summaryOf(values, spec.format),
    format: spec.format,
    wordsAt: (index) => {
      const value = values[index] ?? null;
      const label = hourLabel(startsMs[index] ?? 0);
      return `${label}: ${value === null ? 'not measured' : spec.format(value)}`;
    },
    data: {
      range,
      timesMs,
      series: [{ label: spec.title, color: spec.color, values }],
      gaps: gapsOf(steps, hourMs),
      marks: timeline.map(({ atMs, tone }) => ({ atMs, tone })),
    },
  };
}

/** `nowMs`: clock of the viewer. */
export function historyView(history: ShardHistory, nowMs: number): HistoryView {
  const range = { fromMs: Date.parse(history.from), toMs: Date.parse(history.to) };
  const startsMs = history.hours.map((hour) => Date.parse(hour.hour));
  const timesMs = startsMs.map((ms) => middleOf(ms, hourMs, range));
  const timeline = lifecycleLines(history.lifecycle);
  const frame = { range, startsMs, timesMs, timeline };
  return {
    offlineNotice: offlineNotice(history, nowMs),
    hasData: history.hours.some((hour) => hour.heartbeats > 0),
    metrics: METRICS.map((spec) => metricView(history, spec, frame)),
    timeline,
    rows: history.hours,
  };
}

/** Spec: "a notice says it is not being measured, the last online time is shown". */
export function offlineNotice(
  { state, lastHeartbeatAt }: Pick<ShardHistory, 'state' | 'lastHeartbeatAt'>,
  nowMs: number,
): string | null {
  if (state === 'online') return null;
  if (state === null || lastHeartbeatAt === null) return 'This shard has sent no heartbeat yet.';
  const ms = Date.parse(lastHeartbeatAt);
  return `Not being measured. Last online ${dayAndClock(ms)}, ${relative(ms, nowMs)}. Only periods with data are charted.`;
}

/** Text of a table cell. */
export function cellText(hour: HistoryHour, spec: MetricSpec): string {
  const value = hour[spec.key];
  return value === null ? NOT_MEASURED : spec.format(value);
}

/** Rows of the CSV: ISO 8601 UTC, the viewer's time, full values. */
export function historyCsvRows(
  hours: readonly HistoryHour[],
): readonly (readonly (string | number | null)[])[] {
  const head = ['hour_utc', 'hour_local', ...METRICS.map((spec) => spec.column), 'heartbeats'];
  const rows = hours.map((hour) => [
    hour.hour,
    dayAndClock(Date.parse(hour.hour)),
    ...METRICS.map((spec) => hour[spec.key]),
    hour.heartbeats,
  ]);
  return [head, ...rows];
}
