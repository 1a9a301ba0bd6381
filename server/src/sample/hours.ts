import { INSERT_COLUMNS } from '../store/inserts.ts';
import {
  clusterOf,
  CLUSTERS,
  isMeasured,
  isPrimary,
  minuteUsage,
  processFigures,
  SHARD_IDS,
  shardFigures,
  SHARDS,
  SLOT_MS,
  slotOf,
  type MinuteUsage,
} from './fleet.ts';
import type { SampleBot } from './heartbeats.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const MINUTES_OF_HOUR = 60;
/**
 * The lowest there is: hours that the server computes from heartbeats win, and "when the last hour was
 * computed", which is the highest of all bots, stays what it was.
 */
const VERSION = 1;

/** Sums of a process over the minutes of an hour in which it was measured, and by ten minutes. */
function usageOfHour(bot: SampleBot, cluster: number, minutes: readonly number[]) {
  const sum: MinuteUsage = {
    restRequests: 0,
    restRateLimitedGlobal: 0,
    restRateLimitedBucket: 0,
    rest400: 0,
    rest401: 0,
    rest403: 0,
  };
  const invalid = [0, 0, 0, 0, 0, 0];
  for (const minute of minutes) {
    const usage = minuteUsage(cluster, minute, bot.createdAtMs);
    for (const name of Object.keys(sum) as (keyof MinuteUsage)[]) sum[name] += usage[name];
    const tenth = Math.floor((minute % MINUTES_OF_HOUR) / 10);
    const bad = usage.restRateLimitedGlobal + usage.restRateLimitedBucket + usage.rest403;
    invalid[tenth] = (invalid[tenth] ?? 0) + bad + usage.rest401;
  }
  return {
    rest_requests: sum.restRequests,
    rest_rate_limited_global: sum.restRateLimitedGlobal,
    rest_rate_limited_bucket: sum.restRateLimitedBucket,
    rest400: sum.rest400,
    rest401: sum.rest401,
    rest403: sum.rest403,
    invalid,
  };
}

/** Minutes since 1970 of an hour in which a shard was measured. */
export function measuredMinutes(bot: SampleBot, shard: number, hourMs: number): readonly number[] {
  const first = hourMs / MINUTE_MS;
  const minutes: number[] = [];
  for (let minute = first; minute < first + MINUTES_OF_HOUR; minute += 1) {
    const atMs = minute * MINUTE_MS + slotOf(shard) * SLOT_MS;
    if (isMeasured(shard, atMs, bot.createdAtMs)) minutes.push(minute);
  }
  return minutes;
}

function rowOf(bot: SampleBot, shard: number, hourMs: number): string {
  const minutes = measuredMinutes(bot, shard, hourMs);
  const last = minutes.at(-1);
  if (last === undefined) return '';
  const cluster = clusterOf(shard);
  const middleMs = hourMs + HOUR_MS / 2;
  const figures = shardFigures(shard, middleMs, bot.createdAtMs);
  const process = processFigures(cluster, middleMs);
  const values: Readonly<Record<string, unknown>> = {
    bot_id: bot.botId,
    hour: hourMs / 1_000,
    shard_id: shard,
    heartbeats: minutes.length,
    ws_ping_ms: figures.wsPingMs,
    memory_mb: process.memoryMb,
    cpu_percent: process.cpuPercent,
    event_loop_delay_p95_ms: process.eventLoopDelayP95Ms,
    invalid: [],
    ...(isPrimary(shard) ? usageOfHour(bot, cluster, minutes) : {}),
    cluster_id: String(cluster),
    shard_count: SHARDS,
    guild_count: figures.guildCount,
    last_received_at: last * MINUTE_MS + slotOf(shard) * SLOT_MS,
    version: VERSION,
  };
  return `${JSON.stringify(INSERT_COLUMNS.shard_hours.map((column) => values[column] ?? null))}\n`;
}

/** Rows of `shard_hours` of one hour. */
export function hourRows(bot: SampleBot, hourMs: number): string {
  return SHARD_IDS.map((shard) => rowOf(bot, shard, hourMs)).join('');
}

/** Requests of each process in some minutes, for its list of routes. */
export function requestsOf(
  bot: SampleBot,
  fromMinute: number,
  toMinute: number,
): readonly { readonly cluster: number; readonly requests: number }[] {
  return Array.from({ length: CLUSTERS }, (_, cluster) => {
    let requests = 0;
    const primary =
      SHARD_IDS.find((shard) => isPrimary(shard) && clusterOf(shard) === cluster) ?? 0;
    for (let minute = fromMinute; minute < toMinute; minute += 1) {
      if (!isMeasured(primary, minute * MINUTE_MS, bot.createdAtMs)) continue;
      requests += minuteUsage(cluster, minute, bot.createdAtMs).restRequests;
    }
    return { cluster, requests };
  });
}
