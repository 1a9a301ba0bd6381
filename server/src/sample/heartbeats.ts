import { LIMITS } from '@bot-analytics/protocol';
import { DAY_MS, dayText } from '../ingest/check/time.ts';
import { snapshotRows } from '../ingest/snapshot-rows.ts';
import { uuidV7 } from '../keys/uuid.ts';
import type { Heartbeat } from '../status/presence.ts';
import { diceBytes } from './dice.ts';
import {
  clusterOf,
  isMeasured,
  isPrimary,
  minuteUsage,
  processFigures,
  SHARD_IDS,
  shardFigures,
  SHARDS,
  SILENT_SHARD,
  SLOT_MS,
  slotOf,
  SLOTS_OF_MINUTE,
} from './fleet.ts';

const INTERVAL_MS = LIMITS.snapshotIntervalMs;

/** What made-up rows need to know of their bot. */
export interface SampleBot {
  readonly botId: string;
  readonly createdAtMs: number;
  readonly retentionDays: number;
}

/** One heartbeat on its way to the store. */
export interface Beat {
  readonly shardId: number;
  readonly clusterId: string;
  readonly atMs: number;
  readonly heartbeat: Heartbeat;
}

/** UUIDv7 as the decimal that the store takes. */
export function decimalId(uuid: string): string {
  return BigInt(`0x${uuid.replaceAll('-', '')}`).toString();
}

export function expiresOn(bot: SampleBot, atMs: number): string {
  return dayText(atMs + bot.retentionDays * DAY_MS);
}

export function instanceOf(bot: SampleBot, cluster: number): string {
  return uuidV7(bot.createdAtMs, diceBytes(20, cluster));
}

function heartbeatOf(bot: SampleBot, shard: number, atMs: number): Heartbeat {
  const cluster = clusterOf(shard);
  const shared: Heartbeat = {
    shardId: shard,
    shardCount: SHARDS,
    clusterId: String(cluster),
    shardStatus: shard === SILENT_SHARD ? 'resuming' : 'ready',
    ...shardFigures(shard, atMs, bot.createdAtMs),
    intervalMs: INTERVAL_MS,
    instanceId: instanceOf(bot, cluster),
    primary: isPrimary(shard),
  };
  if (!isPrimary(shard)) return shared;
  const usage = minuteUsage(cluster, Math.floor(atMs / INTERVAL_MS), bot.createdAtMs);
  return {
    ...shared,
    ...processFigures(cluster, atMs),
    ...usage,
    restRateLimitedShared: 0,
    restRateLimitedEdge: 0,
    sdkQueueSize: 0,
    sdkDropped: 0,
  };
}

/** The heartbeat of a shard at a time. */
export function beatOf(bot: SampleBot, shardId: number, atMs: number): Beat {
  const clusterId = String(clusterOf(shardId));
  return { shardId, clusterId, atMs, heartbeat: heartbeatOf(bot, shardId, atMs) };
}

/** Heartbeats due in one slot of ten seconds. */
export function beatsOfSlot(bot: SampleBot, slot: number): readonly Beat[] {
  const atMs = slot * SLOT_MS;
  return SHARD_IDS.filter(
    (shard) => slotOf(shard) === slot % SLOTS_OF_MINUTE && isMeasured(shard, atMs, bot.createdAtMs),
  ).map((shard) => beatOf(bot, shard, atMs));
}

/** The row of `heartbeats`. The same slot always gives the same row, so two servers store it once. */
export function beatRow(bot: SampleBot, { shardId, atMs, heartbeat }: Beat): string {
  const head = {
    botId: bot.botId,
    id: decimalId(uuidV7(atMs, diceBytes(21, shardId, Math.floor(atMs / SLOT_MS)))),
    tsMs: atMs,
    receivedAtMs: atMs,
    expiresOn: expiresOn(bot, atMs),
    guildId: '0',
  };
  return snapshotRows('heartbeat', head, heartbeat, 0)
    .map(([, text]) => text)
    .join('');
}
