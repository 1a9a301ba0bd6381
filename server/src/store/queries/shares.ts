import { query } from '../query.ts';

export interface ShareRow {
  readonly share_id: string;
  readonly bot_id: string;
  readonly hash: string;
  /** Names separated by commas. */
  readonly sections: string;
  readonly created_ms: string;
  readonly expires_ms: string | null;
  readonly revoked_ms: string | null;
  readonly version: string;
}

/** Every share link, revoked ones included. */
export const allShares = query<Record<string, never>, ShareRow>(
  'all_shares',
  `SELECT share_id, bot_id, hash, sections, toUnixTimestamp64Milli(created_at) AS created_ms,
    toUnixTimestamp64Milli(expires_at) AS expires_ms,
    toUnixTimestamp64Milli(revoked_at) AS revoked_ms, version
  FROM shares FINAL ORDER BY created_at, share_id
  LIMIT 100000`,
);
