import { apiPath } from './actions.ts';

/** One step of route normalisation: every match of `pattern` is replaced by `by`, in table order. */
export interface RouteStep {
  readonly pattern: string;
  readonly by: string;
}

/**
 * Steps on the path without `/api/vN` prefix and query. Tokens, codes and emojis go before ids, since
 * they may hold digits. The steps are not tied to the start of the path: behind a proxy with a path
 * prefix a token must not survive either. Spec: API usage; catalogue.md A6; decision 0012.
 * The replacements use `$1` for a group.
 */
export const ROUTE_STEPS = [
  { pattern: '/{2,}', by: '/' },
  { pattern: '(^|/)interactions/[^/]+/[^/]+', by: '$1interactions/{id}/{token}' },
  { pattern: '(^|/)webhooks/[^/]+/[^/]+', by: '$1webhooks/{id}/{token}' },
  { pattern: '(/reactions)/[^/]+', by: '$1/{emoji}' },
  { pattern: '(^|/)(invites|templates|gift-codes)/[^/]+', by: '$1$2/{code}' },
  { pattern: '(/activity-instances)/[^/]+', by: '$1/{id}' },
  { pattern: '(^|/)%40(me|original)(?=/|$)', by: '$1@$2' },
  { pattern: '(^|/)[0-9]{17,20}(?=/|$)', by: '$1{id}' },
  // No fixed word of the platform's paths is as long; what is, is a secret of a route yet unknown.
  { pattern: '(^|/)[^/]{40,}(?=/|$)', by: '$1{token}' },
] as const satisfies readonly RouteStep[];

const COMPILED = ROUTE_STEPS.map(({ pattern, by }) => ({ regex: new RegExp(pattern, 'g'), by }));

/**
 * The route of a REST call without ids, tokens, codes and emojis:
 * `/api/v10/channels/123456789012345678/messages?limit=5` becomes `/channels/{id}/messages`.
 */
export function normalizeRoute(url: string): string {
  return COMPILED.reduce((path, { regex, by }) => path.replace(regex, by), apiPath(url));
}
