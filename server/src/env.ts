import { randomBytes } from 'node:crypto';
import { statfs } from 'node:fs/promises';

/**
 * Everything the server takes from the outside. Tests pass their own; this is the only file of the
 * package that touches the clock, randomness and timers.
 */
export interface Env {
  /** Wall clock, Unix ms. */
  nowMs(): number;
  /** Monotonic clock for durations, ms. */
  monotonicMs(): number;
  /** Uniform in [0, 1); for jitter, never for secrets. */
  random(): number;
  /** Unguessable bytes for ids and keys. */
  randomBytes(size: number): Buffer;
  /** Runs `fn` once after `ms`; returns cancel. Does not keep the process alive. */
  after(ms: number, fn: () => void): () => void;
  /** Runs `fn` every `ms`; returns cancel. Does not keep the process alive. */
  every(ms: number, fn: () => void): () => void;
  /** Bytes that an ordinary user may still write on the file system of `path`. */
  freeBytes(path: string): Promise<number>;
}

/** The real clock, dice and timers. */
export const systemEnv: Env = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  random: () => Math.random(),
  randomBytes: (size) => randomBytes(size),
  after(ms, fn) {
    const timer = setTimeout(fn, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
  every(ms, fn) {
    const timer = setInterval(fn, ms);
    timer.unref();
    return () => clearInterval(timer);
  },
  async freeBytes(path) {
    const figures = await statfs(path);
    return figures.bavail * figures.bsize;
  },
};
