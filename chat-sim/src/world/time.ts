/** A time as the platform writes it: `2026-01-31T23:59:59.999000+00:00`. */
export function platformTime(unixMs: number): string {
  return new Date(unixMs).toISOString().replace('Z', '000+00:00');
}
