import { z } from 'zod';
import { SHARD_TYPES } from '../catalogue.ts';
import { count, iso, SHARD_STATES, uuid } from '../read-api-shapes.ts';

const isoOrNull = iso.nullable();

/** One hour of a shard. `null` = not measured, never 0. */
export const HistoryHour = z.object({
  hour: iso,
  wsPingMs: z.number().nullable().describe('Median'),
  memoryMb: z.number().nullable().describe('Mean of the process'),
  cpuPercent: z.number().nullable().describe('Mean of the process, of one core'),
  eventLoopDelayP95Ms: z.number().nullable().describe('95th percentile of the process'),
  heartbeats: count.describe('0: not measured'),
});
export type HistoryHour = z.infer<typeof HistoryHour>;

/** A lifecycle event of a shard. */
export const ShardEvent = z.object({
  id: uuid,
  type: z.enum(SHARD_TYPES),
  ts: iso,
  data: z.record(z.string(), z.unknown()),
});
export type ShardEvent = z.infer<typeof ShardEvent>;

export const ShardHistory = z.object({
  shardId: z.int().nonnegative(),
  clusterId: z.string().nullable(),
  from: iso,
  to: iso,
  state: z.enum(SHARD_STATES).nullable().describe('null: no heartbeat was ever seen'),
  lastHeartbeatAt: isoOrNull,
  hours: z.array(HistoryHour).describe('Every hour of the range, oldest first'),
  lifecycle: z
    .array(ShardEvent)
    .describe('Lifecycle events of the shard, oldest first; the newest 1,000 of the range'),
});
export type ShardHistory = z.infer<typeof ShardHistory>;

const counters = {
  restRequests: count,
  rateLimitedGlobal: count,
  rateLimitedBucket: count,
  rest400: count,
  rest401: count,
  rest403: count,
};

/** The platform's own limit on invalid requests. */
export const INVALID_REQUEST_LIMIT = { requests: 10_000, windowMs: 600_000 } as const;

export const ApiUsage = z.object({
  from: iso,
  to: iso,
  ...counters,
  hours: z
    .array(
      z.object({
        hour: iso,
        restRequests: count.nullable(),
        rateLimitedGlobal: count.nullable(),
        rateLimitedBucket: count.nullable(),
        rest400: count.nullable(),
        rest401: count.nullable(),
        rest403: count.nullable(),
      }),
    )
    .describe('Every hour of the range, oldest first; null = not measured'),
  shards: z
    .array(z.object({ shardId: z.int().nonnegative(), ...counters }))
    .describe(
      'One entry for each process, named by its lowest shard: the counters are those of the process',
    ),
  invalidRequests: z
    .object({
      limit: count,
      windowMs: count,
      now: count.describe('In the last window'),
      peak: count.describe('Highest of the windows of the range'),
      peakAt: isoOrNull.describe('Start of that window; null: none was measured'),
    })
    .describe(
      '401, 403 and 429 answers; 429 of a limit that the bot shares with others do not count',
    ),
  routesAsOf: isoOrNull,
  routesTotal: count.describe('Requests of all routes in the snapshots of the range'),
  trendStepMs: count.describe('Length of one step of `trend`: whole hours, at most 24 steps'),
  routes: z
    .array(
      z.object({
        method: z.string(),
        route: z.string(),
        count,
        trend: z
          .array(count)
          .describe('Requests a step from the first hour of the range; 0 = not in the top 10'),
      }),
    )
    .describe('Top 10 of the range'),
});
export type ApiUsage = z.infer<typeof ApiUsage>;
