import { HEARTBEAT_FIELDS, type FieldTable } from '@bot-analytics/protocol';
import { gatewayReadings, newestHeartbeats, type HeartbeatRow } from '../store/queries/presence.ts';
import { lastRollup, seenShards } from '../store/queries/shard-hours.ts';
import type { Store } from '../store/store.ts';
import type { Heartbeat, Presence } from './presence.ts';
import type { GatewayTraces } from './traces.ts';
import { FORGOTTEN_AFTER_MS } from './view.ts';

const FIELDS: readonly (readonly [string, FieldTable[string]])[] = Object.entries(HEARTBEAT_FIELDS);
/** Readings that judge the gateway of a shard; the trace holds 16. */
const READINGS_MS = 20 * 60_000;
/** A heartbeat is stored this long after its time of receipt, at most. */
const STORED_WITHIN_MS = 120_000;
const STATUSES: ReadonlySet<string> = new Set(HEARTBEAT_FIELDS.shardStatus.values);

function heartbeatFromRow(row: HeartbeatRow): Heartbeat {
  const heartbeat: Record<string, string | number | boolean> = {};
  for (const [name, { kind }] of FIELDS) {
    const value = row[name];
    if (value === null || value === undefined) continue;
    heartbeat[name] = kind === 'integer' || kind === 'number' ? Number(value) : value;
  }
  return heartbeat;
}

/** Takes in what the store has received since `sinceMs` (Unix ms). @throws StoreDownError */
export async function loadPresence(
  store: Pick<Store, 'read'>,
  presence: Presence,
  sinceMs: number,
): Promise<void> {
  for (const row of await store.read(newestHeartbeats, { sinceMs })) {
    const heartbeat = heartbeatFromRow(row);
    presence.beat(row.botId, {
      shardId: row.shardId,
      clusterId: heartbeat.clusterId ?? null,
      arrivedAtMs: Number(row.arrivedAtMs),
      heartbeat,
    });
  }
}

const known = (text: string | null, name: 'shardCount' | 'guildCount'): Heartbeat =>
  text === null ? {} : { [name]: Number(text) };

/**
 * Rebuilds what was known before a restart: shards of the last month from their computed hours, then
 * whatever arrived since those were computed, then the readings that judge the gateways.
 * @throws StoreDownError
 */
export async function rebuildPresence(
  store: Pick<Store, 'read'>,
  { presence, traces }: { readonly presence: Presence; readonly traces: GatewayTraces },
  nowMs: number,
): Promise<void> {
  for (const row of await store.read(gatewayReadings, { sinceMs: nowMs - READINGS_MS })) {
    const { botId, shardId, instanceId, wsPingMs, shardStatus } = row;
    const heartbeat: Heartbeat = {
      ...(instanceId === null ? {} : { instanceId }),
      ...(wsPingMs === null ? {} : { wsPingMs }),
      ...(shardStatus !== null && STATUSES.has(shardStatus)
        ? { shardStatus: shardStatus as NonNullable<Heartbeat['shardStatus']> } // One of the set.
        : {}),
    };
    traces.add(botId, { shardId, arrivedAtMs: Number(row.arrivedAtMs), heartbeat });
  }
  for (const row of await store.read(seenShards, { sinceMs: nowMs - FORGOTTEN_AFTER_MS })) {
    presence.beat(row.botId, {
      shardId: row.shardId,
      clusterId: row.clusterId,
      arrivedAtMs: Number(row.arrivedAtMs),
      heartbeat: { ...known(row.shardCount, 'shardCount'), ...known(row.guildCount, 'guildCount') },
    });
  }
  const [rolled] = await store.read(lastRollup, {});
  const computedMs = Number(rolled?.atMs ?? 0);
  await loadPresence(store, presence, Math.min(computedMs, nowMs) - STORED_WITHIN_MS);
}
