import { LIMITS } from '@bot-analytics/protocol';
import type { ClientView } from './adapter.ts';
import { guildSnapshots, PORTIONS } from './guild-snapshots.ts';
import type { CollectorParts, Emit } from './parts.ts';
import { NO_FIGURES, type ProcessFigures } from './process-figures.ts';

/** What snapshots are made of. */
export interface SnapshotParts extends Omit<CollectorParts, 'emit'> {
  readonly client: ClientView;
  readonly figures: ProcessFigures;
  readonly emit: Emit;
  /** Repeats until the collector stops. */
  readonly periodically: (ms: number, run: () => void) => void;
}

/**
 * Heartbeats per shard, guild snapshots spread over the interval, route counts every 5 minutes: all
 * from the first shard on that is ready. Returns what is to be called for each shard that is; its
 * heartbeat leaves at once, not after an interval. transport.md C22.
 */
export function snapshots(parts: SnapshotParts): (shardId: number) => void {
  const { client, env, host, emit, periodically, figures, instanceId, snapshotIntervalMs } = parts;
  /** Monotonic time of the last heartbeat of each shard. */
  const lastBeatMs = new Map<number, number>();
  /** Shards whose last heartbeat had no ping; the library knows it up to 45 s later. */
  const pingless = new Set<number>();
  /** The lowest shard that was ready: it alone carries what stands once per process. */
  let primaryId = Infinity;

  const beat = (wanted?: (id: number, pingMs: number | null) => boolean): void => {
    const nowMs = env.monotonic();
    for (const { id, status, pingMs, guildCount, voiceConnections } of client.shards()) {
      if (wanted && !wanted(id, pingMs)) continue;
      const primary = id === primaryId;
      const intervalMs = Math.round(nowMs - (lastBeatMs.get(id) ?? nowMs));
      lastBeatMs.set(id, nowMs);
      if (pingMs === null) pingless.add(id);
      else pingless.delete(id);
      emit({
        type: 'heartbeat',
        data: {
          shardId: id,
          shardCount: client.shardCount(),
          clusterId: parts.clusterId ?? client.clusterId,
          shardStatus: status,
          wsPingMs: pingMs,
          guildCount,
          voiceConnections,
          ...(primary ? figures.takeFigures() : NO_FIGURES),
          intervalMs,
          instanceId,
          primary,
          uptimeMs: host.uptimeMs(),
          library: client.library,
          libraryVersion: client.libraryVersion,
          runtime: host.runtime,
          runtimeVersion: host.runtimeVersion,
          ...parts.health(),
        },
      });
    }
  };

  return (shardId) => {
    const former = primaryId;
    primaryId = Math.min(former, shardId);
    // The one that is no longer the lowest gives the figures away at once.
    beat((id) => id === shardId || (id === former && id > primaryId));
    parts.drainSoon();
    if (former < Infinity) return;
    periodically(snapshotIntervalMs, beat);
    periodically(snapshotIntervalMs / PORTIONS, () => {
      if (pingless.size) beat((id, pingMs) => pingMs !== null && pingless.has(id));
    });
    if (!parts.collect.snapshots) return;
    periodically(snapshotIntervalMs / PORTIONS, guildSnapshots(client, emit));
    periodically(LIMITS.apiRoutesIntervalMs, () => {
      const data = { ...figures.takeRoutes(), instanceId, shardId: primaryId };
      if (data.total) emit({ type: 'api_routes_snapshot', data });
    });
  };
}
