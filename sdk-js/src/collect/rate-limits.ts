import type { HttpAttempt } from './adapter.ts';

/** Why the platform answered 429, as the counters are named. platform.md B1. */
export type RateLimitClass = `restRateLimited${'Global' | 'Bucket' | 'Shared' | 'Edge'}`;

const LIMIT_HEADERS = ['scope', 'limit', 'bucket', 'remaining', 'reset', 'reset-after'];

/**
 * Class of a 429: `x-ratelimit-global` or scope `global`; scope `shared` (other bots caused it);
 * neither rate-limit headers nor `via`: the network in front of the platform; else the bucket.
 */
export function classify429(header: HttpAttempt['header']): RateLimitClass {
  const limit = (name: string): string | null => header(`x-ratelimit-${name}`);
  const scope = limit('scope')?.toLowerCase();
  if (scope === 'global' || limit('global')) return 'restRateLimitedGlobal';
  if (scope === 'shared') return 'restRateLimitedShared';
  return LIMIT_HEADERS.some(limit) || header('via')
    ? 'restRateLimitedBucket'
    : 'restRateLimitedEdge';
}
