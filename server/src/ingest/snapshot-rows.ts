import { HEARTBEAT_FIELDS, type FieldTable, type SnapshotType } from '@bot-analytics/protocol';
import { INSERT_COLUMNS } from '../store/inserts.ts';
import type { Heartbeat } from '../status/presence.ts';
import { cutToBytes } from './check/text-guard.ts';
import { dayText } from './check/time.ts';

/** What every row of a snapshot starts from. */
export interface SnapshotHead {
  readonly botId: string;
  /** Decimal. */
  readonly id: string;
  readonly tsMs: number;
  readonly receivedAtMs: number;
  /** `2026-01-31`. */
  readonly expiresOn: string;
  readonly guildId: string;
}

/** Rows of one snapshot by table. */
export type SnapshotRows = readonly (readonly [SnapshotTable, string])[];
export type SnapshotTable = 'heartbeats' | 'guilds' | 'guild_days' | 'api_routes';

/** Longest short text of a snapshot (cluster id, versions), UTF-8 bytes. */
const SHORT_TEXT_BYTES_MAX = 200;
const ROUTE_BYTES_MAX = 500;
const METHOD_CHARS_MAX = 10;
const SHARD_ID_MAX = 65_535;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type Value = string | number | boolean | null;
type Data = Readonly<Record<string, unknown>>;

const integer = (value: unknown): number | null =>
  Number.isSafeInteger(value) ? (value as number) : null;
const finite = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;
const bool = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null);
const text = (value: unknown): string | null =>
  typeof value === 'string' ? cutToBytes(value, SHORT_TEXT_BYTES_MAX) : null;
const uuid = (value: unknown): string | null =>
  typeof value === 'string' && UUID.test(value) ? value.toLowerCase() : null;

/** A field of the wrong kind is "not known", not a reason to lose a sign of life. */
function readField(field: FieldTable[string], value: unknown): Value {
  switch (field.kind) {
    case 'integer':
    case 'number': {
      const number = field.kind === 'integer' ? integer(value) : finite(value);
      return number !== null && field.min !== undefined && number < field.min ? null : number;
    }
    case 'boolean':
      return bool(value);
    case 'uuid':
      return uuid(value);
    case 'string':
      return text(value);
    case 'iso':
    case 'code':
    case 'strings':
    case 'routes':
    case 'object':
      return null;
  }
}

/** `wsPingMs` is the column `ws_ping_ms`. */
export function columnOf(field: string): string {
  return field.replace(/(?<=[a-z0-9])[A-Z]|P(?=\d)/g, (letter) => `_${letter}`).toLowerCase();
}

const HEARTBEAT_FIELD_LIST: readonly (readonly [string, FieldTable[string]])[] =
  Object.entries(HEARTBEAT_FIELDS);

/** Shard of a snapshot's `data`, 0 to 65,535; null when it is none. */
export function shardIdOf(data: Data): number | null {
  const value = integer(data['shardId']);
  return value !== null && value >= 0 && value <= SHARD_ID_MAX ? value : null;
}

/** The good fields of a heartbeat. */
export function readHeartbeat(data: Data): Heartbeat {
  const good: Record<string, Value> = {};
  for (const [name, field] of HEARTBEAT_FIELD_LIST) {
    const value = readField(field, data[name]);
    if (value !== null) good[name] = value;
  }
  return good;
}

function line(values: readonly Value[]): string {
  return `${JSON.stringify(values)}\n`;
}

const HEARTBEAT_HEAD = 5;
const FIELD_BY_COLUMN = new Map(HEARTBEAT_FIELD_LIST.map(([name]) => [columnOf(name), name]));
const HEARTBEAT_ORDER = INSERT_COLUMNS.heartbeats
  .slice(HEARTBEAT_HEAD)
  .map((column) => FIELD_BY_COLUMN.get(column) ?? column);

function heartbeatRows(head: SnapshotHead, data: Data): SnapshotRows {
  const heartbeat: Data = readHeartbeat(data);
  const values: Value[] = [head.botId, head.id, head.tsMs, head.receivedAtMs, head.expiresOn];
  for (const name of HEARTBEAT_ORDER) {
    // The shard is part of the sorting key; a bot without sharding is shard 0.
    values.push(name === 'shardId' ? (shardIdOf(data) ?? 0) : ((heartbeat[name] ?? null) as Value));
  }
  return [['heartbeats', line(values)]];
}

function guildRows(head: SnapshotHead, data: Data): SnapshotRows {
  const state: Value[] = [
    head.guildId,
    head.id,
    head.tsMs,
    head.receivedAtMs,
    integer(data['memberCount']),
    integer(data['onlineCount']),
    text(data['name']),
    text(data['locale']),
    bool(data['available']),
    shardIdOf(data),
  ];
  return [
    ['guilds', line([head.botId, ...state])],
    ['guild_days', line([head.botId, dayText(head.tsMs), ...state])],
  ];
}

function routeRows(head: SnapshotHead, data: Data, routesMax: number): SnapshotRows {
  const routes: unknown[] = Array.isArray(data['routes']) ? data['routes'] : [];
  const rows = routes.slice(0, routesMax).map((entry, rank) => {
    const route = (typeof entry === 'object' && entry !== null ? entry : {}) as Data;
    const values: Value[] = [
      head.botId,
      head.id,
      rank,
      head.tsMs,
      head.receivedAtMs,
      shardIdOf(data),
      uuid(data['instanceId']),
      integer(data['windowMs']),
      integer(data['total']),
      integer(data['distinctRoutes']),
      (text(route['method']) ?? '').slice(0, METHOD_CHARS_MAX),
      typeof route['route'] === 'string' ? cutToBytes(route['route'], ROUTE_BYTES_MAX) : '',
      Math.max(0, integer(route['count']) ?? 0),
      head.expiresOn,
    ];
    return line(values);
  });
  return rows.length === 0 ? [] : [['api_routes', rows.join('')]];
}

/** The rows of a snapshot. `data` went through the guards. */
export function snapshotRows(
  type: SnapshotType,
  head: SnapshotHead,
  data: Data,
  routesMax: number,
): SnapshotRows {
  switch (type) {
    case 'heartbeat':
      return heartbeatRows(head, data);
    case 'guild_snapshot':
      return guildRows(head, data);
    case 'api_routes_snapshot':
      return routeRows(head, data, routesMax);
  }
}
