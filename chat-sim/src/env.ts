/** Everything the platform takes from the outside. Tests pass their own clock and timers. */
export interface Env {
  /** Wall clock, Unix ms. Message and interaction ids carry it. */
  now(): number;
  /** Runs `fn` once after `ms`, never keeps the process alive; returns cancel. */
  after(ms: number, fn: () => void): () => void;
}

/** The clock and timers of this process. */
export const systemEnv: Env = {
  now: () => Date.now(),
  after: (ms, fn) => {
    const timer = setTimeout(fn, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
