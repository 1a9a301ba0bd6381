import type { Env } from '../core/env.ts';

/** A clock that steps back further than this is believed; less is bridged by counting on. transport.md C25. */
const ROLLBACK_MAX_MS = 10_000;
const POOL_BYTES = 4_096;
/** Random bytes of one id: the last 5 bytes and 6 bits of the byte before. */
const RANDOM_BYTES = 6;
const COUNTER_MAX = 0xffff_ffff;

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function hex(byte: number): string {
  return HEX[byte & 0xff] ?? '';
}

/**
 * Makes UUIDs of version 7 that only ever increase within the process. RFC 9562, 6.2 method 1:
 * the 32 bits behind the time are a counter that starts at a random value below 2^31 in each
 * millisecond, so that 2^31 ids fit into one millisecond; 42 bits are random.
 */
export class UuidSource {
  readonly #env: Env;
  readonly #pool = new Uint8Array(POOL_BYTES);
  #used = POOL_BYTES;
  #lastMs = -1;
  #prefix = '';
  #counter = 0;

  constructor(env: Env) {
    this.#env = env;
  }

  /** A new id, lower case. */
  next(): string {
    const nowMs = this.#env.now();
    if (nowMs > this.#lastMs || nowMs < this.#lastMs - ROLLBACK_MAX_MS) this.#startMs(nowMs);
    else if (this.#counter >= COUNTER_MAX) this.#startMs(this.#lastMs + 1);
    else this.#counter += 1;
    return this.#format();
  }

  #startMs(ms: number): void {
    this.#lastMs = ms;
    const text = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0');
    this.#prefix = `${text.slice(0, 8)}-${text.slice(8, 12)}-7`;
    const at = this.#take(4);
    const pool = this.#pool;
    this.#counter =
      (((pool[at] ?? 0) & 0x7f) * 0x100_0000 +
        ((pool[at + 1] ?? 0) << 16) +
        ((pool[at + 2] ?? 0) << 8) +
        (pool[at + 3] ?? 0)) >>>
      0;
  }

  /** 12 bits of the counter, variant `10`, 14 + 6 bits of the counter, 42 random bits. */
  #format(): string {
    const counter = this.#counter;
    const at = this.#take(RANDOM_BYTES);
    const pool = this.#pool;
    const high = counter >>> 20;
    const middle = (counter >>> 6) & 0x3fff;
    const low = ((counter & 0x3f) << 2) | ((pool[at] ?? 0) & 0x03);
    return (
      this.#prefix +
      hex(high >>> 4) +
      (high & 0xf).toString(16) +
      '-' +
      hex(0x80 | (middle >>> 8)) +
      hex(middle) +
      '-' +
      hex(low) +
      hex(pool[at + 1] ?? 0) +
      hex(pool[at + 2] ?? 0) +
      hex(pool[at + 3] ?? 0) +
      hex(pool[at + 4] ?? 0) +
      hex(pool[at + 5] ?? 0)
    );
  }

  /** Index of `count` unused random bytes in the pool. */
  #take(count: number): number {
    if (this.#used + count > POOL_BYTES) {
      this.#env.fillRandom(this.#pool);
      this.#used = 0;
    }
    const at = this.#used;
    this.#used += count;
    return at;
  }
}
