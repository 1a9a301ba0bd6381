import { clockTime, dayShortText } from '../format/time.ts';

const dayMs = 86_400_000;

/** Label of a tick on the time axis: hours within days, days beyond. `splitMs` is the distance of ticks. */
export function timeTick(atMs: number, splitMs: number): string {
  if (splitMs >= dayMs) return dayShortText(atMs);
  const clock = clockTime(atMs);
  return clock === '00:00' ? dayShortText(atMs) : clock;
}

/** Upper end of a y axis that starts at 0: room above the highest value, never an empty axis. */
export function topOf(max: number | null): number {
  return max === null || max <= 0 ? 1 : max * 1.12;
}
