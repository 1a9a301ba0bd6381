import { LIMITS, normalizeRoute } from '@bot-analytics/protocol';
import type { EventData } from '../api/events.ts';
import type { Env } from '../core/env.ts';
import { finite, tenths } from '../core/read.ts';
import type { HttpAttempt, Observer } from './adapter.ts';
import { classify429 } from './rate-limits.ts';

/** Figures of the process, as its runtime tells them. */
export interface HostProcess {
  readonly runtime: string;
  readonly runtimeVersion: string;
  /** Resident memory, bytes. */
  memoryBytes(): number;
  /** CPU time since the start, user and system, ms. */
  cpuMs(): number;
  /** Age, ms. */
  uptimeMs(): number;
  /** 95th percentile of the event-loop delay since the last call, ms; null when not measured. */
  takeLoopDelayP95Ms(): number | null;
  /** Ends the measurement. */
  stop(): void;
}

type Heartbeat = EventData['heartbeat'];

/** What a heartbeat tells of its process; `intervalMs` is the shard's and has its place among it. */
export const NO_FIGURES = {
  memoryMb: 0,
  cpuPercent: 0,
  eventLoopDelayP95Ms: null,
  intervalMs: 0,
  restRequests: 0,
  restRateLimitedGlobal: 0,
  restRateLimitedBucket: 0,
  restRateLimitedShared: 0,
  restRateLimitedEdge: 0,
  rest400: 0,
  rest401: 0,
  rest403: 0,
} as const satisfies Partial<Heartbeat>;

const BYTES_PER_MB = 2 ** 20;

type Figures = { -readonly [K in keyof typeof NO_FIGURES]: (typeof NO_FIGURES)[K] | number };

/** See `processFigures`. */
export interface ProcessFigures extends Pick<Observer, 'httpAttempt'> {
  /** Figures since the last call: attempts by status, memory, CPU. */
  readonly takeFigures: () => Readonly<Figures>;
  /** Counts by route since the last call; `total` is 0 when there were no requests. */
  readonly takeRoutes: () => Omit<EventData['api_routes_snapshot'], 'instanceId' | 'shardId'>;
  /** Difference of the platform's clock to the local one, ms; NaN before the first sample. */
  readonly skewMs: () => number;
}

/** Counts the HTTP attempts of the process, by status and by route, and reads what it uses. */
export function processFigures(env: Env, host: HostProcess): ProcessFigures {
  let counts: Figures = { ...NO_FIGURES };
  const routes = new Map<string, { method: string; route: string; count: number }>();
  let total = 0;
  let sinceMs = env.monotonic();
  let cpuMs = host.cpuMs();
  let takenMs = sinceMs;
  let skewMs = Number.NaN;
  const count = (counter: string): void => {
    if (counter in counts) counts[counter as 'restRequests'] += 1;
  };
  const httpAttempt = (attempt: HttpAttempt): void => {
    const { status, header } = attempt;
    const limited = status === 429 && classify429(header);
    count('restRequests');
    count(limited || `rest${status}`);
    if (limited === 'restRateLimitedShared') count('restRateLimitedBucket');

    total += 1;
    const method = attempt.method.toUpperCase();
    const route = normalizeRoute(attempt.path);
    const key = `${method} ${route}`;
    const known = routes.get(key);
    if (known) known.count += 1;
    else if (routes.size < LIMITS.distinctRoutesMax) routes.set(key, { method, route, count: 1 });

    // The two headers tell the platform's clock. platform.md B1.
    const seconds = (name: string): number => Number(header(`x-ratelimit-${name}`) ?? Number.NaN);
    const clockMs = (seconds('reset') - seconds('reset-after')) * 1_000;
    skewMs = finite(Math.round(clockMs - env.now())) ?? skewMs;
  };
  return {
    httpAttempt,
    takeFigures: () => {
      const usedMs = host.cpuMs() - cpuMs;
      const tookMs = env.monotonic() - takenMs;
      cpuMs += usedMs;
      takenMs += tookMs;
      const taken = {
        ...counts,
        memoryMb: tenths(host.memoryBytes() / BYTES_PER_MB),
        cpuPercent: tenths(tookMs && (usedMs / tookMs) * 100),
        eventLoopDelayP95Ms: host.takeLoopDelayP95Ms(),
      };
      counts = { ...NO_FIGURES };
      return taken;
    },
    takeRoutes: () => {
      const windowMs = Math.round(env.monotonic() - sinceMs);
      const rows = [...routes.values()].sort((a, b) => b.count - a.count);
      const top = rows.slice(0, LIMITS.apiRoutesMax);
      const taken = { windowMs, total, distinctRoutes: rows.length, routes: top };
      routes.clear();
      total = 0;
      sinceMs += windowMs;
      return taken;
    },
    skewMs: () => skewMs,
  };
}
