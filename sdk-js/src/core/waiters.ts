import type { Env } from './env.ts';

interface Waiter {
  readonly seq: number;
  readonly done: () => void;
}

/**
 * Callers of `flush()`. Each waits for the events that were enqueued before its call, by sequence
 * number, so that a bot that keeps producing cannot starve it. While any waits, one handle keeps the
 * process alive, so that `await analytics.flush()` at the end of a script works although all timers
 * and sockets are unreferenced. transport.md C10, C17.
 */
export class Waiters {
  readonly #env: Env;
  readonly #waiting = new Set<Waiter>();
  #release: (() => void) | undefined;

  constructor(env: Env) {
    this.#env = env;
  }

  /** Resolves when events up to `seq` are settled, at the latest after `timeoutMs`. */
  async wait(seq: number, timeoutMs: number): Promise<void> {
    this.#release ??= this.#env.hold();
    await new Promise<void>((resolve) => {
      const waiter: Waiter = {
        seq,
        done: () => {
          cancel();
          this.#waiting.delete(waiter);
          resolve();
        },
      };
      const cancel = this.#env.deadline(timeoutMs, waiter.done);
      this.#waiting.add(waiter);
    });
    if (this.#waiting.size === 0) {
      this.#release?.();
      this.#release = undefined;
    }
  }

  /** The oldest event that is not settled has this number. */
  settled(oldestSeq: number): void {
    for (const waiter of this.#waiting) if (waiter.seq < oldestSeq) waiter.done();
  }

  /** Nothing more will be settled now: the queue is empty, quiet, or the transport is off. */
  allSettled(): void {
    for (const waiter of this.#waiting) waiter.done();
  }
}
