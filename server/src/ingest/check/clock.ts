import { LIMITS, type WarningCode } from '@bot-analytics/protocol';

/** How far the sender's clock is off and what that means for every `ts` of the batch. */
export interface ClockReading {
  /** `sentAt` minus time of receipt, ms; null when `sentAt` is not known. */
  readonly skewMs: number | null;
  /** Added to every `ts`. */
  readonly shiftMs: number;
  readonly warning: WarningCode | null;
}

/** From 2 minutes to 24 hours a skew is corrected, beyond it is not believed. design.md 5. */
export function readClock(sentAtMs: number, receivedAtMs: number): ClockReading {
  if (Number.isNaN(sentAtMs)) return { skewMs: null, shiftMs: 0, warning: null };
  const skewMs = sentAtMs - receivedAtMs;
  const size = Math.abs(skewMs);
  if (size < LIMITS.clockSkewMinMs) return { skewMs, shiftMs: 0, warning: null };
  if (size > LIMITS.clockSkewMaxMs) return { skewMs, shiftMs: 0, warning: 'clock_not_believed' };
  return { skewMs, shiftMs: -skewMs, warning: 'clock_skew' };
}
