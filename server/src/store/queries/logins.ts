import { query } from '../query.ts';

export interface LoginRow {
  readonly hash: string;
  readonly kind: 'token' | 'session';
  readonly created_ms: string;
  readonly expires_ms: string;
  readonly last_seen_ms: string;
  readonly ended_ms: string | null;
  readonly version: string;
}

/** Login tokens and sessions whose absolute end is ahead; ended ones too, so that an end is seen. */
export const openLogins = query<{ nowMs: number }, LoginRow>(
  'open_logins',
  `SELECT hash, kind, toUnixTimestamp64Milli(created_at) AS created_ms,
    toUnixTimestamp64Milli(expires_at) AS expires_ms,
    toUnixTimestamp64Milli(last_seen_at) AS last_seen_ms,
    toUnixTimestamp64Milli(ended_at) AS ended_ms, version
  FROM logins FINAL
  WHERE expires_at > fromUnixTimestamp64Milli({nowMs:Int64}, 'UTC')
  LIMIT 100000`,
);
