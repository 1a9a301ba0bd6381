import type { Env } from '../core/env.ts';

/** A clock that steps back further than this is believed; less is bridged by counting on. transport.md C25. */
const ROLLBACK_MAX_MS = 10_000;
const COUNTER_MAX = 0xfff;

/**
 * Makes UUIDs of version 7 that only ever increase within the process. RFC 9562, 6.2 method 1: the
 * 12 bits behind the time count the ids of a millisecond, and the next millisecond is used when they
 * run out. The other 62 bits are random, drawn anew for each millisecond.
 */
export class UuidSource {
  readonly #env: Env;
  #lastMs = -1;
  #counter = 0;
  #head = '';
  #tail = '';

  constructor(env: Env) {
    this.#env = env;
  }

  /** A new id, lower case. */
  next(): string {
    const nowMs = this.#env.now();
    if (nowMs > this.#lastMs || nowMs < this.#lastMs - ROLLBACK_MAX_MS) this.#startMs(nowMs);
    else if (this.#counter >= COUNTER_MAX) this.#startMs(this.#lastMs + 1);
    else this.#counter += 1;
    return this.#head + hexDigits(this.#counter, 3) + this.#tail;
  }

  #startMs(ms: number): void {
    this.#lastMs = ms;
    this.#counter = 0;
    const time = hexDigits(Math.max(0, Math.floor(ms)), 12);
    this.#head = `${time.slice(0, 8)}-${time.slice(8)}-7`;
    // Of a random UUID all behind the version: the variant is the same.
    this.#tail = this.#env.randomUuid().slice(18);
  }
}

function hexDigits(value: number, count: number): string {
  return value.toString(16).padStart(count, '0');
}
