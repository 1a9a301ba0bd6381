/** Largest unsigned 64-bit integer. */
const MAX = '18446744073709551615';

/** True for an id of the platform: 1 to 20 decimal digits without leading zero, at most 2^64 - 1. */
export function isSnowflake(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  const length = value.length;
  if (length === 0 || length > MAX.length || value.charCodeAt(0) === 48) return false;
  for (let i = 0; i < length; i++) {
    const code = value.charCodeAt(i);
    if (code < 48 || code > 57) return false;
  }
  return length < MAX.length || value <= MAX;
}
