/** A half-open time range, Unix ms. */
export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Why a range was refused, in words for the caller. */
export interface RangeProblem {
  readonly problem: string;
}

export interface RangeRule {
  /** Length when `from` is not given. */
  readonly defaultMs: number;
  /** Longest range. */
  readonly maxMs: number;
  /** End when `to` is not given; default now. */
  readonly defaultToMs?: number;
  /** Earliest start; default FIRST_MS. */
  readonly earliestMs?: number;
}

const DAY_MS = 86_400_000;
/** Nothing is older: the platform's bots began in 2015. Far outside of it, dates of the store overflow. */
const FIRST_MS = Date.UTC(2015, 0, 1);
/** No range reaches further into the future. */
const AHEAD_MS = 366 * DAY_MS;

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;
const UNIX_MS = /^-?\d{1,15}$/;
const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** ISO 8601 with zone, or Unix ms, as Unix ms; undefined when it is neither or no such day exists. */
export function parseTime(text: string): number | undefined {
  if (UNIX_MS.test(text)) return Number(text);
  const match = ISO.exec(text);
  if (match === null) return undefined;
  const [, year, month, day] = match.map(Number);
  // Date would turn 31 June into 1 July.
  const leap = new Date(Date.UTC(year ?? 0, 1, 29)).getUTCMonth() === 1;
  if (month === 2 && day === 29 && !leap) return undefined;
  if ((day ?? 0) > (DAYS_IN_MONTH[(month ?? 0) - 1] ?? 0)) return undefined;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}

const days = (ms: number): string => {
  const count = Math.floor(ms / DAY_MS);
  return `${count} ${count === 1 ? 'day' : 'days'}`;
};

/** The range of a request, or why it is refused. It is refused before anything is built from it. */
export function parseRange(
  query: { readonly from?: string | undefined; readonly to?: string | undefined },
  rule: RangeRule,
  nowMs: number,
): TimeRange | RangeProblem {
  const toMs = query.to === undefined ? (rule.defaultToMs ?? nowMs) : parseTime(query.to);
  if (toMs === undefined) return { problem: '`to` is not ISO 8601 with a zone, nor Unix ms.' };
  const fromMs = query.from === undefined ? toMs - rule.defaultMs : parseTime(query.from);
  if (fromMs === undefined) return { problem: '`from` is not ISO 8601 with a zone, nor Unix ms.' };
  if (fromMs >= toMs) return { problem: '`from` is not before `to`.' };
  if (toMs - fromMs > rule.maxMs) {
    return { problem: `The range is longer than ${days(rule.maxMs)}.` };
  }
  if (fromMs < FIRST_MS || toMs > nowMs + AHEAD_MS) {
    return { problem: 'The range lies outside of 2015 to a year from now.' };
  }
  if (rule.earliestMs !== undefined && fromMs < rule.earliestMs) {
    return { problem: `The range starts more than ${days(nowMs - rule.earliestMs)} ago.` };
  }
  return { fromMs, toMs };
}

const HOUR_MS = 3_600_000;

/** Start of the hour (UTC) of a time. */
export function hourOf(ms: number): number {
  return Math.floor(ms / HOUR_MS) * HOUR_MS;
}

/** Start of every hour (UTC) that the range touches, oldest first. */
export function hoursOf(range: TimeRange): readonly number[] {
  const hours: number[] = [];
  for (let ms = hourOf(range.fromMs); ms < range.toMs; ms += HOUR_MS) hours.push(ms);
  return hours;
}
