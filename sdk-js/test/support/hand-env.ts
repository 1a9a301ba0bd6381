import type { Env } from '../../src/core/env.ts';

interface Timer {
  readonly atMs: number;
  readonly order: number;
  readonly fn: () => void;
}

/** An environment whose clock is turned by hand. */
export class HandEnv implements Env {
  /** Wall clock; may be set to anything. */
  wallMs = Date.UTC(2026, 0, 15, 12);
  monotonicMs = 1_000;
  /** Answers of `random()`, one after the other; then 0.5. */
  randoms: number[] = [];
  readonly warnings: string[] = [];
  readonly debugs: string[] = [];
  /** Handles that keep the process alive now. */
  holds = 0;
  #timers = new Set<Timer>();
  #order = 0;
  #soon: (() => void)[] = [];

  get timerCount(): number {
    return this.#timers.size;
  }

  readonly now = (): number => this.wallMs;
  readonly monotonic = (): number => this.monotonicMs;
  readonly random = (): number => this.randoms.shift() ?? 0.5;
  readonly randomUuid = (): string => crypto.randomUUID();
  readonly after = (ms: number, fn: () => void): (() => void) => {
    if (!(ms >= 0 && ms <= 2_147_483_647)) throw new Error(`timer of ${ms} ms`);
    const timer = { atMs: this.monotonicMs + ms, order: (this.#order += 1), fn };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  };
  readonly deadline = (ms: number, fn: () => void): (() => void) => this.after(ms, fn);
  readonly soon = (fn: () => void): void => {
    this.#soon.push(fn);
  };
  readonly hold = (): (() => void) => {
    this.holds += 1;
    return () => {
      this.holds -= 1;
    };
  };
  readonly warn = (message: string): void => {
    this.warnings.push(message);
  };
  readonly debug = (message: string): void => {
    this.debugs.push(message);
  };

  /** Runs everything that is due without time passing: promises and `soon`. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 30; turn += 1) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      const due = this.#soon.splice(0);
      for (const fn of due) fn();
    }
  }

  /** Lets time pass; timers fire in order, each with its own moment as the time. */
  async advance(ms: number): Promise<void> {
    const endMs = this.monotonicMs + ms;
    await this.settle();
    for (let timer = this.#due(endMs); timer !== undefined; timer = this.#due(endMs)) {
      this.#timers.delete(timer);
      this.#turnTo(Math.max(timer.atMs, this.monotonicMs));
      timer.fn();
      await this.settle();
    }
    this.#turnTo(endMs);
  }

  #due(endMs: number): Timer | undefined {
    return [...this.#timers]
      .filter(({ atMs }) => atMs <= endMs)
      .toSorted((a, b) => a.atMs - b.atMs || a.order - b.order)[0];
  }

  #turnTo(atMs: number): void {
    this.wallMs += atMs - this.monotonicMs;
    this.monotonicMs = atMs;
  }
}
