import { LIMITS } from '@bot-analytics/protocol';
import { monthStart, nextMonthStart } from './check/time.ts';

/** Stored events of one bot in one calendar month (UTC). */
export interface Usage {
  readonly monthStartMs: number;
  readonly used: number;
}

/** Usage as of now: a new month starts at 0. */
export function usageAt(usage: Usage, nowMs: number): Usage {
  const start = monthStart(nowMs);
  return usage.monthStartMs === start ? usage : { monthStartMs: start, used: 0 };
}

/** True when no event may be stored any more. The batch that crosses the limit is taken whole. design.md 5. */
export function isUsedUp(usage: Usage, monthlyQuota: number | null): boolean {
  return monthlyQuota !== null && usage.used >= monthlyQuota;
}

/** Seconds to wait: to the reset, at most an hour, +-10 % so that bots do not come back together. */
export function quotaRetryAfterS(nowMs: number, random01: number): number {
  const toResetS = (nextMonthStart(nowMs) - nowMs) / 1_000;
  const waitS = Math.min(toResetS, LIMITS.quotaRetryAfterMaxS);
  return Math.max(1, Math.ceil(waitS * (0.9 + 0.2 * random01)));
}
