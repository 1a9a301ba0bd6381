/** Everything the page takes from the outside world. Tests pass their own. */
export interface Env {
  /** Wall clock, Unix ms. */
  now(): number;
  /** Monotonic clock, ms. */
  monotonic(): number;
  /** Uniform in [0, 1). */
  random(): number;
  fetch: typeof globalThis.fetch;
  /** Runs `fn` once after `ms`; returns cancel. */
  after(ms: number, fn: () => void): () => void;
  /** Runs `fn` every `ms`; returns cancel. */
  every(ms: number, fn: () => void): () => void;
}

/** The browser's own. Wrapped, not aliased, so that a later patch of a global is seen. */
export const env: Env = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  random: () => Math.random(),
  fetch: (input, init) => fetch(input, init),
  after: (ms, fn) => {
    const id = setTimeout(fn, ms);
    return () => {
      clearTimeout(id);
    };
  },
  every: (ms, fn) => {
    const id = setInterval(fn, ms);
    return () => {
      clearInterval(id);
    };
  },
};
