import { query } from '../query.ts';

/** A heartbeat as stored; names after AS are the catalogue's. 64-bit numbers are strings. */
export type HeartbeatRow = Readonly<Record<string, string | number | boolean | null>> & {
  readonly botId: string;
  readonly shardId: number;
  readonly arrivedAtMs: string;
};

/** Newest heartbeat by arrival of every shard of every bot that sent one since a time. */
export const newestHeartbeats = query<{ sinceMs: number }, HeartbeatRow>(
  'newest_heartbeats',
  `SELECT bot_id AS botId, shard_id AS shardId,
    toUnixTimestamp64Milli(received_at) AS arrivedAtMs,
    shard_count AS shardCount, cluster_id AS clusterId, shard_status AS shardStatus,
    ws_ping_ms AS wsPingMs, guild_count AS guildCount, voice_connections AS voiceConnections,
    memory_mb AS memoryMb, cpu_percent AS cpuPercent,
    event_loop_delay_p95_ms AS eventLoopDelayP95Ms, interval_ms AS intervalMs,
    rest_requests AS restRequests, rest_rate_limited_global AS restRateLimitedGlobal,
    rest_rate_limited_bucket AS restRateLimitedBucket,
    rest_rate_limited_shared AS restRateLimitedShared,
    rest_rate_limited_edge AS restRateLimitedEdge,
    rest400, rest401, rest403, instance_id AS instanceId, primary, uptime_ms AS uptimeMs,
    library, library_version AS libraryVersion, runtime, runtime_version AS runtimeVersion,
    sdk_queue_size AS sdkQueueSize, sdk_dropped AS sdkDropped
  FROM heartbeats
  WHERE received_at >= fromUnixTimestamp64Milli({sinceMs:Int64})
  ORDER BY received_at DESC
  LIMIT 1 BY bot_id, shard_id`,
);

export interface ReadingRow {
  readonly botId: string;
  readonly shardId: number;
  readonly arrivedAtMs: string;
  readonly instanceId: string | null;
  readonly wsPingMs: number | null;
  readonly shardStatus: string | null;
}

/** What judges the gateways of shards: every heartbeat received since a time, oldest first. */
export const gatewayReadings = query<{ sinceMs: number }, ReadingRow>(
  'gateway_readings',
  `SELECT bot_id AS botId, shard_id AS shardId,
    toUnixTimestamp64Milli(received_at) AS arrivedAtMs, instance_id AS instanceId,
    ws_ping_ms AS wsPingMs, shard_status AS shardStatus
  FROM heartbeats
  WHERE received_at >= fromUnixTimestamp64Milli({sinceMs:Int64})
  ORDER BY received_at LIMIT 1000000`,
);
