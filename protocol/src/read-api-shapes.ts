import { z } from 'zod';
import { EVENT_TYPES } from './catalogue.ts';
import { REJECT_CODES, WARNING_CODES } from './ingest-answer.ts';

/** ISO 8601 UTC with milliseconds. */
export const iso = z.iso.datetime({ precision: 3 }).describe('ISO 8601 UTC');
const isoOrNull = iso.nullable();
export const count = z.int().nonnegative();
export const uuid = z.uuid();

/** A time in a query: ISO 8601 with zone, or Unix milliseconds. */
export const timeParam = z.string().max(40).describe('ISO 8601 with zone, or Unix ms');

export const Bot = z.object({
  botId: uuid,
  name: z.string(),
  createdAt: iso,
  monthlyQuota: count.nullable().describe('Stored events a calendar month (UTC); null = none'),
  quotaUsed: count.describe('Stored events of this month'),
  retentionDays: z.int().min(1).describe('Events older than this are refused and deleted'),
  suspended: z.boolean(),
  sample: z.boolean().describe('Its data is made up by the server; it takes no keys'),
  presence: z
    .object({
      online: count,
      total: count.describe('Shards that ever sent a heartbeat and still belong to the bot'),
      guildCount: count.describe('Of the online shards'),
    })
    .describe('The status in three figures'),
});
export type Bot = z.infer<typeof Bot>;

export const BotCreated = z.object({
  botId: uuid,
  name: z.string(),
  apiKey: z.string().describe('Ingest key, shown once'),
  readKey: z.string().describe('Read key, shown once'),
});
export type BotCreated = z.infer<typeof BotCreated>;

export const KEY_SCOPES = ['ingest', 'read'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

export const Key = z.object({
  keyId: z.string().length(8).describe('Public part of the key'),
  scope: z.enum(KEY_SCOPES),
  createdAt: iso,
  expiresAt: isoOrNull.describe('End of the overlap after a rotation; null = none'),
  revokedAt: isoOrNull,
  lastUsedAt: isoOrNull.describe('To the minute'),
  lastSdk: z.string().nullable().describe('sdk.name and sdk.version of the last use'),
});
export type Key = z.infer<typeof Key>;

export const KeyCreated = z.object({
  keyId: z.string().length(8),
  scope: z.enum(KEY_SCOPES),
  key: z.string().describe('Shown once'),
  oldKeysExpireAt: isoOrNull.describe('Rotation: when the former keys of this scope end'),
});
export type KeyCreated = z.infer<typeof KeyCreated>;

export const SHARD_STATES = ['online', 'offline'] as const;

/**
 * Why an online shard does not respond to the platform: `gateway_silent` = its connection is not ready,
 * or never acknowledged, for 2 minutes; `ping_frozen` = its ping stands still while those of its
 * siblings move.
 */
export const UNRESPONSIVE = ['gateway_silent', 'ping_frozen'] as const;

/** One card of the status view. Spec: Status view. */
export const ShardStatus = z.object({
  shardId: z.int().nonnegative(),
  state: z.enum(SHARD_STATES),
  lastHeartbeatAt: iso.describe('When the last heartbeat arrived, by the clock of the server'),
  wsPingMs: z.number().nullable().describe('null while offline'),
  memoryMb: z
    .number()
    .nullable()
    .describe('Resident memory of the process of the shard; null while offline'),
  cpuPercent: z
    .number()
    .nullable()
    .describe('CPU time of that process, of one core; null while offline'),
  guildCount: count.nullable().describe('Of the last heartbeat, also while offline'),
  voiceConnections: count.nullable().describe('null while offline'),
  gateway: z
    .enum(['ready', 'connecting', 'resuming', 'disconnected'])
    .nullable()
    .describe('Gateway connection as the last heartbeat told it'),
  unresponsive: z
    .enum(UNRESPONSIVE)
    .nullable()
    .describe('Heartbeats arrive, but the shard does not respond to the platform; null: it does'),
});
export type ShardStatus = z.infer<typeof ShardStatus>;

export const ClusterStatus = z.object({
  clusterId: z.string().nullable(),
  online: count,
  total: count,
  shards: z.array(ShardStatus),
});
export type ClusterStatus = z.infer<typeof ClusterStatus>;

export const Status = z.object({
  generatedAt: iso,
  offlineAfterMs: count,
  online: count,
  total: count,
  shardCount: count
    .nullable()
    .describe('Shards of the whole bot as its heartbeats report it; may exceed `total`'),
  clusters: z.array(ClusterStatus),
});
export type Status = z.infer<typeof Status>;

/** `event: delta` of the status stream; the first event is `snapshot` with a whole Status. */
export const StatusDelta = z.object({
  generatedAt: iso,
  online: count,
  total: count,
  shards: z
    .array(ShardStatus.extend({ clusterId: z.string().nullable() }))
    .describe('The shards that changed'),
});
export type StatusDelta = z.infer<typeof StatusDelta>;

/** One stored event as the export writes it. */
export const StoredEvent = z.object({
  id: uuid,
  type: z.enum(EVENT_TYPES as [string, ...string[]]),
  ts: iso,
  guildId: z.string().nullable(),
  channelId: z.string().nullable(),
  userId: z.string().nullable(),
  data: z.record(z.string(), z.unknown()),
});
export type StoredEvent = z.infer<typeof StoredEvent>;

export const EventPage = z.object({
  events: z.array(StoredEvent).describe('In the order asked for; default oldest first'),
  nextCursor: z.string().nullable().describe('null: this is the last page'),
});
export type EventPage = z.infer<typeof EventPage>;

/** What the ingest path did with a bot's data. design.md 5: "ingestion health". */
export const Health = z.object({
  from: iso,
  to: iso,
  received: count,
  accepted: count,
  duplicates: count,
  rejected: z.array(
    z.object({ code: z.enum(Object.keys(REJECT_CODES) as [string, ...string[]]), count }),
  ),
  warnings: z.array(
    z.object({ code: z.enum(Object.keys(WARNING_CODES) as [string, ...string[]]), count }),
  ),
  refusedRequests: z
    .array(z.object({ code: z.string().describe('Error code of the answer'), count, lastAt: iso }))
    .describe('Whole requests that were refused'),
  sdks: z.array(z.object({ name: z.string(), version: z.string(), batches: count, lastAt: iso })),
  clockSkewMs: z.number().nullable().describe('sentAt minus time of receipt of the last batch'),
  lastBatchAt: isoOrNull,
  sdkDropped: count.describe('Events that the SDKs of the online processes say they dropped'),
});
export type Health = z.infer<typeof Health>;

export const Session = z.object({
  expiresAt: iso,
  publicUrl: z.string().describe('Address that SDKs should use as endpoint'),
});
export type Session = z.infer<typeof Session>;
