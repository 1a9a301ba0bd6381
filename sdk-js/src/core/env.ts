/**
 * Everything the SDK takes from the outside, as functions that need no `this`. Tests pass a
 * hand-turned one; this file is the only one that touches clock, randomness and timers.
 */
export interface Env {
  /** Wall clock, Unix ms. */
  readonly now: () => number;
  /** Monotonic clock, ms from any origin, with fractions. */
  readonly monotonic: () => number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** A random UUID (version 4), lower case. */
  readonly randomUuid: () => string;
  /** Runs `fn` once after `ms`; never keeps the process alive. Returns cancel. */
  readonly after: (ms: number, fn: () => void) => () => void;
  /** Runs `fn` in a later turn of the event loop, after the present burst. */
  readonly soon: (fn: () => void) => void;
  /**
   * Runs `fn` once after `ms` on the runtime's own timers, which a test framework's fake timers do
   * not reach, so that a shutdown ends even where the global timers stand still. Returns cancel.
   */
  readonly deadline: (ms: number, fn: () => void) => () => void;
  /** Keeps the process alive until the returned function is called. */
  readonly hold: () => () => void;
  /** One line for the bot's owner. */
  readonly warn: (message: string) => void;
  /** One line for whoever debugs the SDK. */
  readonly debug: (message: string) => void;
}

// The longest delay a timer takes; more fires after 1 ms. Node: timers, "setTimeout".
const HOLD_MS = 2_147_483_647;

/** The real environment. Globals are looked up at each call, so that fake timers work in users' tests. */
export function realEnv(): Env {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    random: () => Math.random(),
    randomUuid: () => crypto.randomUUID(),
    after: (ms, fn) => {
      // Fake timers need not be objects of Node.
      const timer: { unref?(): unknown } = setTimeout(fn, ms);
      timer.unref?.();
      return () => clearTimeout(timer as NodeJS.Timeout);
    },
    soon: (fn) => setImmediate(fn),
    deadline: (ms, fn) => {
      // It throws for a fraction of a millisecond.
      const signal = AbortSignal.timeout(Math.ceil(ms));
      signal.onabort = fn;
      return () => {
        signal.onabort = null;
      };
    },
    hold: () => {
      const timer = setInterval(() => undefined, HOLD_MS);
      return () => clearInterval(timer);
    },
    warn: (message) => {
      // oxlint-disable-next-line no-console -- the default logger of the SDK
      console.warn(message);
    },
    debug: () => undefined,
  };
}
