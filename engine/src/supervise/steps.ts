/** What the supervisor knows of its child. */
export type Phase = 'starting' | 'up' | 'hung' | 'waiting' | 'stopping' | 'stopped';

export type Input =
  /** The child answered its first ping. */
  | 'ready'
  /** The child is gone. */
  | 'exited'
  /** The child gave no answer in its time: start, ping or stop. */
  | 'unanswered'
  /** The pause before a restart is over. */
  | 'retry'
  | 'stop';

export interface Step {
  readonly to: Phase;
  readonly act: 'nothing' | 'spawn' | 'kill' | 'ask-to-stop' | 'pause';
}

export const STEPS = {
  starting: {
    ready: { to: 'up', act: 'nothing' },
    exited: { to: 'waiting', act: 'pause' },
    unanswered: { to: 'hung', act: 'kill' },
    retry: { to: 'starting', act: 'nothing' },
    // A child that still opens its directory does not read messages.
    stop: { to: 'stopping', act: 'kill' },
  },
  up: {
    ready: { to: 'up', act: 'nothing' },
    exited: { to: 'waiting', act: 'pause' },
    unanswered: { to: 'hung', act: 'kill' },
    retry: { to: 'up', act: 'nothing' },
    stop: { to: 'stopping', act: 'ask-to-stop' },
  },
  hung: {
    ready: { to: 'hung', act: 'nothing' },
    exited: { to: 'waiting', act: 'pause' },
    unanswered: { to: 'hung', act: 'kill' },
    retry: { to: 'hung', act: 'nothing' },
    stop: { to: 'stopping', act: 'kill' },
  },
  waiting: {
    ready: { to: 'waiting', act: 'nothing' },
    exited: { to: 'waiting', act: 'nothing' },
    unanswered: { to: 'waiting', act: 'nothing' },
    retry: { to: 'starting', act: 'spawn' },
    stop: { to: 'stopped', act: 'nothing' },
  },
  stopping: {
    ready: { to: 'stopping', act: 'nothing' },
    exited: { to: 'stopped', act: 'nothing' },
    unanswered: { to: 'stopping', act: 'kill' },
    retry: { to: 'stopping', act: 'nothing' },
    stop: { to: 'stopping', act: 'nothing' },
  },
  stopped: {
    ready: { to: 'stopped', act: 'nothing' },
    exited: { to: 'stopped', act: 'nothing' },
    unanswered: { to: 'stopped', act: 'nothing' },
    retry: { to: 'stopped', act: 'nothing' },
    stop: { to: 'stopped', act: 'nothing' },
  },
} as const satisfies Record<Phase, Record<Input, Step>>;

/** Milliseconds. Back within 3 s: one ping interval, one time-out, one start of 0.2-0.4 s (measured). */
export const TIMES = {
  pingEveryMs: 400,
  pingTimeoutMs: 1_500,
  /** Opening a large directory after a crash; 1 million rows take 0.3 s. */
  startTimeoutMs: 60_000,
  /** The server has 10 s in all to end. */
  stopTimeoutMs: 5_000,
  /** A child that lasted this long starts the count of failures anew. */
  steadyAfterMs: 10_000,
} as const satisfies Record<string, number>;

/** Pauses before the first, second, ... restart in a row, ms; the last one repeats. */
const PAUSES_MS = [0, 100, 250, 500, 1_000, 2_000] as const;

/** `failures` counts from 1: exits in a row without a steady time between them. */
export function pauseMs(failures: number): number {
  const at = Math.min(Math.max(failures, 1), PAUSES_MS.length) - 1;
  return PAUSES_MS[at] ?? 0;
}
