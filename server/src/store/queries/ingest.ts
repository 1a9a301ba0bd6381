import { query } from '../query.ts';

/** Newest id of a bot, as decimal digits. Reads the last granule of each part: the key ends in `id`. */
export const newestEventId = query<{ botId: string }, { id: string }>(
  'newest_event_id',
  `SELECT id FROM events WHERE bot_id = {botId:UUID} ORDER BY bot_id DESC, id DESC LIMIT 1`,
);

interface Ids {
  readonly [name: string]: string | readonly string[];
  readonly botId: string;
  /** Decimal digits, at most LOOKUP_IDS_MAX. */
  readonly ids: readonly string[];
}

/** Values of one look-up: 200 ids of 39 digits are 8 KiB in the address of the request. */
export const LOOKUP_IDS_MAX = 200;

/** Which of these ids are stored as events. By primary key: 2 to 5 ms. */
export const storedEventIds = query<Ids, { id: string }>(
  'stored_event_ids',
  `SELECT id FROM events WHERE bot_id = {botId:UUID} AND id IN arrayMap(text -> toUInt128(text), {ids:Array(String)})`,
);

/** Which of these ids are stored as heartbeats, route snapshots or the latest guild snapshots. */
export const storedSnapshotIds = query<Ids, { id: string }>(
  'stored_snapshot_ids',
  `SELECT id FROM heartbeats WHERE bot_id = {botId:UUID} AND id IN arrayMap(text -> toUInt128(text), {ids:Array(String)})
  UNION ALL
  SELECT id FROM api_routes WHERE bot_id = {botId:UUID} AND id IN arrayMap(text -> toUInt128(text), {ids:Array(String)})
  UNION ALL
  SELECT id FROM guilds WHERE bot_id = {botId:UUID} AND id IN arrayMap(text -> toUInt128(text), {ids:Array(String)})`,
);

/** Events of a bot that were received since a time; for the quota. */
export const eventsSince = query<{ botId: string; sinceMs: number }, { events: string }>(
  'events_since',
  `SELECT count() AS events FROM events FINAL
  WHERE bot_id = {botId:UUID} AND received_at >= fromUnixTimestamp64Milli({sinceMs:Int64})`,
);
