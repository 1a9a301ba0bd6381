// Kept from load time: a bot that patches Date or its methods must not change what is sent.
const NativeDate = Date;
// oxlint-disable-next-line typescript/unbound-method -- applied to a date below
const { toISOString } = Date.prototype;

let cachedMs = Number.NaN;
let cachedText = '';

/** ISO 8601 in UTC with milliseconds. Many events share a millisecond, so the last text is kept. */
export function isoTime(ms: number): string {
  if (ms !== cachedMs) {
    cachedText = Reflect.apply(toISOString, new NativeDate(ms), []);
    cachedMs = ms;
  }
  return cachedText;
}
