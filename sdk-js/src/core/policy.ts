import { LIMITS } from '@bot-analytics/protocol';

/** How one HTTP attempt ended: with a status, or how it failed. */
export type Outcome = number | 'network_error' | 'timeout';

/** What to do after an attempt, and why. */
export type Decision =
  | readonly ['deliver', 'accepted']
  | readonly [
      'drop',
      'bad_request' | 'wrong_endpoint' | 'unusable_redirect' | 'too_large' | 'retries_exhausted',
    ]
  | readonly ['retry', 'forbidden' | 'try_again' | 'server_error' | 'network_error' | 'timeout']
  | readonly ['quiet', 'rate_limited']
  | readonly ['split', 'too_large']
  | readonly ['disable', 'bad_key' | 'redirect'];

/** By status, else by its class. Spec: Errors; transport.md C1-C3. */
const RULES: Readonly<Record<string, Decision | null>> = {
  __proto__: null,
  timeout: ['retry', 'timeout'],
  network_error: ['retry', 'network_error'],
  // No HTTP client hands on a final 1xx, except for a 101 that nobody asked for.
  '1xx': ['retry', 'network_error'],
  '2xx': ['deliver', 'accepted'],
  '3xx': ['drop', 'unusable_redirect'],
  301: ['disable', 'redirect'],
  302: ['disable', 'redirect'],
  '4xx': ['drop', 'bad_request'],
  401: ['disable', 'bad_key'],
  // A CDN or firewall answers 403 in passing. Spec: Errors.
  403: ['retry', 'forbidden'],
  404: ['drop', 'wrong_endpoint'],
  405: ['drop', 'wrong_endpoint'],
  408: ['retry', 'try_again'],
  413: ['split', 'too_large'],
  425: ['retry', 'try_again'],
  429: ['quiet', 'rate_limited'],
};

/** These redirect when they say where to. transport.md C2. */
const REDIRECTS = /^30[378]$/;

/**
 * What to do with the outcome of attempt `attempt` (from 1) of a batch of `eventCount` events.
 * Pure. Spec: Errors.
 *
 * @param location the answer has a `Location` header
 */
export function decide(
  outcome: Outcome,
  location: boolean,
  attempt: number,
  eventCount: number,
): Decision {
  const known = location && REDIRECTS.test(`${outcome}`) ? 301 : outcome;
  const decision = RULES[known] ??
    RULES[`${known}`.replace(/^(\d)\d\d$/, '$1xx')] ?? ['retry', 'server_error'];
  const [todo] = decision;
  if (todo === 'retry' && attempt >= LIMITS.attemptsMax) {
    return ['drop', 'retries_exhausted'];
  }
  if (todo === 'split' && eventCount <= 1) return ['drop', 'too_large'];
  return decision;
}

/**
 * Wait before the next attempt: full jitter, uniform in [0, min(30 s, 1 s * 2^(attempt - 1))) ms.
 * Spec: Errors.
 *
 * @param attempt the attempt that failed, from 1
 * @param random01 uniform in [0, 1)
 */
export function backoffMs(attempt: number, random01: number): number {
  return random01 * Math.min(LIMITS.backoffCapMs, LIMITS.backoffBaseMs * 2 ** (attempt - 1));
}
