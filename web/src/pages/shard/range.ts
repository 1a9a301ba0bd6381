import type { RangeValues } from '../../api/queries.ts';
import type { Span } from '../../chart/gaps.ts';
import { dayAndClock } from '../../format/time.ts';
import type { RangeName, ShardSearch } from './search.ts';

const hourMs = 3_600_000;
/** Longest custom range. The server refuses more than 400 days; charts stay readable to 92. */
const rangeMsMax = 92 * 24 * hourMs;

const SPANS = {
  '24h': 24 * hourMs,
  '7d': 7 * 24 * hourMs,
  '30d': 30 * 24 * hourMs,
} as const satisfies Record<RangeName, number>;

export const RANGE_LABELS = {
  '24h': '24 h',
  '7d': '7 days',
  '30d': '30 days',
} as const satisfies Record<RangeName, string>;

/** A range of the address, understood. */
export interface ResolvedRange {
  /** `custom`: `from` and `to` of the address. */
  readonly name: RangeName | 'custom';
  /** Same key, same answer. */
  readonly key: string;
  /** Bounds at the time of the question; a named range ends now. */
  readonly values: (nowMs: number) => RangeValues;
  /** "Last 24 h". */
  readonly label: string;
}

/** The custom range of an address; `null` when there is none, or it is unreadable, empty or too long. */
export function customRange(search: Pick<ShardSearch, 'from' | 'to'>): Span | null {
  const fromMs = Date.parse(search.from ?? '');
  const toMs = Date.parse(search.to ?? '');
  if (Number.isNaN(fromMs) || Number.isNaN(toMs)) return null;
  return fromMs < toMs && toMs - fromMs <= rangeMsMax ? { fromMs, toMs } : null;
}

const iso = (ms: number): string => new Date(ms).toISOString();

export function resolveRange(search: ShardSearch): ResolvedRange {
  const custom = customRange(search);
  if (custom !== null) {
    const values = { from: iso(custom.fromMs), to: iso(custom.toMs) };
    return {
      name: 'custom',
      key: `${values.from}/${values.to}`,
      values: () => values,
      label: `${dayAndClock(custom.fromMs)} to ${dayAndClock(custom.toMs)}`,
    };
  }
  const name = search.range ?? '24h';
  return {
    name,
    key: name,
    values: (nowMs) => ({ from: iso(nowMs - SPANS[name]), to: iso(nowMs) }),
    label: `Last ${RANGE_LABELS[name]}`,
  };
}

/** `2026-11-21T01:12` in the viewer's zone, for a date-and-time input. */
export function toLocalInput(ms: number): string {
  const at = new Date(ms);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}
