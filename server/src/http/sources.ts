import { createHash } from 'node:crypto';
import type { Env } from '../env.ts';

/** Wrong keys from one source in a minute; more are answered 429. server.md T10. */
export const BAD_KEYS_PER_MINUTE = 20;
const WINDOW_MS = 60_000;
const DAY_MS = 86_400_000;
const SOURCES_MAX = 50_000;

/**
 * Counts wrong keys by source. A source is a hash of the address with a salt that lives for a day, in
 * memory only: no address is stored or logged. server.md V2.
 */
export class BadKeyCounter {
  readonly #env: Pick<Env, 'nowMs' | 'monotonicMs' | 'randomBytes'>;
  #salt: Buffer;
  #saltDay: number;
  #windows = new Map<string, { startedAtMs: number; count: number }>();

  constructor(env: Pick<Env, 'nowMs' | 'monotonicMs' | 'randomBytes'>) {
    this.#env = env;
    this.#salt = env.randomBytes(16);
    this.#saltDay = Math.floor(env.nowMs() / DAY_MS);
  }

  /** Notes a wrong key; true when the source has had too many. Valid keys of the source always pass. */
  isTooMany(address: string): boolean {
    const nowMs = this.#env.monotonicMs();
    const source = this.#sourceOf(address);
    let window = this.#windows.get(source);
    if (window === undefined || nowMs - window.startedAtMs >= WINDOW_MS) {
      if (this.#windows.size >= SOURCES_MAX) this.#windows.clear();
      window = { startedAtMs: nowMs, count: 0 };
      this.#windows.set(source, window);
    }
    window.count++;
    return window.count > BAD_KEYS_PER_MINUTE;
  }

  #sourceOf(address: string): string {
    const day = Math.floor(this.#env.nowMs() / DAY_MS);
    if (day !== this.#saltDay) {
      this.#salt = this.#env.randomBytes(16);
      this.#saltDay = day;
      this.#windows.clear();
    }
    return createHash('sha256').update(this.#salt).update(address).digest('base64');
  }
}
