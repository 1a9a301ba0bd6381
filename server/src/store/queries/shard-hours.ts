import { query } from '../query.ts';

/** Hours that got heartbeats since a time of receipt. */
export const touchedHours = query<{ sinceMs: number }, { hour: number; botIds: string[] }>(
  'touched_hours',
  `SELECT toUnixTimestamp(toStartOfHour(ts)) AS hour, groupUniqArray(bot_id) AS botIds
  FROM heartbeats
  WHERE received_at >= fromUnixTimestamp64Milli({sinceMs:Int64}, 'UTC')
  GROUP BY hour ORDER BY hour`,
);

/** When the newest hour was computed, Unix ms; 0: none was. */
export const lastRollup = query<Record<string, never>, { atMs: string }>(
  'last_rollup',
  'SELECT max(version) AS atMs FROM shard_hours',
);

/** One row of shard_hours, computed; the names are its columns. */
export interface ShardHourRow {
  readonly [column: string]: unknown;
}

/**
 * The figures of some bots' shards in one hour, from all heartbeats of it. The figures of a process
 * stand on its primary shard only; the other shards get them from the process that they last ran in.
 * Without a `primary` flag a heartbeat carries its own figures.
 */
export const rollHour = query<{ botIds: readonly string[]; hour: number }, ShardHourRow>(
  'roll_hour',
  `WITH
    toDateTime({hour:UInt32}, 'UTC') AS start,
    raw AS (
      SELECT bot_id, shard_id, ts, received_at, instance_id, ifNull(primary, true) AS own,
        ws_ping_ms, memory_mb, cpu_percent, event_loop_delay_p95_ms, rest_requests,
        rest_rate_limited_global, rest_rate_limited_bucket, rest_rate_limited_shared,
        rest400, rest401, rest403, cluster_id, shard_count, guild_count
      FROM heartbeats FINAL
      WHERE bot_id IN {botIds:Array(UUID)} AND ts >= start AND ts < start + INTERVAL 1 HOUR
    ),
    processes AS (
      SELECT bot_id, instance_id, avg(memory_mb) AS memory, avg(cpu_percent) AS cpu,
        quantileExact(0.95)(event_loop_delay_p95_ms) AS loop_delay
      FROM raw WHERE own GROUP BY bot_id, instance_id
    ),
    shards AS (
      SELECT bot_id, shard_id, count() AS heartbeats, max(own) AS has_own,
        quantileExact(0.5)(ws_ping_ms) AS ping,
        argMax(instance_id, ts) AS last_instance,
        avgIf(memory_mb, own) AS own_memory, avgIf(cpu_percent, own) AS own_cpu,
        quantileExactIf(0.95)(event_loop_delay_p95_ms, own) AS own_loop_delay,
        sumIf(rest_requests, own) AS requests,
        sumIf(rest_rate_limited_global, own) AS limited_global,
        sumIf(rest_rate_limited_bucket, own) AS limited_bucket,
        sumIf(rest400, own) AS bad400, sumIf(rest401, own) AS bad401, sumIf(rest403, own) AS bad403,
        arrayMap(slot -> toUInt64(greatest(0, arraySum(arrayMap(
          entry -> if(entry.1 = slot, entry.2, 0),
          groupArrayIf((intDiv(toMinute(ts), 10), ifNull(rest401, 0) + ifNull(rest403, 0)
            + ifNull(rest_rate_limited_global, 0) + ifNull(rest_rate_limited_bucket, 0)
            - ifNull(rest_rate_limited_shared, 0)), own))))), range(6)) AS invalid,
        argMax(tuple(cluster_id), ts).1 AS cluster, argMax(shard_count, ts) AS shard_count,
        argMax(guild_count, ts) AS guild_count, max(received_at) AS last_received_at
      FROM raw GROUP BY bot_id, shard_id
    )
  SELECT s.bot_id AS bot_id, {hour:UInt32} AS hour, s.shard_id AS shard_id,
    s.heartbeats AS heartbeats, s.ping AS ws_ping_ms,
    ifNull(s.own_memory, p.memory) AS memory_mb, ifNull(s.own_cpu, p.cpu) AS cpu_percent,
    ifNull(s.own_loop_delay, p.loop_delay) AS event_loop_delay_p95_ms,
    if(s.has_own, s.requests, NULL) AS rest_requests,
    if(s.has_own, s.limited_global, NULL) AS rest_rate_limited_global,
    if(s.has_own, s.limited_bucket, NULL) AS rest_rate_limited_bucket,
    if(s.has_own, s.bad400, NULL) AS rest400, if(s.has_own, s.bad401, NULL) AS rest401,
    if(s.has_own, s.bad403, NULL) AS rest403,
    if(s.has_own, s.invalid, []) AS invalid,
    s.cluster AS cluster_id, s.shard_count AS shard_count, s.guild_count AS guild_count,
    toUnixTimestamp64Milli(s.last_received_at) AS last_received_at
  FROM shards AS s
  LEFT JOIN processes AS p ON p.bot_id = s.bot_id AND p.instance_id = s.last_instance`,
);

export interface SeenShardRow {
  readonly botId: string;
  readonly shardId: number;
  readonly arrivedAtMs: string;
  readonly clusterId: string | null;
  readonly shardCount: string | null;
  readonly guildCount: string | null;
}

/** Every shard that sent a heartbeat in the hours since a time, with its last one. */
export const seenShards = query<{ sinceMs: number }, SeenShardRow>(
  'seen_shards',
  `SELECT bot_id AS botId, shard_id AS shardId,
    toUnixTimestamp64Milli(max(last_received_at)) AS arrivedAtMs,
    argMax(tuple(cluster_id), last_received_at).1 AS clusterId,
    argMax(shard_count, last_received_at) AS shardCount,
    argMax(guild_count, last_received_at) AS guildCount
  FROM shard_hours
  WHERE hour >= fromUnixTimestamp64Milli({sinceMs:Int64}, 'UTC')
  GROUP BY bot_id, shard_id
  LIMIT 1000000`,
);
