import type { ShardStatus } from '@bot-analytics/protocol/read-api';
import type { ShardGroup } from '../grid/groups.ts';

/** Rows of one page of the table. */
const tableRows = 100;

export const COLUMNS = ['shard', 'state', 'ping', 'mem', 'cpu', 'guilds', 'voice', 'seen'] as const;
export type Column = (typeof COLUMNS)[number];

/** One row. */
export interface TableRow {
  readonly shard: ShardStatus;
  readonly cluster: string | null;
}

/** A page of the table. */
export interface TableView {
  readonly rows: readonly TableRow[];
  readonly page: number;
  readonly pages: number;
  readonly first: number;
  readonly total: number;
  readonly sort: Column;
  readonly descending: boolean;
  readonly hasClusters: boolean;
}

const KEYS = {
  shard: (shard) => shard.shardId,
  state: (shard) => (shard.state === 'offline' ? 0 : 1),
  ping: (shard) => shard.wsPingMs,
  mem: (shard) => shard.memoryMb,
  cpu: (shard) => shard.cpuPercent,
  guilds: (shard) => shard.guildCount,
  voice: (shard) => shard.voiceConnections,
  seen: (shard) => Date.parse(shard.lastHeartbeatAt),
} as const satisfies Record<Column, (shard: ShardStatus) => number | null>;

/** Old figures of an offline shard are neither shown nor sorted by. */
function keyOf(column: Column, shard: ShardStatus): number | null {
  const always = column === 'shard' || column === 'state' || column === 'seen';
  return always || shard.state === 'online' ? KEYS[column](shard) : null;
}

/** Order of a column; rows without a value come last both ways. */
function compare(a: number | null, b: number | null, sign: 1 | -1): number {
  if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0);
  return (a - b) * sign;
}

/** `sort` as in the address: `ping`, `-ping`; default: offline first, then by number. */
export function tableView(
  groups: readonly ShardGroup[],
  sort: string | undefined,
  page: string | undefined,
): TableView {
  const name = sort?.replace(/^-/, '');
  const column = COLUMNS.find((one) => one === name) ?? 'state';
  const descending = sort?.startsWith('-') === true;
  const sign = descending ? -1 : 1;
  const all = groups.flatMap((group) =>
    group.shards.map((shard) => ({ shard, cluster: group.clusterId })),
  );
  all.sort(
    (a, b) =>
      compare(keyOf(column, a.shard), keyOf(column, b.shard), sign) ||
      a.shard.shardId - b.shard.shardId,
  );
  const pages = Math.max(1, Math.ceil(all.length / tableRows));
  const at = Math.min(pages, Math.max(1, Math.floor(Number(page ?? 1)) || 1));
  const first = (at - 1) * tableRows;
  return {
    rows: all.slice(first, first + tableRows),
    page: at,
    pages,
    first,
    total: all.length,
    sort: column,
    descending,
    hasClusters: groups.some((group) => group.clusterId !== null),
  };
}

/** The `sort` after a click on a column: the other way round when it is sorted by already. */
export function nextSort(view: Pick<TableView, 'sort' | 'descending'>, column: Column): string {
  return view.sort === column && !view.descending ? `-${column}` : column;
}
