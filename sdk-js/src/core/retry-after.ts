import { LIMITS } from '@bot-analytics/protocol';

/** How long a 429 keeps the SDK quiet. */
export interface QuietPeriod {
  /** 1 s to 24 h. */
  readonly ms: number;
  /** The header asked for more than 24 h. */
  readonly clamped: boolean;
}

const DELTA_SECONDS = /^[ \t]*(\d+)[ \t]*$/;
const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec';
/** `Sun, 06 Nov 1994 08:49:37 GMT`, the preferred form. RFC 9110 5.6.7. */
const IMF = /^[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/;
/** `Sunday, 06-Nov-94 08:49:37 GMT`, obsolete. */
const RFC850 = /^[A-Z][a-z]+, (\d{2})-([A-Z][a-z]{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2}) GMT$/;
/** `Sun Nov  6 08:49:37 1994`, obsolete. */
const ASCTIME = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) ([ \d]\d) (\d{2}):(\d{2}):(\d{2}) (\d{4})$/;

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
  const imf = IMF.exec(text);
  if (imf !== null) {
    const [, day, month, year, ...time] = imf;
    return utcMs({ year: Number(year), month, day, time });
  }
  const rfc850 = RFC850.exec(text);
  if (rfc850 !== null) {
    const [, day, month, year, ...time] = rfc850;
    return utcMs({ year: fullYear(Number(year), nowMs), month, day, time });
  }
  const asctime = ASCTIME.exec(text);
  if (asctime === null) return null;
  const [, month, day, hour = '', minute = '', second = '', year] = asctime;
  return utcMs({ year: Number(year), month, day, time: [hour, minute, second] });
}

/** A two-digit year more than 50 years ahead lies in the century before. RFC 9110 5.6.7. */
function fullYear(twoDigits: number, nowMs: number): number {
  const thisYear = new Date(nowMs).getUTCFullYear();
  const year = Math.floor(thisYear / 100) * 100 + twoDigits;
  return year > thisYear + 50 ? year - 100 : year;
}

interface DateParts {
  readonly year: number;
  readonly month: string | undefined;
  readonly day: string | undefined;
  readonly time: readonly string[];
}

function utcMs(parts: DateParts): number | null {
  const at = MONTHS.indexOf(parts.month ?? '?');
  const [hour, minute, second] = parts.time.map(Number);
  const day = Number(parts.day);
  if (at < 0 || at % 3 !== 0 || hour === undefined || minute === undefined) return null;
  if (second === undefined || hour > 23 || minute > 59 || second > 60 || day < 1) return null;
  // 31 February would silently become 3 March.
  if (new Date(Date.UTC(parts.year, at / 3, day)).getUTCDate() !== day) return null;
  return Date.UTC(parts.year, at / 3, day, hour, minute, second);
}
