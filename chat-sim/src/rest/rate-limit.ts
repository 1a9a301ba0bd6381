import { createHash } from 'node:crypto';

export interface RateLimitSettings {
  /** Requests of one bucket in one window. */
  readonly limit: number;
  readonly windowMs: number;
}

export interface BucketState {
  readonly bucket: string;
  readonly limit: number;
  readonly remaining: number;
  /** Unix ms at which the window ends. */
  readonly resetAtMs: number;
  readonly resetAfterMs: number;
  /** The request is one too many. */
  readonly exceeded: boolean;
}

interface Window {
  used: number;
  resetAtMs: number;
}

/** Windows kept before ended ones are thrown away. */
const WINDOWS_MAX = 10_000;

/** Fixed windows per route and major parameter, as the platform's buckets look to a client. */
export class RateLimits {
  readonly #settings: RateLimitSettings;
  readonly #windows = new Map<string, Window>();

  constructor(settings: RateLimitSettings) {
    this.#settings = settings;
  }

  /** Counts one request and tells where its bucket stands after it. */
  take(route: string, major: string, nowMs: number): BucketState {
    const { limit, windowMs } = this.#settings;
    const key = `${route} ${major}`;
    let window = this.#windows.get(key);
    if (window === undefined || window.resetAtMs <= nowMs) {
      if (this.#windows.size >= WINDOWS_MAX) this.#sweep(nowMs);
      window = { used: 0, resetAtMs: nowMs + windowMs };
      this.#windows.set(key, window);
    }
    window.used += 1;
    return {
      bucket: createHash('sha256').update(route).digest('hex').slice(0, 32),
      limit,
      remaining: Math.max(0, limit - window.used),
      resetAtMs: window.resetAtMs,
      resetAfterMs: window.resetAtMs - nowMs,
      exceeded: window.used > limit,
    };
  }

  #sweep(nowMs: number): void {
    for (const [key, window] of this.#windows) {
      if (window.resetAtMs <= nowMs) this.#windows.delete(key);
    }
  }
}

/** `X-RateLimit-*` of an answer; seconds with three decimals, as on the platform. */
export function rateLimitHeaders(state: BucketState): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(state.limit),
    'X-RateLimit-Remaining': String(state.remaining),
    'X-RateLimit-Reset': (state.resetAtMs / 1000).toFixed(3),
    'X-RateLimit-Reset-After': (state.resetAfterMs / 1000).toFixed(3),
    'X-RateLimit-Bucket': state.bucket,
  };
}

/** The part of a path that splits a bucket: the first guild, channel or webhook id. */
export function majorParameter(path: string): string {
  return /^\/(?:channels|guilds|webhooks)\/(\d+)/.exec(path)?.[1] ?? '';
}
