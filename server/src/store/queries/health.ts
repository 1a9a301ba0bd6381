import { query } from '../query.ts';

export interface HealthRow {
  readonly kind: 'event' | 'rejected' | 'warning' | 'refused' | 'sdk' | 'skew';
  readonly code: string;
  readonly total: string;
  readonly lastAtMs: string;
  readonly lastValue: string | null;
}

/** What the ingest path counted in the hours of the range. */
export const ingestHealth = query<{ botId: string; fromMs: number; toMs: number }, HealthRow>(
  'ingest_health',
  `SELECT kind, code, sum(counted) AS total, toUnixTimestamp64Milli(max(last)) AS lastAtMs,
    argMax(tuple(last_value), last).1 AS lastValue
  FROM (
    SELECT kind, code, ingest_health.total AS counted, last_at AS last, value AS last_value
    FROM ingest_health FINAL
    WHERE bot_id = {botId:UUID}
      AND hour >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
      AND hour < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
  )
  GROUP BY kind, code ORDER BY kind, total DESC, code LIMIT 10000`,
);
