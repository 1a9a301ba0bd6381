import { clockTimeSeconds, duration } from '../format/time.ts';
import type { LiveView } from './connection.ts';

/** What the live bar says. */
export interface LiveWords {
  /** The stream delivers. */
  readonly on: boolean;
  readonly text: string;
  /** A notice above the page: what is shown is old. `null` when it is not. */
  readonly frozen: string | null;
}

/** `nowMs`: clock of the viewer. */
export function liveWords(view: LiveView, nowMs: number): LiveWords {
  const { arrivedAtMs, lost, state } = view;
  if (arrivedAtMs === null) {
    return {
      on: false,
      text: lost ? 'No connection' : 'Connecting…',
      frozen: lost ? 'The server cannot be reached. Trying again.' : null,
    };
  }
  const ageMs = Math.max(0, nowMs - arrivedAtMs);
  const updated = ageMs < 1_000 ? 'updated now' : `updated ${duration(ageMs)} ago`;
  const at = clockTimeSeconds(arrivedAtMs);
  if (lost) {
    return {
      on: false,
      text: `Stopped at ${at}`,
      frozen: `Connection lost, showing ${at}. Shards may have changed since. Trying again.`,
    };
  }
  if (view.resting !== null) {
    const text = view.resting === 'paused' ? `Paused at ${at}` : `Resting since ${at}`;
    return { on: false, text, frozen: null };
  }
  if (state === 'polling') return { on: false, text: `Every 30 s, ${updated}`, frozen: null };
  return { on: state === 'live', text: `Live, ${updated}`, frozen: null };
}

/**
 * The server's clock as far as the page knows it. It stands still while nothing arrives, so that
 * "48 min ago" does not grow on data that may be wrong.
 */
export function serverNowMs(view: LiveView, nowMs: number): number {
  if (view.status === null || view.arrivedAtMs === null) return nowMs;
  const atArrival = Date.parse(view.status.generatedAt);
  const stands = view.lost || view.resting !== null;
  return stands ? atArrival : atArrival + Math.max(0, nowMs - view.arrivedAtMs);
}
