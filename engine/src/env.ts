/** Clock and timers of both processes; tests pass their own. */
export interface Env {
  /** Monotonic, ms. */
  nowMs(): number;
  /** Runs `run` once after `delayMs`; returns cancel. */
  after(delayMs: number, run: () => void): () => void;
}

export const systemEnv: Env = {
  nowMs: () => performance.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
