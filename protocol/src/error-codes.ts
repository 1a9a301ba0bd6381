/** One kind of error answer. */
export interface ErrorSpec {
  readonly status: number;
  /** Short and the same for every occurrence. RFC 9457 `title`. */
  readonly title: string;
  /** What the reader can do about it. */
  readonly help: string;
}

/**
 * Every `code` of a problem document. The SDK's reaction decides the status of an ingest answer:
 * 429 is the only way to say "not now". design.md 5.
 */
export const ERROR_CODES = {
  invalid_json: {
    status: 400,
    title: 'The body is not JSON',
    help: 'Send one JSON object in UTF-8.',
  },
  invalid_envelope: {
    status: 400,
    title: 'The body is not a batch',
    help: 'Send an object with an `events` array.',
  },
  too_many_events: { status: 400, title: 'The batch holds over 500 events', help: 'Split it.' },
  too_deep: {
    status: 400,
    title: 'The body is nested deeper than 32 levels',
    help: 'Flatten `data`.',
  },
  all_events_rejected: {
    status: 400,
    title: 'No event of the batch is valid',
    help: 'See `errors`.',
  },
  invalid_parameter: { status: 400, title: 'A parameter is not valid', help: 'See `errors`.' },
  invalid_range: {
    status: 400,
    title: 'The time range is not valid',
    help: 'Give `from` before `to`, within the bound that `detail` names.',
  },
  key_missing: { status: 401, title: 'No API key', help: 'Send `Authorization: Bearer <key>`.' },
  key_in_query: {
    status: 401,
    title: 'A key stands in the query string',
    help: 'Send it in the Authorization header, and rotate it: addresses are logged.',
  },
  key_unknown: {
    status: 401,
    title: 'The API key is not valid',
    help: 'Copy the key again, or make a new one.',
  },
  login_required: {
    status: 401,
    title: 'Not logged in',
    help: 'Open the link that the server printed, or send a read key.',
  },
  scope_missing: {
    status: 403,
    title: 'The key may not do this',
    help: 'Use a key with the right scope.',
  },
  bot_suspended: {
    status: 403,
    title: 'The bot is suspended',
    help: 'Ask the operator of this service.',
  },
  origin_refused: {
    status: 403,
    title: 'The request came from another site',
    help: 'Open the dashboard at its own address.',
  },
  not_found: { status: 404, title: 'Nothing is here', help: 'Check the address.' },
  sample_bot: {
    status: 409,
    title: 'The sample bot takes no keys',
    help: 'Add a bot of your own: made-up data and real data never share a bot.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The method is not allowed here',
    help: 'See the Allow header.',
  },
  conflict: {
    status: 409,
    title: 'The request does not fit the present state',
    help: 'See `detail`.',
  },
  body_too_large: {
    status: 413,
    title: 'The body is over its limit',
    help: 'Split the batch; the limit is 1 MiB, before and after decompression.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body is not application/json',
    help: 'Send `Content-Type: application/json`.',
  },
  unsupported_encoding: {
    status: 415,
    title: 'The content encoding is not supported',
    help: 'Send the body as it is, or with gzip.',
  },
  quota_reached: {
    status: 429,
    title: 'The monthly quota of the bot is used up',
    help: 'Events stay queued; raise the quota or wait for the first of the month (UTC).',
  },
  too_many_requests: { status: 429, title: 'Too many requests', help: 'Wait for Retry-After.' },
  overloaded: { status: 429, title: 'The server is busy', help: 'Wait for Retry-After.' },
  store_down: {
    status: 429,
    title: 'The store is not available at the moment',
    help: 'Wait for Retry-After.',
  },
  disk_full: {
    status: 429,
    title: 'The disk of the server is nearly full',
    help: 'Wait for Retry-After; the operator has to free space.',
  },
  shutting_down: { status: 429, title: 'The server is restarting', help: 'Wait for Retry-After.' },
  internal: {
    status: 500,
    title: 'An error of the server',
    help: 'Report `instance` to the operator.',
  },
  store_unavailable: {
    status: 503,
    title: 'The store is not available at the moment',
    help: 'Try again in a few seconds.',
  },
  too_many_streams: {
    status: 503,
    title: 'Too many live streams',
    help: 'Poll the status instead.',
  },
} as const satisfies Record<string, ErrorSpec>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** The error codes of the ingestion call. design.md 5. */
export const INGEST_ERRORS = [
  'invalid_json',
  'invalid_envelope',
  'too_many_events',
  'too_deep',
  'all_events_rejected',
  'key_missing',
  'key_in_query',
  'key_unknown',
  'scope_missing',
  'bot_suspended',
  'method_not_allowed',
  'body_too_large',
  'unsupported_media_type',
  'unsupported_encoding',
  'quota_reached',
  'too_many_requests',
  'overloaded',
  'store_down',
  'disk_full',
  'shutting_down',
  'internal',
] as const satisfies readonly ErrorCode[];

/** An error answer, `application/problem+json`. RFC 9457. */
export interface Problem {
  /** `urn:bot-analytics:problem:<code>`. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** Request id. */
  readonly instance: string;
  readonly code: ErrorCode;
  readonly errors?: readonly {
    readonly pointer: string;
    readonly detail: string;
    readonly code?: string;
    readonly index?: number;
    readonly id?: string | null;
  }[];
}
