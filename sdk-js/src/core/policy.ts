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

/** First match wins: statuses from, to. Spec: Errors; transport.md C1-C3. */
const RULES: readonly (readonly [number, number, Decision['do'], Decision['why']])[] = [
  [200, 299, 'deliver', 'accepted'],
  // No HTTP client hands on a final 1xx, except for a 101 that nobody asked for.
  [0, 199, 'retry', 'network_error'],
  [301, 302, 'disable', 'redirect'],
  [300, 399, 'drop', 'unusable_redirect'],
  [401, 401, 'disable', 'bad_key'],
  // A CDN or firewall answers 403 in passing. Spec: Errors.
  [403, 403, 'retry', 'forbidden'],
  [404, 405, 'drop', 'wrong_endpoint'],
  [408, 408, 'retry', 'try_again'],
  [425, 425, 'retry', 'try_again'],
  [413, 413, 'split', 'too_large'],
  [429, 429, 'quiet', 'rate_limited'],
  [400, 499, 'drop', 'bad_request'],
  [500, Infinity, 'retry', 'server_error'],
];

/** These redirect when they say where to. transport.md C2. */
const REDIRECTS: readonly number[] = [303, 307, 308];

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
  if (location && REDIRECTS.includes(status)) return { do: 'disable', why: 'redirect' };
  const rule = RULES.find(([from, to]) => status >= from && status <= to);
  const [, , todo, why] = rule ?? [0, 0, 'drop', 'bad_request'];
  // The table pairs them as the type does.
  return { do: todo, why } as Decision;
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
