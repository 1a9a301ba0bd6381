import { apiPath } from './actions.ts';

/** One step of route normalisation: `pattern` is replaced by `by`, in table order. */
export interface RouteStep {
  readonly pattern: string;
  readonly by: string;
}

/**
 * Steps on the path without `/api/vN` prefix and query. Tokens, invite codes and emojis go first,
 * since they may hold digits; then every snowflake becomes `{id}`. Spec: API usage; catalogue.md A6.
 * The replacements use `$1`, `$2` for groups.
 */
export const ROUTE_STEPS = [
  { pattern: '^/interactions/[^/]+/[^/]+', by: '/interactions/{id}/{token}' },
  { pattern: '^/webhooks/[^/]+/[^/]+', by: '/webhooks/{id}/{token}' },
  { pattern: '(/messages/[^/]+/reactions)/[^/]+', by: '$1/{emoji}' },
  { pattern: '^/invites/[^/]+', by: '/invites/{code}' },
  { pattern: '(^|/)templates/[^/]+', by: '$1templates/{code}' },
  { pattern: '%40(me|original)(?=/|$)', by: '@$1' },
  { pattern: '(^|/)\\d{17,20}(?=/|$)', by: '$1{id}' },
] as const satisfies readonly RouteStep[];

const COMPILED = ROUTE_STEPS.map(({ pattern, by }) => ({ regex: new RegExp(pattern, 'g'), by }));

/**
 * The route of a REST call without ids, tokens, codes and emojis:
 * `/api/v10/channels/123456789012345678/messages?limit=5` becomes `/channels/{id}/messages`.
 */
export function normalizeRoute(url: string): string {
  return COMPILED.reduce((path, { regex, by }) => path.replace(regex, by), apiPath(url));
}
