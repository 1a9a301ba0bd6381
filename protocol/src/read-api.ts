import { z } from 'zod';
import { ERROR_CODES, type ErrorCode } from './error-codes.ts';
import {
  ApiUsage,
  Bot,
  BotCreated,
  count,
  EventPage,
  Health,
  iso,
  Key,
  KEY_SCOPES,
  KeyCreated,
  Session,
  ShardHistory,
  Status,
  timeParam,
  uuid,
} from './read-api-shapes.ts';

export * from './read-api-shapes.ts';

/**
 * Every route of the HTTP interface but the ingestion call: one table behind server, web, CLI,
 * OpenAPI and reference docs. design.md 6.
 */

/** Who may call a route. `admin`: the token in DATA_DIR; `session`: the dashboard's cookie; `read`: a read key, for its own bot. */
export type Caller = 'anyone' | 'admin' | 'session' | 'read';

const NoContent = z.null();

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

const bot: Param = { name: 'bot', in: 'path', required: true, schema: uuid, doc: 'Id of the bot' };
const from: Param = {
  name: 'from',
  in: 'query',
  required: false,
  schema: timeParam,
  doc: 'Start, inclusive',
};
const to: Param = {
  name: 'to',
  in: 'query',
  required: false,
  schema: timeParam,
  doc: 'End, exclusive; default now',
};
const READERS = ['admin', 'session', 'read'] as const;
const OWNERS = ['admin', 'session'] as const;
const AUTH: readonly ErrorCode[] = [
  'login_required',
  'key_unknown',
  'scope_missing',
  'not_found',
  'store_unavailable',
];
const RANGE: readonly ErrorCode[] = [...AUTH, 'invalid_range', 'invalid_parameter'];
const none = { params: [], body: null } as const;

/** Bounds of ranges; a longer one is refused, not built. */
export const RANGE_LIMITS = {
  /** Hourly history and API usage: 400 days. */
  hourlyRangeMsMax: 400 * 86_400_000,
  /** Rows of one page of events. */
  eventsPageMax: 1_000,
} as const;

export const BotName = z.string().trim().min(1).max(100);
const overlap = z
  .int()
  .min(0)
  .max(30 * 86_400);

export const ROUTES = {
  botList: {
    ...none,
    method: 'GET',
    path: '/v1/bots',
    callers: READERS,
    answer: z.object({ bots: z.array(Bot) }),
    status: 200,
    errors: AUTH,
    doc: 'Bots visible to the caller',
  },
  botCreate: {
    ...none,
    method: 'POST',
    path: '/v1/bots',
    callers: OWNERS,
    body: z.strictObject({ name: BotName }),
    answer: BotCreated,
    status: 201,
    errors: [...AUTH, 'invalid_parameter'],
    doc: 'Makes a bot with an ingest key and a read key',
  },
  botGet: {
    ...none,
    method: 'GET',
    path: '/v1/bots/:bot',
    callers: READERS,
    params: [bot],
    answer: Bot,
    status: 200,
    errors: AUTH,
    doc: 'One bot',
  },
  botSet: {
    ...none,
    method: 'PATCH',
    path: '/v1/bots/:bot',
    callers: OWNERS,
    params: [bot],
    body: z.strictObject({
      name: BotName.optional(),
      monthlyQuota: count.nullable().optional(),
      retentionDays: z.int().min(1).max(3_650).optional(),
      suspended: z.boolean().optional(),
    }),
    answer: Bot,
    status: 200,
    errors: [...AUTH, 'invalid_parameter'],
    doc: 'Changes a bot',
  },
  keyList: {
    ...none,
    method: 'GET',
    path: '/v1/bots/:bot/keys',
    callers: OWNERS,
    params: [bot],
    answer: z.object({ keys: z.array(Key) }),
    status: 200,
    errors: AUTH,
    doc: 'Keys of a bot, without their secret part',
  },
  keyCreate: {
    ...none,
    method: 'POST',
    path: '/v1/bots/:bot/keys',
    callers: OWNERS,
    params: [bot],
    body: z.strictObject({ scope: z.enum(KEY_SCOPES) }),
    answer: KeyCreated,
    status: 201,
    errors: [...AUTH, 'invalid_parameter'],
    doc: 'Makes a further key',
  },
  keyRotate: {
    ...none,
    method: 'POST',
    path: '/v1/bots/:bot/keys/rotate',
    callers: OWNERS,
    params: [bot],
    body: z.strictObject({ scope: z.enum(KEY_SCOPES).optional(), overlapS: overlap.optional() }),
    answer: KeyCreated,
    status: 201,
    errors: [...AUTH, 'invalid_parameter'],
    doc: 'Makes a new key of the scope (default ingest); the old ones end after `overlapS` (default 86,400)',
  },
  keyRevoke: {
    ...none,
    method: 'DELETE',
    path: '/v1/keys/:keyId',
    callers: OWNERS,
    params: [
      {
        name: 'keyId',
        in: 'path',
        required: true,
        schema: z.string().length(8),
        doc: 'Public part of the key',
      },
    ],
    answer: NoContent,
    status: 204,
    errors: AUTH,
    doc: 'Ends a key within 5 s',
  },
  status: {
    ...none,
    method: 'GET',
    path: '/v1/bots/:bot/status',
    callers: READERS,
    params: [bot],
    answer: Status,
    status: 200,
    errors: AUTH,
    doc: 'Presence of every shard',
  },
  statusStream: {
    ...none,
    method: 'GET',
    path: '/v1/bots/:bot/status/stream',
    callers: READERS,
    params: [bot],
    answer: 'text',
    status: 200,
    errors: [...AUTH, 'too_many_streams'],
    doc: 'Server-sent events: `snapshot` (Status), then at most one `delta` (StatusDelta) a second',
  },
  shardHistory: {
    ...none,
    method: 'GET',
    path: '/v1/bots/:bot/shards/:shard/history',
    callers: READERS,
    params: [
      bot,
      {
        name: 'shard',
        in: 'path',
        required: true,
        schema: z.int().min(0).max(65_535),
        doc: 'Shard',
      },
      from,
      to,
    ],
    answer: ShardHistory,
    status: 200,
    errors: RANGE,
    doc: 'Hourly figures of a shard; default the last 24 h',
  },
  apiUsage: {
    ...none,
    method: 'GET',
    path: '/v1/bots/:bot/api-usage',
    callers: READERS,
    params: [bot, from, to],
    answer: ApiUsage,
    status: 200,
    errors: RANGE,
    doc: 'REST requests, 429, 400/401/403 and top routes; default the last 24 h',
  },
  events: {
    ...none,
    method: 'GET',
    path: '/v1/bots/:bot/events',
    callers: READERS,
    params: [
      bot,
      from,
      to,
      {
        name: 'type',
        in: 'query',
        required: false,
        schema: z.string().max(2_000),
        doc: 'Event types, separated by commas; default all',
      },
      {
        name: 'limit',
        in: 'query',
        required: false,
        schema: z.int().min(1).max(RANGE_LIMITS.eventsPageMax),
        doc: 'Events of a JSON page, default 100',
      },
      {
        name: 'cursor',
        in: 'query',
        required: false,
        schema: z.string().max(200),
        doc: '`nextCursor` of the page before',
      },
      {
        name: 'format',
        in: 'query',
        required: false,
        schema: z.enum(['json', 'ndjson', 'csv']),
        doc: 'json: a page; ndjson, csv: the whole range as a stream',
      },
    ],
    answer: EventPage,
    status: 200,
    errors: RANGE,
    doc: 'Stored events, oldest first, each id once',
  },
  health: {
    ...none,
    method: 'GET',
    path: '/v1/bots/:bot/health',
    callers: READERS,
    params: [bot, from, to],
    answer: Health,
    status: 200,
    errors: RANGE,
    doc: 'Ingestion health; default the last 24 h',
  },
  sessionCreate: {
    ...none,
    method: 'POST',
    path: '/v1/session',
    callers: ['anyone'],
    body: z.strictObject({ token: z.string().max(200) }),
    answer: Session,
    status: 201,
    errors: ['login_required', 'too_many_requests', 'origin_refused', 'store_unavailable'],
    doc: 'Exchanges a one-time login token for a session cookie',
  },
  sessionGet: {
    ...none,
    method: 'GET',
    path: '/v1/session',
    callers: ['session'],
    answer: Session,
    status: 200,
    errors: ['login_required', 'store_unavailable'],
    doc: 'The session of the caller',
  },
  sessionEnd: {
    ...none,
    method: 'DELETE',
    path: '/v1/session',
    callers: ['session'],
    answer: NoContent,
    status: 204,
    errors: ['login_required', 'store_unavailable'],
    doc: 'Logs out',
  },
  loginTokenCreate: {
    ...none,
    method: 'POST',
    path: '/v1/login-tokens',
    callers: ['admin'],
    answer: z.object({ url: z.string().describe('Opens the dashboard once'), expiresAt: iso }),
    status: 201,
    errors: ['key_unknown', 'store_unavailable'],
    doc: 'Makes a one-time login link',
  },
  healthz: {
    ...none,
    method: 'GET',
    path: '/healthz',
    callers: ['anyone'],
    answer: 'text',
    status: 200,
    errors: [],
    doc: 'The process lives',
  },
  readyz: {
    ...none,
    method: 'GET',
    path: '/readyz',
    callers: ['anyone'],
    answer: 'text',
    status: 200,
    errors: ['store_unavailable'],
    doc: 'Events can be accepted',
  },
  metrics: {
    ...none,
    method: 'GET',
    path: '/metrics',
    callers: ['admin'],
    answer: 'text',
    status: 200,
    errors: ['key_unknown'],
    doc: 'Figures of the server for Prometheus',
  },
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
