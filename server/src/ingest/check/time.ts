export const DAY_MS = 86_400_000;
/** ISO 8601 date and time to the second, a fraction of 1 to 9 digits, `Z` or an offset with colon. */
const ISO =
  /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const ISO_CHARS_MAX = 40;
const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Characters of `2026-01-31T23:59:59.999Z`. */
export const ISO_CHARS = 24;
const scratch = Buffer.alloc(ISO_CHARS_MAX);

function digits(text: Uint8Array, from: number, to: number): number {
  let value = 0;
  for (let i = from; i < to; i++) {
    const digit = (text[i] ?? 0) - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

let cachedDay = -1;
let cachedDayMs = 0;

/** Start of a day, Unix ms; the events of a batch nearly always share it. */
function startOfDay(year: number, month: number, day: number): number {
  const code = (year * 100 + month) * 100 + day;
  if (code !== cachedDay) {
    cachedDay = code;
    cachedDayMs = Date.UTC(year, month - 1, day);
  }
  return cachedDayMs;
}

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

function isDate(year: number, month: number, day: number): boolean {
  if (!(month >= 1 && month <= 12 && day >= 1)) return false;
  if (month === 2 && day === 29) return isLeap(year);
  return day <= (DAYS_IN_MONTH[month - 1] ?? 0);
}

/**
 * `2026-01-31T23:59:59.999Z` from the 24 bytes at `at`, without Date.parse, which takes four times as
 * long. NaN: not that form.
 */
export function parseUsualIso(text: Uint8Array, at: number): number {
  if (
    text[at + 4] !== 0x2d ||
    text[at + 7] !== 0x2d ||
    text[at + 10] !== 0x54 ||
    text[at + 13] !== 0x3a ||
    text[at + 16] !== 0x3a ||
    text[at + 19] !== 0x2e ||
    text[at + 23] !== 0x5a
  ) {
    return Number.NaN;
  }
  const year = digits(text, at, at + 4);
  const month = digits(text, at + 5, at + 7);
  const day = digits(text, at + 8, at + 10);
  const hour = digits(text, at + 11, at + 13);
  const minute = digits(text, at + 14, at + 16);
  const second = digits(text, at + 17, at + 19);
  if (!(year >= 1_000 && isDate(year, month, day) && hour < 24 && minute < 60 && second < 60)) {
    return Number.NaN;
  }
  return (
    startOfDay(year, month, day) +
    hour * 3_600_000 +
    minute * 60_000 +
    second * 1_000 +
    digits(text, at + 20, at + 23)
  );
}

/**
 * Second 60 is the last millisecond that Unix time has for its minute, and only a UTC day ends in one.
 * server.md R11.
 */
function parseLeapSecond(text: string): number {
  const ms = Date.parse(`${text.slice(0, 17)}59.999${text.slice(19).replace(/^\.\d+/, '')}`);
  return (ms + 1) % DAY_MS === 0 ? ms : Number.NaN;
}

/** Unix ms of an ISO 8601 timestamp with zone, cut to the millisecond; NaN for anything else. */
export function parseIso(text: string): number {
  if (text.length > ISO_CHARS_MAX) return Number.NaN;
  const bytes = scratch.write(text, 'utf8');
  if (text.length === ISO_CHARS && bytes === ISO_CHARS) {
    const usual = parseUsualIso(scratch, 0);
    if (!Number.isNaN(usual)) return usual;
  }
  if (!ISO.test(text)) return Number.NaN;
  const [year, month, day] = [digits(scratch, 0, 4), digits(scratch, 5, 7), digits(scratch, 8, 10)];
  if (!isDate(year, month, day)) return Number.NaN;
  return text.startsWith(':60', 16) ? parseLeapSecond(text) : Date.parse(text);
}

/** `2026-01-31` of the day (UTC) that `ms` lies in. */
export function dayText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

const dayTexts = new Map<number, string>();

/** As dayText, from memory: the days of a batch are few. */
export function cachedDayText(ms: number): string {
  const day = Math.floor(ms / DAY_MS);
  let text = dayTexts.get(day);
  if (text === undefined) {
    if (dayTexts.size > 2_000) dayTexts.clear();
    text = dayText(ms);
    dayTexts.set(day, text);
  }
  return text;
}

/** Start of the calendar month (UTC) of `ms`, Unix ms. */
export function monthStart(ms: number): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

/** Start of the next calendar month (UTC), Unix ms. */
export function nextMonthStart(ms: number): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}
