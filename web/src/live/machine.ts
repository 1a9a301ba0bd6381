/**
 * Life of the connection that feeds a status page, as data. `connection.ts` does what it says.
 *
 * connecting: a stream is being opened; nothing has arrived yet.
 * live: the stream delivers.
 * waiting: the stream was lost; a timer runs until the next attempt.
 * polling: streams are refused or keep failing; the status is asked for instead. When that fails too the
 * server is away, which says nothing about streams: back to `waiting`.
 * resting: the tab is hidden or the viewer pressed pause; nothing is open.
 */
export type LiveState = 'connecting' | 'live' | 'waiting' | 'polling' | 'resting';

/**
 * arrived: a whole status came. failed: the stream broke or never opened. refused: the server takes no
 * more streams. worn-out: the stream failed `attemptsBeforePolling` times in a row. due: the timer of
 * the state ran out. rest, wake: the page wants no or new data.
 */
export type LiveInput = 'arrived' | 'failed' | 'refused' | 'worn-out' | 'due' | 'rest' | 'wake';

/** What the connection does on a step. `open` closes what was open before. */
export type LiveAction = 'open' | 'back-off' | 'poll' | 'poll-later' | 'close' | 'nothing';

interface Step {
  readonly to: LiveState;
  readonly do: LiveAction;
}

export const LIVE_STEPS = {
  connecting: {
    arrived: { to: 'live', do: 'nothing' },
    failed: { to: 'waiting', do: 'back-off' },
    refused: { to: 'polling', do: 'poll' },
    'worn-out': { to: 'polling', do: 'poll' },
    due: { to: 'connecting', do: 'nothing' },
    rest: { to: 'resting', do: 'close' },
    wake: { to: 'connecting', do: 'nothing' },
  },
  live: {
    arrived: { to: 'live', do: 'nothing' },
    failed: { to: 'waiting', do: 'back-off' },
    refused: { to: 'polling', do: 'poll' },
    'worn-out': { to: 'polling', do: 'poll' },
    due: { to: 'live', do: 'nothing' },
    rest: { to: 'resting', do: 'close' },
    wake: { to: 'live', do: 'nothing' },
  },
  waiting: {
    arrived: { to: 'live', do: 'nothing' },
    failed: { to: 'waiting', do: 'nothing' },
    refused: { to: 'polling', do: 'poll' },
    'worn-out': { to: 'polling', do: 'poll' },
    due: { to: 'connecting', do: 'open' },
    rest: { to: 'resting', do: 'close' },
    wake: { to: 'connecting', do: 'open' },
  },
  polling: {
    arrived: { to: 'polling', do: 'poll-later' },
    failed: { to: 'waiting', do: 'back-off' },
    refused: { to: 'polling', do: 'poll-later' },
    'worn-out': { to: 'connecting', do: 'open' },
    due: { to: 'polling', do: 'poll' },
    rest: { to: 'resting', do: 'close' },
    wake: { to: 'connecting', do: 'open' },
  },
  resting: {
    arrived: { to: 'resting', do: 'nothing' },
    failed: { to: 'resting', do: 'nothing' },
    refused: { to: 'resting', do: 'nothing' },
    'worn-out': { to: 'resting', do: 'nothing' },
    due: { to: 'resting', do: 'nothing' },
    rest: { to: 'resting', do: 'nothing' },
    wake: { to: 'connecting', do: 'open' },
  },
} as const satisfies Record<LiveState, Record<LiveInput, Step>>;

/** Numbers of the connection. */
export const LIVE = {
  /** First wait after a loss is uniform in [0, this). */
  backoffBaseMs: 1_000,
  backoffCapMs: 30_000,
  /** Streams that fail in a row before the page polls. */
  attemptsBeforePolling: 4,
  pollEveryMs: 30_000,
  /** Polls between two attempts to get the stream back: 5 minutes. */
  pollsBeforeStream: 10,
  /** The server writes a comment every 15 s; silence for longer means a dead connection. ui.md C. */
  silenceMaxMs: 40_000,
} as const;

/** Full jitter, but never under 300 ms, so that a restarting server is not hammered by a reload. */
export function backoffMs(attempt: number, random01: number): number {
  const span = Math.min(LIVE.backoffCapMs, LIVE.backoffBaseMs * 2 ** (attempt - 1));
  return 300 + random01 * span;
}
