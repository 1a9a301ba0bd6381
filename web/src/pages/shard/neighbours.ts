import type { ShardStatus, Status } from '@bot-analytics/protocol/read-api';

/** Where a shard stands among the others. */
export interface ShardPlace {
  readonly shard: ShardStatus | null;
  readonly clusterId: string | null;
  /** Numbers of the next shards that were ever seen; `null` at the ends. */
  readonly before: number | null;
  readonly after: number | null;
}

export function placeOf(status: Status, shardId: number): ShardPlace {
  let found: ShardStatus | null = null;
  let clusterId: string | null = null;
  let before: number | null = null;
  let after: number | null = null;
  for (const cluster of status.clusters) {
    for (const shard of cluster.shards) {
      const id = shard.shardId;
      if (id === shardId) {
        found = shard;
        clusterId = cluster.clusterId;
      } else if (id < shardId) before = before === null ? id : Math.max(before, id);
      else after = after === null ? id : Math.min(after, id);
    }
  }
  return { shard: found, clusterId, before, after };
}
