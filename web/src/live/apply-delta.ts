import type {
  ClusterStatus,
  ShardStatus,
  Status,
  StatusDelta,
} from '@bot-analytics/protocol/read-api';

type ChangedShard = StatusDelta['shards'][number];

function changedCluster(
  cluster: ClusterStatus,
  changes: ReadonlyMap<number, ChangedShard>,
): ClusterStatus {
  let online = 0;
  const seen = new Set<number>();
  const shards: ShardStatus[] = cluster.shards.map((shard) => {
    seen.add(shard.shardId);
    const next = changes.get(shard.shardId) ?? shard;
    if (next.state === 'online') online += 1;
    return next;
  });
  let added = false;
  for (const [shardId, shard] of changes) {
    if (seen.has(shardId)) continue;
    shards.push(shard);
    added = true;
    if (shard.state === 'online') online += 1;
  }
  if (added) shards.sort((a, b) => a.shardId - b.shardId);
  return { clusterId: cluster.clusterId, online, total: shards.length, shards };
}

function withoutMoved(
  cluster: ClusterStatus,
  homeOf: ReadonlyMap<number, string | null>,
): ClusterStatus {
  const stays = (shard: ShardStatus): boolean => {
    const home = homeOf.get(shard.shardId);
    return home === undefined || home === cluster.clusterId;
  };
  if (cluster.shards.every(stays)) return cluster;
  const shards = cluster.shards.filter(stays);
  const online = shards.filter((shard) => shard.state === 'online').length;
  return { clusterId: cluster.clusterId, online, total: shards.length, shards };
}

/**
 * The status after a delta. Clusters and shards that did not change keep their identity, so that only
 * what changed is drawn again. A shard that reports from another cluster moves there.
 */
export function applyDelta(status: Status, delta: StatusDelta): Status {
  const byCluster = new Map<string | null, Map<number, ChangedShard>>();
  const homeOf = new Map<number, string | null>();
  for (const shard of delta.shards) {
    homeOf.set(shard.shardId, shard.clusterId);
    const group = byCluster.get(shard.clusterId) ?? new Map<number, ChangedShard>();
    group.set(shard.shardId, shard);
    byCluster.set(shard.clusterId, group);
  }
  const clusters: ClusterStatus[] = [];
  for (const before of status.clusters) {
    const cluster = withoutMoved(before, homeOf);
    const changes = byCluster.get(cluster.clusterId);
    byCluster.delete(cluster.clusterId);
    const next = changes === undefined ? cluster : changedCluster(cluster, changes);
    if (next.total > 0) clusters.push(next);
  }
  for (const [clusterId, changes] of byCluster) {
    clusters.push(changedCluster({ clusterId, online: 0, total: 0, shards: [] }, changes));
  }
  return {
    ...status,
    generatedAt: delta.generatedAt,
    online: delta.online,
    total: delta.total,
    clusters,
  };
}
