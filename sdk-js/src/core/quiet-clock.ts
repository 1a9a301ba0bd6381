import type { Env } from './env.ts';
import { quietPeriod } from './retry-after.ts';

/** Longest delay that a timer takes. Node: timers, "setTimeout". */
const TIMER_MAX_MS = 2_147_483_647;

/** Measures quiet periods on the monotonic clock, so that a clock that jumps changes nothing. */
export class QuietClock {
  readonly #env: Env;
  readonly #onEnd: () => void;
  #untilMs = 0;
  #cancel: (() => void) | undefined;

  constructor(env: Env, onEnd: () => void) {
    this.#env = env;
    this.#onEnd = onEnd;
  }

  /** End of the period, monotonic ms. */
  get untilMs(): number {
    return this.#untilMs;
  }

  /**
   * A 429 came. A period under way is only ever made longer. transport.md C9.
   *
   * @returns true when more than 24 h were asked for
   */
  start(retryAfter: string | null, date: string | null): boolean {
    const { ms, clamped } = quietPeriod(retryAfter, date, this.#env.now());
    this.#untilMs = Math.max(this.#untilMs, this.#env.monotonic() + ms);
    this.#arm();
    return clamped;
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #arm(): void {
    this.stop();
    const leftMs = this.#untilMs - this.#env.monotonic();
    this.#cancel = this.#env.after(Math.min(Math.max(leftMs, 0), TIMER_MAX_MS), () => {
      this.#cancel = undefined;
      // Timers may fire up to 1 ms early on the monotonic clock.
      if (this.#untilMs - this.#env.monotonic() > 1) this.#arm();
      else this.#onEnd();
    });
  }
}
