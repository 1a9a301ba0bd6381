import type { StatusDelta } from '@bot-analytics/protocol/read-api';
import type { ShardCard, StatusView } from './view.ts';

/** What a viewer of `before` has to be told. `snapshot`: a delta cannot say it. */
export type Change =
  | { readonly kind: 'none' }
  | { readonly kind: 'snapshot' }
  | { readonly kind: 'delta'; readonly delta: StatusDelta };

function sameCard(a: ShardCard, b: ShardCard): boolean {
  return (
    a.lastHeartbeatAt === b.lastHeartbeatAt &&
    a.state === b.state &&
    a.wsPingMs === b.wsPingMs &&
    a.memoryMb === b.memoryMb &&
    a.cpuPercent === b.cpuPercent &&
    a.guildCount === b.guildCount &&
    a.voiceConnections === b.voiceConnections &&
    a.gateway === b.gateway &&
    a.unresponsive === b.unresponsive &&
    a.clusterId === b.clusterId
  );
}

/** The difference of two views. A shard that left, or a new shard count, needs a whole status. */
export function changeBetween(before: StatusView, after: StatusView): Change {
  if (before.shardCount !== after.shardCount) return { kind: 'snapshot' };
  const known = new Map(before.cards.map((card) => [card.shardId, card]));
  const shards = after.cards.filter((card) => {
    const old = known.get(card.shardId);
    known.delete(card.shardId);
    return old === undefined || !sameCard(old, card);
  });
  if (known.size > 0) return { kind: 'snapshot' };
  if (shards.length === 0) return { kind: 'none' };
  const { online, cards } = after;
  const generatedAt = new Date(after.generatedAtMs).toISOString();
  return { kind: 'delta', delta: { generatedAt, online, total: cards.length, shards } };
}
