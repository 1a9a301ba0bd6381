import { query } from '../query.ts';

interface HistoryParams {
  readonly [name: string]: string | number;
  readonly botId: string;
  readonly shardId: number;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface HistoryRow {
  /** Unix seconds. */
  readonly hour: number;
  readonly wsPingMs: number | null;
  readonly memoryMb: number | null;
  readonly cpuPercent: number | null;
  readonly eventLoopDelayP95Ms: number | null;
  readonly heartbeats: number;
}

/** Computed hours of a shard. At most 9,601 rows: the range is bounded. */
export const shardHistory = query<HistoryParams, HistoryRow>(
  'shard_history',
  `SELECT toUnixTimestamp(hour) AS hour, ws_ping_ms AS wsPingMs, memory_mb AS memoryMb,
    cpu_percent AS cpuPercent, event_loop_delay_p95_ms AS eventLoopDelayP95Ms, heartbeats
  FROM shard_hours FINAL
  WHERE bot_id = {botId:UUID} AND shard_id = {shardId:UInt32}
    AND hour >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
    AND hour < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
  ORDER BY hour LIMIT 10000`,
);

/**
 * Hours that may not be computed yet, from the heartbeats: those of the shard and, for the figures of
 * the process, of its primary shard.
 */
export const freshHistory = query<HistoryParams & { readonly primaryId: number }, HistoryRow>(
  'fresh_history',
  `SELECT toUnixTimestamp(toStartOfHour(ts)) AS hour,
    quantileExactIf(0.5)(ws_ping_ms, shard_id = {shardId:UInt32}) AS wsPingMs,
    avgIf(memory_mb, own) AS memoryMb, avgIf(cpu_percent, own) AS cpuPercent,
    quantileExactIf(0.95)(event_loop_delay_p95_ms, own) AS eventLoopDelayP95Ms,
    toUInt32(countIf(shard_id = {shardId:UInt32})) AS heartbeats
  FROM (
    SELECT ts, shard_id, ws_ping_ms, memory_mb, cpu_percent, event_loop_delay_p95_ms,
      ifNull(primary, true) AND shard_id = {primaryId:UInt32} AS own
    FROM heartbeats FINAL
    WHERE bot_id = {botId:UUID} AND shard_id IN ({shardId:UInt32}, {primaryId:UInt32})
      AND ts >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
      AND ts < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
  )
  GROUP BY hour HAVING heartbeats > 0
  ORDER BY hour LIMIT 10000`,
);

interface LifecycleParams extends HistoryParams {
  readonly limit: number;
}

export interface LifecycleRow {
  readonly id: string;
  readonly type: string;
  readonly tsMs: string;
  readonly data: string;
}

/** The newest lifecycle events of a shard, newest first. */
export const shardLifecycle = query<LifecycleParams, LifecycleRow>(
  'shard_lifecycle',
  `SELECT event_id AS eventId, eventId AS id, type, toUnixTimestamp64Milli(ts) AS tsMs, data
  FROM events FINAL
  WHERE bot_id = {botId:UUID}
    AND type IN ('shard_connect', 'shard_ready', 'shard_disconnect', 'shard_reconnect', 'shard_resume')
    AND JSONExtract(data, 'shardId', 'Nullable(Int64)') = {shardId:UInt32}
    AND ts >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
    AND ts < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
  ORDER BY ts DESC, id DESC LIMIT {limit:UInt32}`,
);
