const DAY_MS = 86_400_000;
/** ISO 8601 date and time to the second, a fraction of 1 to 9 digits, `Z` or an offset with colon. */
const ISO =
  /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const ISO_CHARS_MAX = 40;
const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function digits(text: string, from: number, to: number): number {
  let value = 0;
  for (let i = from; i < to; i++) {
    const digit = text.charCodeAt(i) - 48;
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

/** `2026-01-31T23:59:59.999Z` without Date.parse, which takes four times as long. NaN: not that form. */
function parseUsual(text: string): number {
  if (text.length !== 24 || text.charCodeAt(23) !== 0x5a || text.charCodeAt(10) !== 0x54) {
    return Number.NaN;
  }
  if (
    text.charCodeAt(4) !== 0x2d ||
    text.charCodeAt(7) !== 0x2d ||
    text.charCodeAt(13) !== 0x3a ||
    text.charCodeAt(16) !== 0x3a ||
    text.charCodeAt(19) !== 0x2e
  ) {
    return Number.NaN;
  }
  const year = digits(text, 0, 4);
  const month = digits(text, 5, 7);
  const day = digits(text, 8, 10);
  const hour = digits(text, 11, 13);
  const minute = digits(text, 14, 16);
  const second = digits(text, 17, 19);
  if (!(year >= 1_000 && isDate(year, month, day) && hour < 24 && minute < 60 && second < 60)) {
    return Number.NaN;
  }
  return (
    startOfDay(year, month, day) +
    hour * 3_600_000 +
    minute * 60_000 +
    second * 1_000 +
    digits(text, 20, 23)
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
  const usual = parseUsual(text);
  if (!Number.isNaN(usual)) return usual;
  if (text.length > ISO_CHARS_MAX || !ISO.test(text)) return Number.NaN;
  if (!isDate(digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10))) return Number.NaN;
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
