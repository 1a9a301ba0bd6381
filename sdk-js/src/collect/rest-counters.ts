import { LIMITS, normalizeRoute } from '@bot-analytics/protocol';
import type { EventData } from '../api/events.ts';
import type { Env } from '../core/env.ts';
import type { HttpAttempt } from './adapter.ts';

/** Why the platform answered 429. platform.md B1. */
export type RateLimitClass = 'global' | 'bucket' | 'shared' | 'edge';

/** The REST counters of a heartbeat. */
export type RestCounts = Pick<
  EventData['heartbeat'],
  | 'restRequests'
  | 'restRateLimitedGlobal'
  | 'restRateLimitedBucket'
  | 'restRateLimitedShared'
  | 'restRateLimitedEdge'
  | 'rest400'
  | 'rest401'
  | 'rest403'
>;

/** No requests at all. */
export const NO_REST = {
  restRequests: 0,
  restRateLimitedGlobal: 0,
  restRateLimitedBucket: 0,
  restRateLimitedShared: 0,
  restRateLimitedEdge: 0,
  rest400: 0,
  rest401: 0,
  rest403: 0,
} as const satisfies RestCounts;

type MutableCounts = { -readonly [K in keyof RestCounts]-?: number };

const LIMIT_HEADERS = ['scope', 'limit', 'bucket', 'remaining', 'reset', 'reset-after'];

/** Raw paths whose route is remembered; a bot that polls the same channels meets them again. */
const CACHE_MAX = 500;

/**
 * Class of a 429: `x-ratelimit-global` or scope `global`; scope `shared` (other bots caused it);
 * neither rate-limit headers nor `via`: the network in front of the platform; else the bucket.
 */
export function classify429(header: (name: string) => string | null): RateLimitClass {
  const limit = (name: string): string | null => header(`x-ratelimit-${name}`);
  const scope = limit('scope')?.toLowerCase();
  if (scope === 'global' || limit('global') !== null) return 'global';
  if (scope === 'shared') return 'shared';
  const limited = LIMIT_HEADERS.some((name) => limit(name) !== null);
  return limited || header('via') !== null ? 'bucket' : 'edge';
}

/** Counts the HTTP attempts of the process, by status and by route. */
export class RestCounters {
  readonly #env: Env;
  #counts: MutableCounts = { ...NO_REST };
  #routes = new Map<string, { method: string; route: string; count: number }>();
  #routesTotal = 0;
  #routesSinceMs: number;
  readonly #cache = new Map<string, string>();
  #skewMs: number | null = null;

  constructor(env: Env) {
    this.#env = env;
    this.#routesSinceMs = env.monotonic();
  }

  /** Difference of the platform's clock to the local one, ms; null before the first sample. */
  get skewMs(): number | null {
    return this.#skewMs;
  }

  /** Counts one answered attempt. */
  add(attempt: HttpAttempt): void {
    const counts = this.#counts;
    counts.restRequests += 1;
    const { status } = attempt;
    if (status === 400 || status === 401 || status === 403) counts[`rest${status}`] += 1;
    else if (status === 429) this.#add429(classify429(attempt.header));
    this.#addRoute(attempt.method.toUpperCase(), attempt.path);
    this.#sampleClock(attempt.header);
  }

  /** Counts since the last call. */
  takeCounts(): RestCounts {
    const counts = this.#counts;
    this.#counts = { ...NO_REST };
    return counts;
  }

  /** Route counts since the last call, null when there were no requests. */
  takeRoutes(): Omit<EventData['api_routes_snapshot'], 'instanceId' | 'shardId'> | null {
    const routes = [...this.#routes.values()].toSorted((a, b) => b.count - a.count);
    const total = this.#routesTotal;
    const windowMs = Math.round(this.#env.monotonic() - this.#routesSinceMs);
    this.#routes = new Map();
    this.#routesTotal = 0;
    this.#routesSinceMs = this.#env.monotonic();
    if (total === 0) return null;
    const top = routes.slice(0, LIMITS.apiRoutesMax);
    return { windowMs, total, distinctRoutes: routes.length, routes: top };
  }

  #add429(kind: RateLimitClass): void {
    const counts = this.#counts;
    if (kind === 'global') counts.restRateLimitedGlobal += 1;
    else if (kind === 'edge') counts.restRateLimitedEdge += 1;
    else counts.restRateLimitedBucket += 1;
    if (kind === 'shared') counts.restRateLimitedShared += 1;
  }

  #addRoute(method: string, path: string): void {
    this.#routesTotal += 1;
    const route = this.#route(path);
    const key = `${method} ${route}`;
    const known = this.#routes.get(key);
    if (known !== undefined) known.count += 1;
    else if (this.#routes.size < LIMITS.distinctRoutesMax) {
      this.#routes.set(key, { method, route, count: 1 });
    }
  }

  /** The normalised route. 2.4 us without the cache; interaction paths never come twice. */
  #route(path: string): string {
    const cached = this.#cache.get(path);
    if (cached !== undefined) return cached;
    const route = normalizeRoute(path);
    if (path.startsWith('/interactions/')) return route;
    if (this.#cache.size >= CACHE_MAX) this.#cache.clear();
    this.#cache.set(path, route);
    return route;
  }

  /** `x-ratelimit-reset` minus `x-ratelimit-reset-after` is the platform's clock. platform.md B1. */
  #sampleClock(header: (name: string) => string | null): void {
    const reset = Number(header('x-ratelimit-reset') ?? Number.NaN);
    const after = Number(header('x-ratelimit-reset-after') ?? Number.NaN);
    const skewMs = (reset - after) * 1_000 - this.#env.now();
    if (Number.isFinite(skewMs)) this.#skewMs = Math.round(skewMs);
  }
}
