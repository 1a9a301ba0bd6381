import { query } from '../query.ts';

type None = Record<string, never>;

export interface BotRow {
  readonly bot_id: string;
  readonly name: string;
  readonly monthly_quota: string | null;
  readonly retention_days: number;
  readonly suspended: boolean;
  readonly created_ms: string;
  readonly version: string;
  readonly sample: boolean;
  readonly removed_ms: string | null;
}

/** Every bot, removed ones included; thousands at most, kept in memory. */
export const allBots = query<None, BotRow>(
  'all_bots',
  `SELECT bot_id, name, monthly_quota, retention_days, suspended,
    toUnixTimestamp64Milli(created_at) AS created_ms, version,
    sample, toUnixTimestamp64Milli(removed_at) AS removed_ms
  FROM bots FINAL ORDER BY created_at, bot_id`,
);

export interface KeyRow {
  readonly key_id: string;
  readonly bot_id: string;
  readonly scope: 'ingest' | 'read';
  readonly hash: string;
  readonly created_ms: string;
  readonly expires_ms: string | null;
  readonly revoked_ms: string | null;
  readonly version: string;
}

/** Every key, revoked ones included. */
export const allKeys = query<None, KeyRow>(
  'all_keys',
  `SELECT key_id, bot_id, scope, hash, toUnixTimestamp64Milli(created_at) AS created_ms,
    toUnixTimestamp64Milli(expires_at) AS expires_ms,
    toUnixTimestamp64Milli(revoked_at) AS revoked_ms, version
  FROM api_keys FINAL ORDER BY created_at, key_id`,
);

export interface KeyUseRow {
  readonly key_id: string;
  readonly last_used_ms: string;
  readonly last_sdk: string | null;
}

/** When each key was last used. */
export const allKeyUses = query<None, KeyUseRow>(
  'all_key_uses',
  `SELECT key_id, toUnixTimestamp64Milli(last_used_at) AS last_used_ms, last_sdk
  FROM key_uses FINAL`,
);
