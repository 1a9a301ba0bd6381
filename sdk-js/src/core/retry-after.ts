import { LIMITS } from '@bot-analytics/protocol';

/** Obsolete form of a date, `Sun Nov  6 08:49:37 1994`: day name, month, day, time, year. */
const ASCTIME = /^(\w+) (\w+) (..) (\S+) (\d+)$/;
/** `Sun, 06 Nov 1994 08:49:37 GMT`; also obsolete `Sunday, 06-Nov-94 08:49:37 GMT`, its hyphens blanks. */
const DATE = /^[A-Z][a-z]+, ([ \d]\d [A-Z][a-z]{2}) (\d+) (\d\d:\d\d:\d\d GMT)$/;

/**
 * The quiet period that a 429 asks for, ms, 1 s to 24 h. Delta-seconds or one of the three HTTP
 * dates; anything else counts as absent: 300 s. Spec: Limits; transport.md C5.
 *
 * @param header value of `Retry-After`, empty when absent
 * @param date value of the answer's own `Date`, by which a wrong local clock is taken out
 * @param nowMs local wall clock, used when `date` is empty or unreadable
 */
export function quietPeriodMs(header: string, date: string, nowMs: number): number {
  const wantedMs = /^\d+$/.test(header.trim())
    ? Number(header) * 1_000
    : httpDateMs(header, nowMs) - (httpDateMs(date, nowMs) || nowMs);
  return (
    Math.min(Math.max(wantedMs, LIMITS.quietMinMs), LIMITS.quietMaxMs) || LIMITS.quietDefaultMs
  );
}

/** Unix ms of an HTTP date in any of its three forms (RFC 9110 5.6.7), NaN when it is none. */
function httpDateMs(text: string, nowMs: number): number {
  const usual = text.trim().replaceAll('-', ' ').replace(ASCTIME, '$1, $3 $2 $5 $4 GMT');
  const [, day = '', digits, time] = DATE.exec(usual) ?? [];
  const year = Number(digits);
  // A two-digit year more than 50 years ahead lies in the century before. RFC 9110 5.6.7.
  const ahead = new Date(nowMs).getUTCFullYear() + 50;
  const full = year < 100 ? year + 100 * Math.floor((ahead - year) / 100) : year;
  const ms = Date.parse(`${day} ${full} ${time}`);
  // 31 February would silently become 3 March.
  return new Date(ms).getUTCDate() === Number.parseInt(day, 10) ? ms : Number.NaN;
}
