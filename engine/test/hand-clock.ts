import type { Env } from '../src/env.ts';

interface Timer {
  readonly dueMs: number;
  readonly run: () => void;
}

/** A clock that only moves when a test turns it. */
export class HandClock implements Env {
  #now = 0;
  #timers: Timer[] = [];

  nowMs(): number {
    return this.#now;
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = { dueMs: this.#now + delayMs, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  get pending(): number {
    return this.#timers.length;
  }

  /** Runs what is due on the way, in order, and lets promises settle behind each. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    for (;;) {
      const next = this.#timers.toSorted((a, b) => a.dueMs - b.dueMs)[0];
      if (next === undefined || next.dueMs > until) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#now = next.dueMs;
      next.run();
      await settled();
    }
    this.#now = until;
    await settled();
  }

  /** The clock jumps without running anything: this process stood still. */
  jump(ms: number): void {
    this.#now += ms;
  }
}

/** Lets every promise that can settle do so. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
