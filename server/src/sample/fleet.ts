import { dice } from './dice.ts';

/** The made-up bot: 32 shards in four processes of eight. */
export const SHARDS = 32;
export const CLUSTERS = 4;
const SHARDS_OF_CLUSTER = SHARDS / CLUSTERS;
export const SHARD_IDS: readonly number[] = Array.from({ length: SHARDS }, (_, shard) => shard);

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Heartbeats of a shard are a minute apart, those of neighbours 10 s. */
export const SLOT_MS = 10_000;
export const SLOTS_OF_MINUTE = MINUTE_MS / SLOT_MS;
/** How far back the made-up history goes. */
export const HISTORY_MS = 7 * 24 * HOUR_MS;

/** Shards that are offline, and how long before the bot was made they fell silent. */
const DEAD = new Map([
  [11, 48 * MINUTE_MS],
  [21, 310 * MINUTE_MS],
]);
/** Its heartbeats arrive, but its gateway connection is gone. */
export const SILENT_SHARD = 26;

/** A stretch without heartbeats, in time before the bot was made; `null`: all clusters. */
interface Outage {
  readonly fromMs: number;
  readonly toMs: number;
  readonly cluster: number | null;
}
export const OUTAGES: readonly Outage[] = [
  { fromMs: 75 * HOUR_MS, toMs: 72 * HOUR_MS, cluster: null },
  { fromMs: 31 * HOUR_MS, toMs: 26 * HOUR_MS, cluster: 2 },
];
/** The ping of a cluster was bad. */
const SLOW = { fromMs: 12 * HOUR_MS, toMs: 9 * HOUR_MS, cluster: 1 } as const;
/** A cluster ran into the platform's global limit. */
const LIMITED = { fromMs: 20 * HOUR_MS, toMs: 19.5 * HOUR_MS, cluster: 3 } as const;

const within = (
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  agoMs: number,
): boolean => agoMs <= fromMs && agoMs > toMs;

export function clusterOf(shard: number): number {
  return Math.floor(shard / SHARDS_OF_CLUSTER);
}

/** The lowest shard of a process carries the figures of the process. */
export function isPrimary(shard: number): boolean {
  return shard % SHARDS_OF_CLUSTER === 0;
}

/** The moment a shard sends its heartbeat of a minute. */
export function slotOf(shard: number): number {
  return shard % SLOTS_OF_MINUTE;
}

/** When a shard fell silent for good; `null`: it did not. */
export function diedMs(shard: number, createdMs: number): number | null {
  const before = DEAD.get(shard);
  return before === undefined ? null : createdMs - before;
}

/** A shard sends a heartbeat at a time. */
export function isMeasured(shard: number, atMs: number, createdMs: number): boolean {
  const died = diedMs(shard, createdMs);
  if (died !== null && atMs > died) return false;
  const agoMs = createdMs - atMs;
  return !OUTAGES.some(
    (outage) =>
      within(outage, agoMs) && (outage.cluster === null || outage.cluster === clusterOf(shard)),
  );
}

/** Much by day, little by night: 0.4 to 1.6, around 1. */
export function tide(atMs: number): number {
  return 1 + 0.6 * Math.sin(((atMs / HOUR_MS - 13) / 24) * 2 * Math.PI);
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** What one shard measures. */
export function shardFigures(shard: number, atMs: number, createdMs: number) {
  const minute = Math.floor(atMs / MINUTE_MS);
  const slow = within(SLOW, createdMs - atMs) && clusterOf(shard) === SLOW.cluster;
  const ping = 36 + 26 * dice(1, shard) + 9 * tide(atMs) + 14 * dice(2, shard, minute);
  return {
    wsPingMs: round(slow ? ping * 4.2 : ping),
    guildCount: 880 + Math.floor(240 * dice(3, shard)),
    voiceConnections: Math.floor(14 * tide(atMs) * dice(4, shard, Math.floor(minute / 7))),
  };
}

/** What one process measures. */
export function processFigures(cluster: number, atMs: number) {
  const minute = Math.floor(atMs / MINUTE_MS);
  const dayPart = (atMs / (24 * HOUR_MS) + dice(5, cluster)) % 1;
  return {
    memoryMb: round(610 + 45 * cluster + 190 * dayPart + 30 * dice(6, cluster, minute)),
    cpuPercent: round(9 + 17 * tide(atMs) * (0.7 + 0.6 * dice(7, cluster, minute))),
    eventLoopDelayP95Ms: round(1.4 + 4 * tide(atMs) * (0.5 + dice(8, cluster, minute))),
  };
}

/** API requests of one process in one minute. */
export function minuteUsage(cluster: number, minute: number, createdMs: number) {
  const atMs = minute * MINUTE_MS;
  const throwFor = (what: number): number => dice(what, cluster, minute);
  const limited = within(LIMITED, createdMs - atMs) && cluster === LIMITED.cluster;
  return {
    restRequests: Math.round(150 * tide(atMs) * (0.7 + 0.6 * throwFor(9))),
    restRateLimitedGlobal: limited ? 4 + Math.floor(5 * throwFor(10)) : 0,
    restRateLimitedBucket: throwFor(11) < 0.05 ? 1 + Math.floor(4 * throwFor(12)) : 0,
    rest400: throwFor(13) < 0.03 ? 1 : 0,
    rest401: 0,
    rest403: throwFor(14) < 0.04 ? 1 + Math.floor(2 * throwFor(15)) : 0,
  };
}
export type MinuteUsage = ReturnType<typeof minuteUsage>;
