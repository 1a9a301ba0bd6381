import { createTable, type Migration, type TableSpec } from './parameters.ts';

/**
 * Month of the time inside a UUIDv7, 2025 to 2034; 0 for other versions and times. A function of the
 * id alone, so that a resent id lands in the same partition, and bounded, so that made-up ids cannot
 * create more than 121 partitions. Decision 0041.
 */
const ID_MONTH = `if(bitAnd(bitShiftRight(id, 76), 15) = 7
  AND bitShiftRight(id, 80) >= 1735689600000 AND bitShiftRight(id, 80) < 2051222400000,
  toYYYYMM(fromUnixTimestamp64Milli(toInt64(bitShiftRight(id, 80)), 'UTC')), 0)`;

/** The id as UUID text; UInt128 has no conversion to UUID. */
const EVENT_ID = `event_id String ALIAS
  UUIDNumToString(CAST(reverse(reinterpretAsFixedString(id)), 'FixedString(16)'))`;

/** Higher for what was received earlier: the first of two rows with one id wins. server.md R9. */
const SENIORITY = `seniority UInt64 MATERIALIZED
  18446744073709551615 - toUInt64(toUnixTimestamp64Milli(received_at)) CODEC(Delta, ZSTD(1))`;

const TIMES = `ts DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  received_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1))`;

/**
 * Group commits make many parts of a few thousand rows. Merging 20 instead of 5 of a size at once rewrites
 * a row a third as often: 5.6 -> 4.0 us of CPU for an event, at 12 instead of 7 parts to read.
 */
const WIDE_MERGES = 'merge_selector_base = 20';

const EVENTS: TableSpec = {
  name: 'events',
  columns: `bot_id UUID,
  id UInt128 CODEC(ZSTD(1)),
  type LowCardinality(String),
  ${TIMES},
  guild_id UInt64 CODEC(ZSTD(1)),
  channel_id UInt64 CODEC(ZSTD(1)),
  user_id UInt64 CODEC(ZSTD(1)),
  data String CODEC(ZSTD(1)),
  expires_on Date,
  ${SENIORITY},
  ${EVENT_ID},
  INDEX ts_minmax ts TYPE minmax GRANULARITY 1,
  INDEX received_minmax received_at TYPE minmax GRANULARITY 1`,
  version: 'seniority',
  orderBy: '(bot_id, id)',
  partitionBy: ID_MONTH,
  ttl: 'expires_on',
  settings: WIDE_MERGES,
  shardBy: 'cityHash64(bot_id)',
};

const HEARTBEATS: TableSpec = {
  name: 'heartbeats',
  columns: `bot_id UUID,
  shard_id UInt32,
  id UInt128 CODEC(ZSTD(1)),
  ${TIMES},
  shard_count Nullable(Int64),
  cluster_id Nullable(String),
  shard_status LowCardinality(Nullable(String)),
  ws_ping_ms Nullable(Float64),
  guild_count Nullable(Int64),
  voice_connections Nullable(Int64),
  memory_mb Nullable(Float64),
  cpu_percent Nullable(Float64),
  event_loop_delay_p95_ms Nullable(Float64),
  interval_ms Nullable(Int64),
  rest_requests Nullable(Int64),
  rest_rate_limited_global Nullable(Int64),
  rest_rate_limited_bucket Nullable(Int64),
  rest_rate_limited_shared Nullable(Int64),
  rest_rate_limited_edge Nullable(Int64),
  rest400 Nullable(Int64),
  rest401 Nullable(Int64),
  rest403 Nullable(Int64),
  instance_id Nullable(UUID),
  primary Nullable(Bool),
  uptime_ms Nullable(Int64),
  library LowCardinality(Nullable(String)),
  library_version LowCardinality(Nullable(String)),
  runtime LowCardinality(Nullable(String)),
  runtime_version LowCardinality(Nullable(String)),
  sdk_queue_size Nullable(Int64),
  sdk_dropped Nullable(Int64),
  expires_on Date,
  ${SENIORITY},
  ${EVENT_ID},
  INDEX ts_minmax ts TYPE minmax GRANULARITY 1,
  INDEX received_minmax received_at TYPE minmax GRANULARITY 1`,
  version: 'seniority',
  // By time, not by shard: an hour of 2,000 shards is one short range. Decision 0072.
  orderBy: '(bot_id, id)',
  partitionBy: ID_MONTH,
  ttl: 'expires_on',
  shardBy: 'cityHash64(bot_id)',
};

const GUILD_COLUMNS = `guild_id UInt64,
  id UInt128 CODEC(ZSTD(1)),
  ${TIMES},
  member_count Nullable(Int64),
  online_count Nullable(Int64),
  name Nullable(String),
  locale LowCardinality(Nullable(String)),
  available Nullable(Bool),
  shard_id Nullable(Int64)`;

/** Latest state of every guild; an older snapshot that comes late does not replace a newer one. */
const GUILDS: TableSpec = {
  name: 'guilds',
  columns: `bot_id UUID, ${GUILD_COLUMNS}`,
  version: 'ts',
  orderBy: '(bot_id, guild_id)',
  shardBy: 'cityHash64(bot_id)',
};

/** Latest state of every guild on every day (UTC of `ts`), 13 months. */
const GUILD_DAYS: TableSpec = {
  name: 'guild_days',
  columns: `bot_id UUID, day Date, ${GUILD_COLUMNS}`,
  version: 'ts',
  orderBy: '(bot_id, day, guild_id)',
  ttl: 'day + INTERVAL 13 MONTH',
  shardBy: 'cityHash64(bot_id)',
};

/** One row for every route of an api_routes_snapshot; `route_rank` counts from 0. */
const API_ROUTES: TableSpec = {
  name: 'api_routes',
  columns: `bot_id UUID,
  id UInt128 CODEC(ZSTD(1)),
  route_rank UInt16,
  ${TIMES},
  shard_id Nullable(Int64),
  instance_id Nullable(UUID),
  window_ms Nullable(Int64),
  total Nullable(Int64),
  distinct_routes Nullable(Int64),
  method LowCardinality(String),
  route String CODEC(ZSTD(1)),
  calls UInt64,
  expires_on Date,
  ${SENIORITY},
  INDEX ts_minmax ts TYPE minmax GRANULARITY 1`,
  version: 'seniority',
  orderBy: '(bot_id, id, route_rank)',
  partitionBy: ID_MONTH,
  ttl: 'expires_on',
  shardBy: 'cityHash64(bot_id)',
};

/** What bots send: events and snapshots. */
export const CORE: Migration = {
  id: 1,
  name: 'core',
  statements: (parameters) =>
    [EVENTS, HEARTBEATS, GUILDS, GUILD_DAYS, API_ROUTES].flatMap((spec) =>
      createTable(spec, parameters),
    ),
};
