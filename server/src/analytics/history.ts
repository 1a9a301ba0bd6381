import {
  RANGE_LIMITS,
  type HistoryHour,
  type ShardEvent,
  type ShardHistory,
} from '@bot-analytics/protocol/read-api';
import { isOnline } from '../status/view.ts';
import type { Presence, ShardPresence } from '../status/presence.ts';
import {
  freshHistory,
  shardHistory,
  shardLifecycle,
  type HistoryRow,
  type LifecycleRow,
} from '../store/queries/history.ts';
import type { Store } from '../store/store.ts';
import { hourOf, hoursOf, type TimeRange } from './range.ts';

const iso = (ms: number): string => new Date(ms).toISOString();

/**
 * Every hour of the range, oldest first; an hour without heartbeats is null, never 0. Where an hour is
 * in both, the fresh row counts, and the computed one fills what it lacks (the figures of a process
 * whose primary shard is not known any more).
 */
export function fillHours(
  range: TimeRange,
  computed: readonly HistoryRow[],
  fresh: readonly HistoryRow[],
): HistoryHour[] {
  const computedByHour = new Map(computed.map((row) => [row.hour * 1_000, row]));
  const freshByHour = new Map(fresh.map((row) => [row.hour * 1_000, row]));
  return hoursOf(range).map((hourMs) => {
    const old = computedByHour.get(hourMs);
    const row = freshByHour.get(hourMs);
    return {
      hour: iso(hourMs),
      wsPingMs: row?.wsPingMs ?? old?.wsPingMs ?? null,
      memoryMb: row?.memoryMb ?? old?.memoryMb ?? null,
      cpuPercent: row?.cpuPercent ?? old?.cpuPercent ?? null,
      eventLoopDelayP95Ms: row?.eventLoopDelayP95Ms ?? old?.eventLoopDelayP95Ms ?? null,
      heartbeats: row?.heartbeats ?? old?.heartbeats ?? 0,
    };
  });
}

/** The shard that carries the figures of the process of `shard`; itself when unknown. */
export function primaryOf(shard: ShardPresence, all: readonly ShardPresence[]): number {
  const { instanceId, primary } = shard.heartbeat;
  if (primary !== false || instanceId === undefined) return shard.shardId;
  const found = all.find(
    ({ heartbeat }) => heartbeat.primary === true && heartbeat.instanceId === instanceId,
  );
  return found?.shardId ?? shard.shardId;
}

function eventFromRow(row: LifecycleRow): ShardEvent {
  return {
    id: row.id,
    type: row.type as ShardEvent['type'], // The query asks for these types only.
    ts: iso(Number(row.tsMs)),
    data: JSON.parse(row.data) as Record<string, unknown>, // Stored as a JSON object.
  };
}

export interface HistoryDeps {
  readonly store: Pick<Store, 'read'>;
  readonly presence: Presence;
  readonly freshFromMs: () => number;
}

/** Hourly figures and lifecycle events of one shard. @throws StoreDownError */
export async function readHistory(
  { store, presence, freshFromMs }: HistoryDeps,
  asked: { readonly botId: string; readonly shardId: number; readonly range: TimeRange },
  nowMs: number,
): Promise<ShardHistory> {
  const { botId, shardId, range } = asked;
  const all = presence.shards(botId);
  const shard = all.find((candidate) => candidate.shardId === shardId);
  const primaryId = shard === undefined ? shardId : primaryOf(shard, all);
  const fromMs = hourOf(range.fromMs);
  const whole = { botId, shardId, fromMs, toMs: range.toMs };
  const freshFrom = Math.max(fromMs, freshFromMs());
  const [computed, fresh, events] = await Promise.all([
    store.read(shardHistory, whole),
    freshFrom < range.toMs
      ? store.read(freshHistory, { ...whole, fromMs: freshFrom, primaryId })
      : [],
    store.read(shardLifecycle, { ...whole, limit: RANGE_LIMITS.lifecycleMax }),
  ]);
  return {
    shardId,
    clusterId: shard?.clusterId ?? null,
    from: iso(fromMs),
    to: iso(range.toMs),
    state: shard === undefined ? null : isOnline(shard, nowMs) ? 'online' : 'offline',
    lastHeartbeatAt: shard === undefined ? null : iso(shard.arrivedAtMs),
    hours: fillHours(range, computed, fresh),
    lifecycle: events.toReversed().map(eventFromRow),
  };
}
