import type { ClusterStatus, ShardStatus, Status } from '@bot-analytics/protocol/read-api';

/** Above this many shards groups start closed, and shards without a cluster are shown in ranges. ui.md D7. */
export const manyShards = 64;
/** Shards of one range. */
const rangeShards = 32;

/** Shards that stand together: a cluster, a range of shards, or everything. */
export interface ShardGroup {
  /** Unique on the page, stable over time. */
  readonly key: string;
  /** `null`: the only group, which needs no heading. */
  readonly title: string | null;
  /** `null` for ranges and for shards without a cluster. */
  readonly clusterId: string | null;
  readonly online: number;
  readonly total: number;
  /** Offline first, then by number. Spec of the issue: "offline first inside a cluster". */
  readonly shards: readonly ShardStatus[];
  /** With a filter: all of them. The heading speaks of these. */
  readonly unfiltered?: readonly ShardStatus[];
}

/** Heartbeats arrive, but the shard does not respond to the platform. */
export function isUnresponsive(shard: ShardStatus): boolean {
  return shard.state === 'online' && shard.unresponsive !== null;
}

function isWell(shard: ShardStatus): boolean {
  return shard.state === 'online' && shard.unresponsive === null;
}

/** Offline, then not responding, then the others, each by number. */
function worstFirst(shards: readonly ShardStatus[]): readonly ShardStatus[] {
  if (shards.every(isWell)) return shards;
  return [
    ...shards.filter((shard) => shard.state === 'offline'),
    ...shards.filter(isUnresponsive),
    ...shards.filter(isWell),
  ];
}

function group(
  names: Pick<ShardGroup, 'key' | 'title' | 'clusterId'>,
  shards: readonly ShardStatus[],
): ShardGroup {
  let online = 0;
  for (const shard of shards) if (shard.state === 'online') online += 1;
  return { ...names, online, total: shards.length, shards: worstFirst(shards) };
}

function rangesOf(cluster: ClusterStatus): readonly ShardGroup[] {
  const byRange = new Map<number, ShardStatus[]>();
  for (const shard of cluster.shards) {
    const first = Math.floor(shard.shardId / rangeShards) * rangeShards;
    const list = byRange.get(first);
    if (list === undefined) byRange.set(first, [shard]);
    else list.push(shard);
  }
  return [...byRange].map(([first, shards]) =>
    group(
      { key: `r${first}`, title: `Shards ${first}–${first + rangeShards - 1}`, clusterId: null },
      shards,
    ),
  );
}

function groupsOf(cluster: ClusterStatus, alone: boolean): readonly ShardGroup[] {
  const { clusterId, shards } = cluster;
  if (clusterId !== null) {
    // Keys stand in the address, separated by commas.
    const key = `c${encodeURIComponent(clusterId)}`;
    return [group({ key, title: `Cluster ${clusterId}`, clusterId }, shards)];
  }
  if (shards.length > manyShards) return rangesOf(cluster);
  return [group({ key: 'none', title: alone ? null : 'No cluster', clusterId }, shards)];
}

const byName = new Intl.Collator('en', { numeric: true });

function sameShards(a: ShardGroup, b: ShardGroup): boolean {
  return (
    a.title === b.title &&
    a.shards.length === b.shards.length &&
    a.shards.every((shard, index) => shard === b.shards[index])
  );
}

/**
 * Turns answers into groups. A group in which nothing changed keeps its identity from one answer to
 * the next, so React draws only the others: at 2,000 shards a delta of 33 costs a few milliseconds.
 */
export class Grouper {
  #before = new Map<ClusterStatus, readonly ShardGroup[]>();
  #byKey = new Map<string, ShardGroup>();

  /** In the order of names. */
  groups(status: Status): readonly ShardGroup[] {
    const alone = status.clusters.length === 1;
    const next = new Map<ClusterStatus, readonly ShardGroup[]>();
    const byKey = new Map<string, ShardGroup>();
    for (const cluster of status.clusters) {
      const known = this.#before.get(cluster);
      const made = known ?? groupsOf(cluster, alone).map((one) => this.#kept(one));
      next.set(cluster, made);
      for (const one of made) byKey.set(one.key, one);
    }
    this.#before = next;
    this.#byKey = byKey;
    return [...next.values()].flat().toSorted((a, b) => byName.compare(a.key, b.key));
  }

  #kept(made: ShardGroup): ShardGroup {
    const before = this.#byKey.get(made.key);
    return before !== undefined && sameShards(before, made) ? before : made;
  }
}
