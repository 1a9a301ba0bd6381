import { ERROR_CODES, type ErrorCode } from './error-codes.ts';
import { BOT_ROUTES } from './read-api/bot-routes.ts';
import { EVENT_ROUTES } from './read-api/event-routes.ts';
import { OPERATOR_ROUTES } from './read-api/operator-routes.ts';
import type { Route } from './read-api/route.ts';
import { SAMPLE_ROUTES } from './read-api/sample-routes.ts';
import { SESSION_ROUTES } from './read-api/session-routes.ts';
import { SHARE_ROUTES } from './read-api/share-routes.ts';
import { STATUS_ROUTES } from './read-api/status-routes.ts';

export * from './read-api-shapes.ts';
export * from './read-api/figure-shapes.ts';
export { BotName } from './read-api/bot-routes.ts';
export { RANGE_LIMITS, type Caller, type Param, type Route } from './read-api/route.ts';
export {
  PublicInfo,
  PublicSummary,
  Share,
  SHARE_SECTIONS,
  ShareCreated,
  type ShareSection,
} from './read-api/share-routes.ts';

/**
 * Every route of the HTTP interface but the ingestion call: one table behind server, web, CLI,
 * OpenAPI and reference docs. design.md 6.
 */
export const ROUTES = {
  ...BOT_ROUTES,
  ...SAMPLE_ROUTES,
  ...STATUS_ROUTES,
  ...EVENT_ROUTES,
  ...SHARE_ROUTES,
  ...SESSION_ROUTES,
  ...OPERATOR_ROUTES,
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof ROUTES;

/** The address of a route with its path parameters filled in: `routePath('status', { bot })`. */
export function routePath(
  name: RouteName,
  params: Readonly<Record<string, string | number>> = {},
): string {
  return ROUTES[name].path.replace(/:(\w+)/g, (_, key: string) =>
    encodeURIComponent(String(params[key] ?? '')),
  );
}

/** HTTP status of an error code. */
export function statusOf(code: ErrorCode): number {
  return ERROR_CODES[code].status;
}
