import { createTable, type Migration, type TableSpec } from './parameters.ts';

/** Login tokens and sessions; `hash` is the SHA-256 of the secret in hex, which is nowhere. */
const LOGINS: TableSpec = {
  name: 'logins',
  columns: `hash String,
  kind LowCardinality(String),
  created_at DateTime64(3, 'UTC'),
  expires_at DateTime64(3, 'UTC'),
  last_seen_at DateTime64(3, 'UTC'),
  ended_at Nullable(DateTime64(3, 'UTC')),
  version UInt64`,
  version: 'version',
  orderBy: 'hash',
  ttl: 'toDate(expires_at) + INTERVAL 1 DAY',
  shardBy: 'cityHash64(hash)',
};

/** Public links; `hash` is the SHA-256 of the token in hex, which is nowhere. */
const SHARES: TableSpec = {
  name: 'shares',
  columns: `share_id String,
  bot_id UUID,
  hash String,
  sections String,
  created_at DateTime64(3, 'UTC'),
  expires_at Nullable(DateTime64(3, 'UTC')),
  revoked_at Nullable(DateTime64(3, 'UTC')),
  version UInt64`,
  version: 'version',
  orderBy: 'share_id',
  shardBy: 'cityHash64(bot_id)',
};

/**
 * One row for every hour of a shard with heartbeats, kept longer than the heartbeats themselves. A row
 * is always computed anew from all heartbeats of its hour, so that a resent one counts once, and
 * `version` (when it was computed, Unix ms) makes the newest win. Decision 0072.
 * `rest_*` and `invalid` (invalid requests in each ten minutes of the hour) are NULL and empty on
 * shards that do not carry the figures of their process.
 */
const SHARD_HOURS: TableSpec = {
  name: 'shard_hours',
  columns: `bot_id UUID,
  hour DateTime('UTC'),
  shard_id UInt32,
  heartbeats UInt32,
  ws_ping_ms Nullable(Float64),
  memory_mb Nullable(Float64),
  cpu_percent Nullable(Float64),
  event_loop_delay_p95_ms Nullable(Float64),
  rest_requests Nullable(UInt64),
  rest_rate_limited_global Nullable(UInt64),
  rest_rate_limited_bucket Nullable(UInt64),
  rest400 Nullable(UInt64),
  rest401 Nullable(UInt64),
  rest403 Nullable(UInt64),
  invalid Array(UInt64),
  cluster_id Nullable(String),
  shard_count Nullable(Int64),
  guild_count Nullable(Int64),
  last_received_at DateTime64(3, 'UTC'),
  version UInt64`,
  version: 'version',
  orderBy: '(bot_id, hour, shard_id)',
  ttl: 'toDate(hour) + INTERVAL 14 MONTH',
  shardBy: 'cityHash64(bot_id)',
};

/** What the read side keeps: logins, public links, hours of shards. */
export const READING: Migration = {
  id: 3,
  name: 'reading',
  statements: (parameters) =>
    [LOGINS, SHARES, SHARD_HOURS].flatMap((spec) => createTable(spec, parameters)),
};
