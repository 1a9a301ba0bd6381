// Kept from load time: a bot that patches the global Date must not change what is sent.
const NativeDate = Date;

let cachedMs = Number.NaN;
let cachedText = '';

/** ISO 8601 in UTC with milliseconds. Many events share a millisecond, so the last text is kept. */
export function isoTime(ms: number): string {
  if (ms !== cachedMs) {
    cachedText = new NativeDate(ms).toISOString();
    cachedMs = ms;
  }
  return cachedText;
}

/** ISO text of a Date object, null when it is not a valid one. */
export function isoOfDate(date: Date): string | null {
  const ms = NativeDate.prototype.getTime.call(date);
  return Number.isFinite(ms) ? new NativeDate(ms).toISOString() : null;
}
