/** Why one event of a batch was not stored. design.md 5. */
export const REJECT_CODES = {
  invalid_event: 'The event is not a JSON object.',
  invalid_id: '`id` is not a UUID.',
  unknown_type: '`type` is not one of the closed set of event types.',
  invalid_ts: '`ts` is not an ISO 8601 timestamp.',
  ts_too_old: '`ts` is older than the retention of the bot.',
  invalid_snowflake: 'An id of the platform is not a decimal string of an unsigned 64-bit integer.',
  missing_guild: 'A guild_snapshot has no `guildId`.',
  invalid_data: '`data` is not a JSON object.',
  data_too_large: '`data` is over 16 KiB after its strings were cut.',
} as const satisfies Record<string, string>;

/** What the server noticed or changed without refusing the event. design.md 5. */
export const WARNING_CODES = {
  invalid_batch_id: '`batchId` is missing or not a UUID.',
  invalid_sdk: '`sdk.name` or `sdk.version` is missing or not a string of 1 to 100 characters.',
  invalid_sent_at: '`sentAt` is missing or not an ISO 8601 timestamp.',
  clock_skew:
    '`sentAt` differs from the time of receipt by 2 minutes to 24 hours; every `ts` was shifted by it.',
  clock_not_believed:
    '`sentAt` differs from the time of receipt by more than 24 hours; nothing was shifted.',
  ts_clamped: '`ts` was more than 10 minutes ahead; the event is stored at the time of receipt.',
  id_not_v7: '`id` is a UUID, but not of version 7.',
  string_cut: 'A string in `data` was over its bound and was cut.',
  text_repaired: 'A lone surrogate was replaced or a NUL removed.',
  content_stripped: 'A key that carries message content or a secret was removed from `data`.',
  key_dropped: 'A key that could change an object prototype was removed from `data`.',
} as const satisfies Record<string, string>;

export type RejectCode = keyof typeof REJECT_CODES;
export type WarningCode = keyof typeof WARNING_CODES;

/** One event that was not stored. */
export interface RejectedEvent {
  /** Position in `events`, from 0. */
  readonly index: number;
  /** The event's id as sent, at most 100 characters; null when it is not a string. */
  readonly id: string | null;
  readonly code: RejectCode;
  /** JSON pointer into the body, RFC 6901: `/events/3/ts`. */
  readonly pointer: string;
  readonly detail: string;
}

/** One kind of warning in a batch. */
export interface IngestWarning {
  readonly code: WarningCode;
  readonly detail: string;
  /** Events (or 1 for the envelope) that it concerns. */
  readonly count: number;
}

/** Body of a 200 answer to the ingestion call. design.md 5. */
export interface IngestAnswer {
  /** As sent; null when it was missing or no string. */
  readonly batchId: string | null;
  /** Events in the batch. */
  readonly received: number;
  /** Events stored by this call, snapshots included. */
  readonly accepted: number;
  /** Events whose id was stored before or stands earlier in the batch. */
  readonly duplicates: number;
  /** At most 100. */
  readonly rejected: readonly RejectedEvent[];
  readonly rejectedCount: number;
  readonly warnings: readonly IngestWarning[];
  /** Clock of the server, ISO 8601 UTC. */
  readonly serverTime: string;
}

/**
 * Keys (compared without case, `_` and `-`) that carry message content or secrets. They are removed
 * from `data` at any depth unless the catalogue lists that field for the event type at the top level.
 * design.md 5; server.md V1.
 */
export const CONTENT_KEYS = [
  'content',
  'cleancontent',
  'message',
  'text',
  'embeds',
  'attachments',
  'fields',
  'topic',
  'nick',
  'email',
  'ip',
  'token',
  'authorization',
] as const;

/** Keys that carry content only inside a list of this name: `options[].value`, `components[].value`. */
export const NESTED_CONTENT_KEYS = {
  options: ['value', 'values'],
  components: ['value', 'values'],
} as const;

/** Keys that could change an object's prototype; removed at any depth. server.md P11. */
export const PROTOTYPE_KEYS = ['__proto__', 'constructor', 'prototype'] as const;
