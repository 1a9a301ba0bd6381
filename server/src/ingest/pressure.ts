import type { ErrorCode } from '@bot-analytics/protocol';
import type { Env } from '../env.ts';
import type { Log } from '../log.ts';

/** Free space under which nothing more is written. server.md R4. */
export const FREE_BYTES_MIN = 64 * 1_048_576;
const DISK_CHECK_MS = 2_000;
const PING_MS = 500;

/** Why events cannot be taken at the moment. */
export type Obstacle = Extract<
  ErrorCode,
  'store_down' | 'disk_full' | 'shutting_down' | 'overloaded'
>;

/** Seconds to wait, jittered so that bots do not come back together. design.md 5: 1 to 60 s. */
const WAITS = {
  store_down: { fromS: 1, toS: 5 },
  overloaded: { fromS: 1, toS: 10 },
  too_many_requests: { fromS: 50, toS: 60 },
  disk_full: { fromS: 48, toS: 72 },
  // The next process takes over within seconds.
  shutting_down: { fromS: 2, toS: 2 },
} as const;

/** True for the codes that come with a Retry-After of their own. */
export function isWait(code: string): code is keyof typeof WAITS {
  return Object.hasOwn(WAITS, code);
}

/** Retry-After of an obstacle, whole seconds. */
export function retryAfterS(code: keyof typeof WAITS, random01: number): number {
  const { fromS, toS } = WAITS[code];
  return Math.round(fromS + (toS - fromS) * random01);
}

interface Deps {
  readonly env: Env;
  readonly log: Log;
  /** Folder whose file system holds the store; null: it is on another machine. */
  readonly dataDir: string | null;
  readonly ping: () => Promise<void>;
}

/** Knows whether events can be stored: the store answers, the disk has space, nobody ends the server. */
export class Pressure {
  readonly #deps: Deps;
  #storeUp = false;
  #engineUp = true;
  #diskFull = false;
  #stopping = false;
  #pinging = false;
  #cancelDisk: (() => void) | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async start(): Promise<void> {
    this.#storeUp = true;
    await this.checkDisk();
    this.#cancelDisk = this.#deps.env.every(DISK_CHECK_MS, () => void this.checkDisk());
  }

  /** From here on every request hears that the server ends. */
  beginStop(): void {
    this.#stopping = true;
    this.#cancelDisk?.();
  }

  get stopping(): boolean {
    return this.#stopping;
  }

  /** The supervisor of the embedded store says so. */
  engineChanged(up: boolean): void {
    this.#engineUp = up;
  }

  /** A write failed; the store counts as down until it answers again. */
  storeFailed(): void {
    this.#storeUp = false;
    if (!this.#pinging) void this.#pingUntilUp();
  }

  /** The most serious obstacle; null: events can be stored. */
  obstacle(): Obstacle | null {
    if (this.#stopping) return 'shutting_down';
    if (!this.#engineUp || !this.#storeUp) return 'store_down';
    return this.#diskFull ? 'disk_full' : null;
  }

  async #pingUntilUp(): Promise<void> {
    this.#pinging = true;
    while (!this.#storeUp && !this.#stopping) {
      try {
        await this.#deps.ping();
        this.#storeUp = true;
      } catch {
        await new Promise<void>((resolve) => {
          this.#deps.env.after(PING_MS, resolve);
        });
      }
    }
    this.#pinging = false;
  }

  async checkDisk(): Promise<void> {
    const { dataDir, env, log } = this.#deps;
    if (dataDir === null) return;
    try {
      const full = (await env.freeBytes(dataDir)) < FREE_BYTES_MIN;
      if (full !== this.#diskFull) {
        log.warn(full ? 'the disk is nearly full: events are refused' : 'the disk has space again');
      }
      this.#diskFull = full;
    } catch (error) {
      log.warn('free space could not be read', { error: String(error) });
    }
  }
}
