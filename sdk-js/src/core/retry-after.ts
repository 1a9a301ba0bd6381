import { LIMITS } from '@bot-analytics/protocol';

/**
 * The quiet period that a 429 asks for, ms, 1 s to 24 h. Delta-seconds or one of the three HTTP
 * dates; anything else counts as absent: 300 s. Spec: Limits; transport.md C5.
 *
 * @param header value of `Retry-After`, empty when absent
 * @param date value of the answer's own `Date`, by which a wrong local clock is taken out
 * @param nowMs local wall clock, used when `date` is empty or unreadable
 */
export function quietPeriodMs(header: string, date: string, nowMs: number): number {
  const wantedMs = /^[ \t]*\d+[ \t]*$/.test(header)
    ? Number(header) * 1_000
    : httpDateMs(header, nowMs) - (httpDateMs(date, nowMs) || nowMs);
  return (
    Math.min(Math.max(wantedMs, LIMITS.quietMinMs), LIMITS.quietMaxMs) || LIMITS.quietDefaultMs
  );
}

/** The three forms of an HTTP date, by where day, month and year stand. */
const DATE =
  /^[A-Z][a-z]+(, \d\d( [A-Z][a-z]+ \d{4}|-[A-Z][a-z]+-\d\d) [\d:]{8} GMT| [A-Z][a-z]+ [ \d]\d [\d:]{8} \d{4})$/;

/**
 * Unix ms of an HTTP date, NaN when it is none: `Sun, 06 Nov 1994 08:49:37 GMT`, and obsolete
 * `Sunday, 06-Nov-94 08:49:37 GMT`, `Sun Nov  6 08:49:37 1994`. RFC 9110 5.6.7.
 */
function httpDateMs(text: string, nowMs: number): number {
  const trimmed = text.trim();
  if (!DATE.test(trimmed)) return Number.NaN;
  const words = trimmed.split(/, |[ -]+/);
  const isAsctime = words.length === 5;
  const [, day = '', month, digits, ...time] = isAsctime
    ? ['', words[2], words[1], words[4], words[3], 'GMT']
    : words;
  const year = Number(digits);
  // A two-digit year more than 50 years ahead lies in the century before.
  const latest = new Date(nowMs).getUTCFullYear() + 50;
  const fullYear = year > 99 ? year : latest - ((latest - year) % 100);
  const date = `${day.padStart(2, '0')} ${month} ${fullYear} ${time.join(' ')}`;
  const ms = Date.parse(date);
  // Written again it has to be the same: 31 February would silently become 3 March.
  return new Date(ms).toUTCString().endsWith(date) ? ms : Number.NaN;
}
