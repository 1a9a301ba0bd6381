import { query } from '../query.ts';

interface UsageParams {
  readonly [name: string]: string | number;
  readonly botId: string;
  /** -1: all. */
  readonly shardId: number;
  readonly fromMs: number;
  readonly toMs: number;
}

/** REST counters; 64-bit sums are text. */
export interface CounterRow {
  readonly restRequests: string;
  readonly rateLimitedGlobal: string;
  readonly rateLimitedBucket: string;
  readonly rest400: string;
  readonly rest401: string;
  readonly rest403: string;
}

export interface UsageHourRow extends CounterRow {
  /** Unix seconds. */
  readonly hour: number;
  /** Invalid requests in each ten minutes. */
  readonly invalid: readonly string[];
}

/** Computed hours of all processes of a bot, or of one. */
export const usageHours = query<UsageParams, UsageHourRow>(
  'usage_hours',
  `SELECT toUnixTimestamp(hour) AS hour, sum(rest_requests) AS restRequests,
    sum(rest_rate_limited_global) AS rateLimitedGlobal,
    sum(rest_rate_limited_bucket) AS rateLimitedBucket,
    sum(rest400) AS rest400, sum(rest401) AS rest401, sum(rest403) AS rest403,
    sumForEach(invalid) AS invalid
  FROM (
    SELECT hour, rest_requests, rest_rate_limited_global, rest_rate_limited_bucket,
      shard_hours.rest400 AS rest400, shard_hours.rest401 AS rest401,
      shard_hours.rest403 AS rest403, invalid
    FROM shard_hours FINAL
    WHERE bot_id = {botId:UUID} AND rest_requests IS NOT NULL
      AND ({shardId:Int32} < 0 OR shard_id = {shardId:Int32})
      AND hour >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
      AND hour < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
  )
  GROUP BY hour ORDER BY hour LIMIT 10000`,
);

export interface UsageShardRow extends CounterRow {
  readonly shardId: number;
}

/** The same by process. */
export const usageShards = query<UsageParams, UsageShardRow>(
  'usage_shards',
  `SELECT shard_id AS shardId, sum(rest_requests) AS restRequests,
    sum(rest_rate_limited_global) AS rateLimitedGlobal,
    sum(rest_rate_limited_bucket) AS rateLimitedBucket,
    sum(shard_hours.rest400) AS rest400, sum(shard_hours.rest401) AS rest401,
    sum(shard_hours.rest403) AS rest403
  FROM shard_hours FINAL
  WHERE bot_id = {botId:UUID} AND rest_requests IS NOT NULL
    AND ({shardId:Int32} < 0 OR shard_id = {shardId:Int32})
    AND hour >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
    AND hour < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
  GROUP BY shard_id ORDER BY shard_id LIMIT 65536`,
);

export interface FreshUsageRow extends CounterRow {
  readonly shardId: number;
  /** Start of ten minutes, Unix seconds. */
  readonly slot: number;
  readonly invalid: string;
  /** Invalid requests since `nowMs` less ten minutes. */
  readonly invalidNow: string;
}

/** Hours that may not be computed yet, from the heartbeats, by process and ten minutes. */
export const freshUsage = query<UsageParams & { readonly nowMs: number }, FreshUsageRow>(
  'fresh_usage',
  `SELECT shard_id AS shardId, toUnixTimestamp(toStartOfInterval(ts, INTERVAL 10 MINUTE)) AS slot,
    sum(ifNull(rest_requests, 0)) AS restRequests,
    sum(ifNull(rest_rate_limited_global, 0)) AS rateLimitedGlobal,
    sum(ifNull(rest_rate_limited_bucket, 0)) AS rateLimitedBucket,
    sum(bad400) AS rest400, sum(bad401) AS rest401, sum(bad403) AS rest403,
    sum(bad) AS invalid,
    sumIf(bad, ts > fromUnixTimestamp64Milli({nowMs:Int64} - 600000, 'UTC')) AS invalidNow
  FROM (
    SELECT shard_id, ts, rest_requests, rest_rate_limited_global, rest_rate_limited_bucket,
      ifNull(rest400, 0) AS bad400, ifNull(rest401, 0) AS bad401, ifNull(rest403, 0) AS bad403,
      greatest(0, bad401 + bad403 + ifNull(rest_rate_limited_global, 0)
        + ifNull(rest_rate_limited_bucket, 0) - ifNull(rest_rate_limited_shared, 0)) AS bad
    FROM heartbeats FINAL
    WHERE bot_id = {botId:UUID} AND ifNull(primary, true) AND rest_requests IS NOT NULL
      AND ({shardId:Int32} < 0 OR shard_id = {shardId:Int32})
      AND ts >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
      AND ts < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
  )
  GROUP BY shard_id, slot ORDER BY shard_id, slot LIMIT 500000`,
);

export interface RouteRow {
  readonly method: string;
  readonly route: string;
  readonly step: number;
  readonly calls: string;
}

/** Calls of the ten most called routes of the range, in steps of `stepMs` from `fromMs`. */
export const topRoutes = query<UsageParams & { readonly stepMs: number }, RouteRow>(
  'top_routes',
  `WITH counted AS (
      SELECT method, route, ts, calls FROM api_routes FINAL
      WHERE bot_id = {botId:UUID}
        AND ({shardId:Int32} < 0 OR shard_id = {shardId:Int32})
        AND ts >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
        AND ts < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
    ),
    top AS (
      SELECT method, route FROM counted GROUP BY method, route
      ORDER BY sum(calls) DESC, method, route LIMIT 10
    )
  SELECT method, route,
    toUInt32(intDiv(toUnixTimestamp64Milli(ts) - {fromMs:Int64}, {stepMs:Int64})) AS step,
    sum(calls) AS calls
  FROM counted WHERE (method, route) IN (SELECT method, route FROM top)
  GROUP BY method, route, step ORDER BY method, route, step LIMIT 10000`,
);

/** Requests of all routes in the snapshots of the range, and the time of the newest one. */
export const routesTotal = query<UsageParams, { total: string; asOfMs: string; snapshots: string }>(
  'routes_total',
  `SELECT sum(ifNull(api_routes.total, 0)) AS total, toUnixTimestamp64Milli(max(ts)) AS asOfMs,
    count() AS snapshots
  FROM api_routes FINAL
  WHERE bot_id = {botId:UUID} AND route_rank = 0
    AND ({shardId:Int32} < 0 OR shard_id = {shardId:Int32})
    AND ts >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
    AND ts < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')`,
);
