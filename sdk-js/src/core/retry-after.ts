import { LIMITS } from '@bot-analytics/protocol';

/** How long a 429 keeps the SDK quiet. */
export interface QuietPeriod {
  /** 1 s to 24 h. */
  readonly ms: number;
  /** The header asked for more than 24 h. */
  readonly clamped: boolean;
}

const DELTA_SECONDS = /^[ \t]*(\d+)[ \t]*$/;
/**
 * The three forms of an HTTP date: `Sun, 06 Nov 1994 08:49:37 GMT`, and obsolete
 * `Sunday, 06-Nov-94 08:49:37 GMT`, `Sun Nov  6 08:49:37 1994`. RFC 9110 5.6.7.
 */
const DATE =
  /^[A-Z][a-z]+(?:, (\d\d)( [A-Z][a-z]{2} \d{4}|-[A-Z][a-z]{2}-\d\d)| [A-Z][a-z]{2} ([ \d]\d)) (\d\d:\d\d:\d\d)(?: GMT|( \d{4}))$/;

/**
 * The quiet period that a 429 asks for. Delta-seconds or one of the three HTTP dates; anything else
 * counts as absent: 300 s. Spec: Limits; transport.md C5.
 *
 * @param header value of `Retry-After`, null when absent
 * @param date value of the answer's own `Date`, by which a wrong local clock is taken out
 * @param nowMs local wall clock, used when `date` is null or unreadable
 */
export function quietPeriod(
  header: string | null,
  date: string | null,
  nowMs: number,
): QuietPeriod {
  const wantedMs = header === null ? null : delayMs(header, date, nowMs);
  if (wantedMs === null) return { ms: LIMITS.quietDefaultMs, clamped: false };
  const ms = Math.min(Math.max(wantedMs, LIMITS.quietMinMs), LIMITS.quietMaxMs);
  return { ms, clamped: wantedMs > LIMITS.quietMaxMs };
}

function delayMs(header: string, date: string | null, nowMs: number): number | null {
  const seconds = DELTA_SECONDS.exec(header)?.[1];
  if (seconds !== undefined) return Number(seconds) * 1_000;
  const untilMs = httpDateMs(header.trim(), nowMs);
  if (untilMs === null) return null;
  const serverMs = date === null ? null : httpDateMs(date.trim(), nowMs);
  return untilMs - (serverMs ?? nowMs);
}

/** Unix ms of an HTTP date in any of its three forms, null when it is none. */
export function httpDateMs(text: string, nowMs: number): number | null {
  const found = DATE.exec(text);
  if (found === null) return null;
  const [, first, , second, , yearAtEnd] = found;
  // Form and place of the year belong together.
  if ((first === undefined) !== (yearAtEnd !== undefined)) return null;
  const whole = text.replace(/-(\w+)-(\d\d)/, (_, month: string, year: string) => {
    return ` ${month} ${fullYear(Number(year), nowMs)}`;
  });
  const ms = Date.parse(first === undefined ? `${whole} GMT` : whole);
  // 31 February would silently become 3 March.
  return new Date(ms).getUTCDate() === Number(first ?? second) ? ms : null;
}

/** A two-digit year more than 50 years ahead lies in the century before. RFC 9110 5.6.7. */
function fullYear(twoDigits: number, nowMs: number): number {
  const thisYear = new Date(nowMs).getUTCFullYear();
  const year = thisYear - (thisYear % 100) + twoDigits;
  return year > thisYear + 50 ? year - 100 : year;
}
