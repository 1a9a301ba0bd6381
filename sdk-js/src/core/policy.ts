import { LIMITS } from '@bot-analytics/protocol';

/** How one HTTP attempt ended: with a status, or how it failed. */
export type Outcome = number | 'network_error' | 'timeout';

/** What to do after an attempt, and why. */
export type Decision =
  | { readonly do: 'deliver'; readonly why: 'accepted' }
  | {
      readonly do: 'drop';
      readonly why:
        | 'bad_request'
        | 'wrong_endpoint'
        | 'unusable_redirect'
        | 'too_large'
        | 'retries_exhausted';
    }
  | {
      readonly do: 'retry';
      readonly why: 'forbidden' | 'try_again' | 'server_error' | 'network_error' | 'timeout';
    }
  | { readonly do: 'quiet'; readonly why: 'rate_limited' }
  | { readonly do: 'split'; readonly why: 'too_large' }
  | { readonly do: 'disable'; readonly why: 'bad_key' | 'redirect' };

/** By status, else by its first digit. Spec: Errors; transport.md C1-C3. */
const RULES: Readonly<Record<Outcome, Decision | undefined>> = {
  timeout: { do: 'retry', why: 'timeout' },
  network_error: { do: 'retry', why: 'network_error' },
  // No HTTP client hands on a final 1xx, except for a 101 that nobody asked for.
  1: { do: 'retry', why: 'network_error' },
  2: { do: 'deliver', why: 'accepted' },
  3: { do: 'drop', why: 'unusable_redirect' },
  301: { do: 'disable', why: 'redirect' },
  302: { do: 'disable', why: 'redirect' },
  4: { do: 'drop', why: 'bad_request' },
  401: { do: 'disable', why: 'bad_key' },
  // A CDN or firewall answers 403 in passing. Spec: Errors.
  403: { do: 'retry', why: 'forbidden' },
  404: { do: 'drop', why: 'wrong_endpoint' },
  405: { do: 'drop', why: 'wrong_endpoint' },
  408: { do: 'retry', why: 'try_again' },
  413: { do: 'split', why: 'too_large' },
  425: { do: 'retry', why: 'try_again' },
  429: { do: 'quiet', why: 'rate_limited' },
};

/** These redirect when they say where to. transport.md C2. */
const REDIRECTS: readonly Outcome[] = [303, 307, 308];

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
  const known = location && REDIRECTS.includes(outcome) ? 301 : outcome;
  const decision = RULES[known] ??
    RULES[Math.floor(Number(known) / 100)] ?? { do: 'retry', why: 'server_error' };
  if (decision.do === 'retry' && attempt >= LIMITS.attemptsMax) {
    return { do: 'drop', why: 'retries_exhausted' };
  }
  if (decision.do === 'split' && eventCount <= 1) return { do: 'drop', why: 'too_large' };
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
