import { HEARTBEAT_FIELDS, type FieldTable } from '@bot-analytics/protocol';
import { newestHeartbeats, type HeartbeatRow } from '../store/queries/presence.ts';
import type { Store } from '../store/store.ts';
import type { Heartbeat, Presence } from './presence.ts';

const FIELDS: readonly (readonly [string, FieldTable[string]])[] = Object.entries(HEARTBEAT_FIELDS);

function heartbeatFromRow(row: HeartbeatRow): Heartbeat {
  const heartbeat: Record<string, string | number | boolean> = {};
  for (const [name, { kind }] of FIELDS) {
    const value = row[name];
    if (value === null || value === undefined) continue;
    heartbeat[name] = kind === 'integer' || kind === 'number' ? Number(value) : value;
  }
  return heartbeat;
}

/** Fills the presence with what the store has received since `sinceMs` (Unix ms). @throws StoreDownError */
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
