import type { EventType } from './events.ts';

/**
 * Why an event did not arrive.
 *
 * - `overflow`: over 5,000 waited; the oldest went.
 * - `bad_request`: the server refused the whole batch (400 and its relatives).
 * - `retries_exhausted`: five attempts failed.
 * - `too_large`: the event alone is over 1 MiB.
 * - `rejected`: the server stored the batch without this event.
 * - `serialization`: it could not be written as JSON.
 * - `hook`: `beforeSend` threw, or answered null or something that is no event.
 * - `disabled`: the SDK is off: no key, key refused, or redirect.
 * - `shutdown`: it came after the shutdown or did not get out in its time.
 */
export type DropReason =
  | 'overflow'
  | 'bad_request'
  | 'retries_exhausted'
  | 'too_large'
  | 'rejected'
  | 'serialization'
  | 'hook'
  | 'disabled'
  | 'shutdown';

/** One loss, as `onDrop` hears of it. */
export interface Drop {
  readonly reason: DropReason;
  readonly count: number;
  /** Type of the lost events; null when the server told only their number. */
  readonly type: EventType | null;
}

/**
 * - `active`: sends.
 * - `quiet`: the server asked for a pause (429); heartbeats and guild snapshots are still sent.
 * - `disabled`: off for the rest of the process: no key, key refused, or redirect.
 * - `closed`: shut down.
 */
export type AnalyticsState = 'active' | 'quiet' | 'disabled' | 'closed';

/** Answer of `flush()` and `shutdown()`. */
export interface FlushResult {
  /** Events that arrived during the call. */
  readonly delivered: number;
  /** Events that were lost during the call. */
  readonly dropped: number;
  /** Events that still wait, those under way included. */
  readonly queued: number;
  readonly state: AnalyticsState;
}

/** Counters since the SDK was made. */
export interface Stats {
  readonly state: AnalyticsState;
  /** Events that wait; at most 5,000. */
  readonly queued: number;
  /** Events in the batch under way; at most 500. */
  readonly inFlight: number;
  readonly delivered: number;
  readonly dropped: Readonly<Record<DropReason, number>>;
  /** Events that arrived with `data` cut or reduced to its bounds. */
  readonly truncated: number;
  /** Last failure, such as `HTTP 503` or `ECONNREFUSED`; null when there was none. */
  readonly lastError: string | null;
}
