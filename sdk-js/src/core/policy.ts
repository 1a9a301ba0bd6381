import { LIMITS } from '@bot-analytics/protocol';

/** How one HTTP attempt ended. */
export type Outcome =
  | {
      readonly kind: 'response';
      readonly status: number;
      /** The answer has a `Location` header. */
      readonly location: boolean;
    }
  | { readonly kind: 'network_error' }
  | { readonly kind: 'timeout' };

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

interface Rule {
  readonly holds: (status: number, location: boolean) => boolean;
  readonly decision: Decision;
}

/** First match wins. Spec: Errors; transport.md C1-C3. */
const RULES: readonly Rule[] = [
  { holds: within(200, 299), decision: { do: 'deliver', why: 'accepted' } },
  // No HTTP client hands on a final 1xx, except for a 101 that nobody asked for.
  { holds: within(0, 199), decision: { do: 'retry', why: 'network_error' } },
  { holds: oneOf(301, 302), decision: { do: 'disable', why: 'redirect' } },
  {
    holds: (status, location) => location && [303, 307, 308].includes(status),
    decision: { do: 'disable', why: 'redirect' },
  },
  { holds: within(300, 399), decision: { do: 'drop', why: 'unusable_redirect' } },
  { holds: oneOf(401), decision: { do: 'disable', why: 'bad_key' } },
  // A CDN or firewall answers 403 in passing. Spec: Errors.
  { holds: oneOf(403), decision: { do: 'retry', why: 'forbidden' } },
  { holds: oneOf(404, 405), decision: { do: 'drop', why: 'wrong_endpoint' } },
  { holds: oneOf(408, 425), decision: { do: 'retry', why: 'try_again' } },
  { holds: oneOf(413), decision: { do: 'split', why: 'too_large' } },
  { holds: oneOf(429), decision: { do: 'quiet', why: 'rate_limited' } },
  { holds: within(400, 499), decision: { do: 'drop', why: 'bad_request' } },
  { holds: within(500, Infinity), decision: { do: 'retry', why: 'server_error' } },
];

function within(from: number, to: number): (status: number) => boolean {
  return (status) => status >= from && status <= to;
}

function oneOf(...statuses: readonly number[]): (status: number) => boolean {
  return (status) => statuses.includes(status);
}

/**
 * What to do with the outcome of attempt `attempt` (from 1) of a batch of `eventCount` events.
 * Pure. Spec: Errors.
 */
export function decide(outcome: Outcome, attempt: number, eventCount: number): Decision {
  const decision = byOutcome(outcome);
  if (decision.do === 'retry' && attempt >= LIMITS.attemptsMax) {
    return { do: 'drop', why: 'retries_exhausted' };
  }
  if (decision.do === 'split' && eventCount <= 1) return { do: 'drop', why: 'too_large' };
  return decision;
}

function byOutcome(outcome: Outcome): Decision {
  if (outcome.kind !== 'response') return { do: 'retry', why: outcome.kind };
  const { status, location } = outcome;
  const rule = RULES.find(({ holds }) => holds(status, location));
  return rule?.decision ?? { do: 'drop', why: 'bad_request' };
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
