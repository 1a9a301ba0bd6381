import { z } from 'zod';
import type { ErrorCode } from '../error-codes.ts';
import { timeParam, uuid } from '../read-api-shapes.ts';

/**
 * Who may call a route. `admin`: the token in DATA_DIR; `session`: the dashboard's cookie; `read`: a
 * read key, for its own bot; `share`: the token of a share link, in the path, for the chosen sections
 * of its bot.
 */
export type Caller = 'anyone' | 'admin' | 'session' | 'read' | 'share';

/** One parameter in the path or query. */
export interface Param {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: z.ZodType;
  readonly doc: string;
}

/** One route. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Fastify form: `/v1/bots/:bot`. */
  readonly path: `/${string}`;
  readonly callers: readonly Caller[];
  readonly params: readonly Param[];
  /** JSON body, if the route takes one. */
  readonly body: z.ZodType | null;
  /** JSON answer; `text` for other media types. */
  readonly answer: z.ZodType | 'text';
  readonly status: 200 | 201 | 204;
  readonly errors: readonly ErrorCode[];
  readonly doc: string;
}

export const READERS = ['admin', 'session', 'read'] as const;
export const OWNERS = ['admin', 'session'] as const;
export const AUTH = [
  'login_required',
  'key_unknown',
  'scope_missing',
  'not_found',
  'store_unavailable',
] as const satisfies readonly ErrorCode[];
export const RANGE = [
  ...AUTH,
  'invalid_range',
  'invalid_parameter',
] as const satisfies readonly ErrorCode[];
export const none = { params: [], body: null } as const;
export const NoContent = z.null();

export const bot = {
  name: 'bot',
  in: 'path',
  required: true,
  schema: uuid,
  doc: 'Id of the bot',
} as const satisfies Param;
export const from = {
  name: 'from',
  in: 'query',
  required: false,
  schema: timeParam,
  doc: 'Start, inclusive',
} as const satisfies Param;
export const to = {
  name: 'to',
  in: 'query',
  required: false,
  schema: timeParam,
  doc: 'End, exclusive; default now',
} as const satisfies Param;
export const ShardNumber = z.int().min(0).max(65_535);
export const shard = {
  name: 'shard',
  in: 'path',
  required: true,
  schema: ShardNumber,
  doc: 'Shard',
} as const satisfies Param;
export const processShard = {
  name: 'shard',
  in: 'query',
  required: false,
  schema: ShardNumber,
  doc: 'Only the process whose lowest shard this is; default all',
} as const satisfies Param;

/** Bounds of ranges; a longer one is refused, not built. */
export const RANGE_LIMITS = {
  /** Hourly history, API usage, events, ingestion health: 400 days. */
  hourlyRangeMsMax: 400 * 86_400_000,
  /** The same through a share link, counted back from now: 31 days. server.md T3. */
  shareAgeMsMax: 31 * 86_400_000,
  /** Rows of one page of events. */
  eventsPageMax: 1_000,
  /** Lifecycle events in one shard history; the newest are kept. */
  lifecycleMax: 1_000,
} as const;
