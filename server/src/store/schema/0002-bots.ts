import { createTable, type Migration, type TableSpec } from './parameters.ts';

const BOTS: TableSpec = {
  name: 'bots',
  columns: `bot_id UUID,
  name String,
  monthly_quota Nullable(UInt64),
  retention_days UInt32,
  suspended Bool,
  created_at DateTime64(3, 'UTC'),
  version UInt64`,
  version: 'version',
  orderBy: 'bot_id',
  shardBy: 'cityHash64(bot_id)',
};

/** `hash` is the SHA-256 of the whole key in hex; the key itself is nowhere. */
const KEYS: TableSpec = {
  name: 'api_keys',
  columns: `key_id String,
  bot_id UUID,
  scope LowCardinality(String),
  hash String,
  created_at DateTime64(3, 'UTC'),
  expires_at Nullable(DateTime64(3, 'UTC')),
  revoked_at Nullable(DateTime64(3, 'UTC')),
  version UInt64`,
  version: 'version',
  orderBy: 'key_id',
  shardBy: 'cityHash64(key_id)',
};

/** Apart from the keys, so that noting a use can never undo a revocation by another process. */
const KEY_USES: TableSpec = {
  name: 'key_uses',
  columns: `key_id String,
  last_used_at DateTime64(3, 'UTC'),
  last_sdk Nullable(String)`,
  version: 'last_used_at',
  orderBy: 'key_id',
  shardBy: 'cityHash64(key_id)',
};

/**
 * What the ingest path did with a bot's data, counted by hour. Each server process writes its own
 * rows (`source`) with running totals, so that writing one twice counts nothing twice: sum over
 * `source` of the FINAL rows. `kind`: event, rejected, warning, refused, sdk, skew.
 */
const INGEST_HEALTH: TableSpec = {
  name: 'ingest_health',
  columns: `bot_id UUID,
  hour DateTime('UTC'),
  kind LowCardinality(String),
  code String,
  source UUID,
  total UInt64,
  last_at DateTime64(3, 'UTC'),
  value Nullable(Int64)`,
  version: 'total',
  orderBy: '(bot_id, hour, kind, code, source)',
  ttl: 'toDate(hour) + INTERVAL 13 MONTH',
  shardBy: 'cityHash64(bot_id)',
};

/** Bots, their keys, and the record of what was refused. */
export const BOTS_AND_KEYS: Migration = {
  id: 2,
  name: 'bots_and_keys',
  statements: (parameters) =>
    [BOTS, KEYS, KEY_USES, INGEST_HEALTH].flatMap((spec) => createTable(spec, parameters)),
};
