import type { Heartbeat, ShardPresence } from '../../../src/status/presence.ts';

export const T0 = Date.UTC(2026, 10, 21, 12);
export const PROCESS = '01900000-0000-7000-8000-000000000001';

export function beat(change: Partial<Heartbeat> = {}): Heartbeat {
  return {
    shardId: 0,
    shardCount: 1,
    clusterId: null,
    shardStatus: 'ready',
    wsPingMs: 84,
    guildCount: 10,
    voiceConnections: 2,
    memoryMb: 120.5,
    cpuPercent: 3.5,
    eventLoopDelayP95Ms: 4,
    instanceId: PROCESS,
    primary: true,
    ...change,
  };
}

export function shard(
  shardId: number,
  arrivedAtMs: number,
  change: Partial<Heartbeat> = {},
): ShardPresence {
  return {
    shardId,
    clusterId: change.clusterId ?? null,
    arrivedAtMs,
    heartbeat: beat({ shardId, ...change }),
  };
}
