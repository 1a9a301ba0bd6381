import type { BotRow, KeyRow } from '../store/queries/bots.ts';

/** One bot: the tenant of events, keys and quota. */
export interface Bot {
  readonly botId: string;
  readonly name: string;
  /** Stored events a calendar month (UTC); null: no bound. Snapshots are exempt. */
  readonly monthlyQuota: number | null;
  /** Older events are refused and deleted. */
  readonly retentionDays: number;
  readonly suspended: boolean;
  readonly createdAtMs: number;
  /** Its data is made up by the server; it has no keys. */
  readonly sample: boolean;
  /** null: it is there. */
  readonly removedAtMs: number | null;
  /** Time of the last change, Unix ms; the highest wins. */
  readonly version: number;
}

export type BotChange = Partial<Pick<Bot, 'name' | 'monthlyQuota' | 'retentionDays' | 'suspended'>>;

/** `ingest` writes events, `read` reads; both for one bot. design.md 5. */
export type KeyScope = 'ingest' | 'read';

/** One key without its secret. */
export interface Key {
  readonly keyId: string;
  readonly botId: string;
  readonly scope: KeyScope;
  /** SHA-256 of the whole key. */
  readonly hash: Buffer;
  readonly createdAtMs: number;
  /** End of the overlap after a rotation. */
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  readonly version: number;
}

export function keyState(key: Key, nowMs: number): 'live' | 'expired' | 'revoked' {
  if (key.revokedAtMs !== null) return 'revoked';
  return key.expiresAtMs !== null && key.expiresAtMs <= nowMs ? 'expired' : 'live';
}

/** Version of a changed record: later than the old one even when the clock stands or steps back. */
export function newVersion(record: { readonly version: number }, nowMs: number): number {
  return Math.max(nowMs, record.version + 1);
}

const numberOrNull = (text: string | null): number | null => (text === null ? null : Number(text));

export function botFromRow(row: BotRow): Bot {
  return {
    botId: row.bot_id,
    name: row.name,
    monthlyQuota: numberOrNull(row.monthly_quota),
    retentionDays: row.retention_days,
    suspended: row.suspended,
    createdAtMs: Number(row.created_ms),
    version: Number(row.version),
    sample: row.sample,
    removedAtMs: numberOrNull(row.removed_ms),
  };
}

/** Values in the order of INSERT_COLUMNS.bots. */
export function botValues(bot: Bot): (string | number | boolean | null)[] {
  return [
    bot.botId,
    bot.name,
    bot.monthlyQuota,
    bot.retentionDays,
    bot.suspended,
    bot.createdAtMs,
    bot.version,
    bot.sample,
    bot.removedAtMs,
  ];
}

export function keyFromRow(row: KeyRow): Key {
  return {
    keyId: row.key_id,
    botId: row.bot_id,
    scope: row.scope,
    hash: Buffer.from(row.hash, 'hex'),
    createdAtMs: Number(row.created_ms),
    expiresAtMs: numberOrNull(row.expires_ms),
    revokedAtMs: numberOrNull(row.revoked_ms),
    version: Number(row.version),
  };
}

/** Values in the order of INSERT_COLUMNS.api_keys. */
export function keyValues(key: Key): (string | number | boolean | null)[] {
  return [
    key.keyId,
    key.botId,
    key.scope,
    key.hash.toString('hex'),
    key.createdAtMs,
    key.expiresAtMs,
    key.revokedAtMs,
    key.version,
  ];
}
