import { LIMITS } from '@bot-analytics/protocol';
import type { ClusterStatus, ShardStatus, Status } from '@bot-analytics/protocol/read-api';
import { judgeGateway, sumRepeats, type GatewayTrace, type Unresponsive } from './gateway.ts';
import type { Heartbeat, ShardPresence } from './presence.ts';

/** One card with its cluster, as the stream sends it. */
export type ShardCard = ShardStatus & { readonly clusterId: string | null };

/** The status of a bot at one moment, before it is grouped. */
export interface StatusView {
  readonly generatedAtMs: number;
  readonly shardCount: number | null;
  readonly online: number;
  /** By shard id. */
  readonly cards: readonly ShardCard[];
}

/** A shard that was silent for longer is not shown any more: 31 days. Decision 0070. */
export const FORGOTTEN_AFTER_MS = 31 * 86_400_000;

/** Spec: "offline when none arrived for 2 minutes or more", by the clock of the server. */
export function isOnline(shard: Pick<ShardPresence, 'arrivedAtMs'>, nowMs: number): boolean {
  return nowMs - shard.arrivedAtMs < LIMITS.shardOfflineAfterMs;
}

/** Shards of the whole bot by its newest heartbeat; null when none told. */
function reportedShardCount(shards: readonly ShardPresence[]): number | null {
  let newest: ShardPresence | undefined;
  for (const shard of shards) {
    if (shard.heartbeat.shardCount === undefined) continue;
    if (newest === undefined || shard.arrivedAtMs >= newest.arrivedAtMs) newest = shard;
  }
  return newest?.heartbeat.shardCount ?? null;
}

/** Heartbeats that carry the figures of a process, by process. Spec of the field: `primary`. */
function processFigures(shards: readonly ShardPresence[]): ReadonlyMap<string, Heartbeat> {
  const figures = new Map<string, Heartbeat>();
  for (const { heartbeat } of shards) {
    if (heartbeat.primary === true && heartbeat.instanceId !== undefined) {
      figures.set(heartbeat.instanceId, heartbeat);
    }
  }
  return figures;
}

/**
 * One card. A dead shard has no ping, memory or CPU: the last good figure would look like a present one.
 * Its guild count stays, for it tells how many guilds are without a bot. Decision 0070.
 *
 * Written out without a spread: 2,000 cards took 12 ms with one and take 1.2 ms without.
 */
function cardOf(
  shard: ShardPresence,
  online: boolean,
  process: Heartbeat | undefined,
  unresponsive: Unresponsive,
): ShardCard {
  const { heartbeat } = shard;
  return {
    shardId: shard.shardId,
    clusterId: shard.clusterId,
    state: online ? 'online' : 'offline',
    lastHeartbeatAt: new Date(shard.arrivedAtMs).toISOString(),
    wsPingMs: online ? (heartbeat.wsPingMs ?? null) : null,
    memoryMb: online ? (process?.memoryMb ?? null) : null,
    cpuPercent: online ? (process?.cpuPercent ?? null) : null,
    guildCount: heartbeat.guildCount ?? null,
    voiceConnections: online ? (heartbeat.voiceConnections ?? null) : null,
    gateway: online ? (heartbeat.shardStatus ?? null) : null,
    unresponsive,
  };
}

/** The status of every shard that ever sent a heartbeat and still belongs to the bot. */
export function statusView(
  shards: readonly ShardPresence[],
  traces: ReadonlyMap<number, GatewayTrace>,
  nowMs: number,
): StatusView {
  const shardCount = reportedShardCount(shards);
  const online = new Set(shards.filter((shard) => isOnline(shard, nowMs)));
  const kept = shards.filter((shard) => {
    if (online.has(shard)) return true;
    // A bot that went from 20 shards to 10 has no shard 15 any more, and none is missing.
    const belongs = shardCount === null || shard.shardId < shardCount;
    return belongs && nowMs - shard.arrivedAtMs < FORGOTTEN_AFTER_MS;
  });
  const figures = processFigures(kept);
  const onlineTraces: GatewayTrace[] = [];
  for (const { shardId } of online) {
    const trace = traces.get(shardId);
    if (trace !== undefined) onlineTraces.push(trace);
  }
  const repeats = sumRepeats(onlineTraces);
  const cards = kept.map((shard) => {
    const { heartbeat, shardId } = shard;
    if (!online.has(shard)) return cardOf(shard, false, undefined, null);
    const process =
      heartbeat.primary === false ? figures.get(heartbeat.instanceId ?? '') : heartbeat;
    const trace = traces.get(shardId);
    return cardOf(shard, true, process, trace === undefined ? null : judgeGateway(trace, repeats));
  });
  return { generatedAtMs: nowMs, shardCount, online: online.size, cards };
}

/** Cluster 2 before cluster 10, words by letter, shards without a cluster first. */
function compareClusters(a: string | null, b: string | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1;
  return a.localeCompare(b, 'en', { numeric: true });
}

/** The answer of the status route: cards grouped cluster > shard. Spec: Status view. */
export function toStatus(view: StatusView): Status {
  const groups = new Map<string | null, ShardStatus[]>();
  for (const { clusterId, ...card } of view.cards) {
    const group = groups.get(clusterId);
    if (group === undefined) groups.set(clusterId, [card]);
    else group.push(card);
  }
  const clusters = [...groups]
    .sort(([a], [b]) => compareClusters(a, b))
    .map(([clusterId, shards]): ClusterStatus => ({
      clusterId,
      online: shards.filter((shard) => shard.state === 'online').length,
      total: shards.length,
      shards,
    }));
  return {
    generatedAt: new Date(view.generatedAtMs).toISOString(),
    offlineAfterMs: LIMITS.shardOfflineAfterMs,
    online: view.online,
    total: view.cards.length,
    shardCount: view.shardCount,
    clusters,
  };
}
