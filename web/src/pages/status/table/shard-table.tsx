import {
  fullCount,
  megabytes,
  milliseconds,
  NOT_MEASURED,
  percent,
} from '../../../format/numbers.ts';
import { nearTime } from '../../../format/time.ts';
import { Button } from '../../../ui/button.tsx';
import { cardState } from '../grid/card-view.ts';
import { StateMark } from '../../../ui/state-mark.tsx';
import table from '../../../ui/table.module.css';
import type { ChangeSearch } from '../controls.tsx';
import { COLUMNS, nextSort } from './table-view.ts';
import type { Column, TableRow, TableView } from './table-view.ts';

const HEADS = {
  shard: 'Shard',
  state: 'State',
  ping: 'Ping',
  mem: 'Memory',
  cpu: 'CPU',
  guilds: 'Guilds',
  voice: 'Voice',
  seen: 'Last heartbeat',
} as const satisfies Record<Column, string>;

/** On a phone three columns are left. ui.md A, "Mobile". */
const LOOKS = {
  shard: '',
  state: '',
  ping: table.number,
  mem: `${table.number ?? ''} ${table.spare ?? ''}`,
  cpu: `${table.number ?? ''} ${table.spare ?? ''}`,
  guilds: `${table.number ?? ''} ${table.spare ?? ''}`,
  voice: `${table.number ?? ''} ${table.spare ?? ''}`,
  seen: table.spare,
} as const satisfies Record<Column, string | undefined>;

function cellText(column: Column, row: TableRow, nowMs: number): string {
  const { shard } = row;
  if (column === 'seen') return nearTime(Date.parse(shard.lastHeartbeatAt), nowMs);
  if (shard.state === 'offline') return NOT_MEASURED;
  switch (column) {
    case 'ping':
      return milliseconds(shard.wsPingMs);
    case 'mem':
      return megabytes(shard.memoryMb);
    case 'cpu':
      return percent(shard.cpuPercent);
    case 'guilds':
      return fullCount(shard.guildCount);
    case 'voice':
      return fullCount(shard.voiceConnections);
    case 'shard':
    case 'state':
      return '';
  }
}

interface TableProps {
  readonly view: TableView;
  readonly nowMs: number;
  readonly onSearch: ChangeSearch;
  /** `null`: there is no page of a shard. */
  readonly shardHref: (shardId: number) => string | null;
}

interface ShardLinkProps {
  readonly id?: string;
  readonly shardId: number;
  readonly href: string | null;
  readonly text: string;
}

/** A way to a shard's page, or its name alone where there is no such page. */
export function ShardLink({ id, shardId, href, text }: ShardLinkProps) {
  if (href === null) return <>Shard {shardId}</>;
  return (
    <a id={id} href={href}>
      {text} {shardId}
    </a>
  );
}

function Row({
  row,
  view,
  nowMs,
  shardHref,
}: Omit<TableProps, 'onSearch'> & { readonly row: TableRow }) {
  const { shard, cluster } = row;
  const { mark, word } = cardState(shard);
  return (
    <tr>
      <td>
        <ShardLink shardId={shard.shardId} href={shardHref(shard.shardId)} text="Shard" />
      </td>
      {view.hasClusters && <td className={table.spare}>{cluster ?? NOT_MEASURED}</td>}
      <td>
        <StateMark kind={mark} /> {word}
      </td>
      {COLUMNS.slice(2).map((column) => (
        <td key={column} className={LOOKS[column]}>
          {cellText(column, row, nowMs)}
        </td>
      ))}
    </tr>
  );
}

function Head({ view, onSearch }: Pick<TableProps, 'view' | 'onSearch'>) {
  const sortOf = (column: Column) =>
    view.sort !== column ? 'none' : view.descending ? 'descending' : 'ascending';
  return (
    <thead>
      <tr>
        {COLUMNS.map((column) => [
          <th key={column} scope="col" className={LOOKS[column]} aria-sort={sortOf(column)}>
            <button
              type="button"
              onClick={() => onSearch({ sort: nextSort(view, column), page: undefined })}
            >
              {HEADS[column]}
              <span aria-hidden="true">
                {view.sort !== column ? '' : view.descending ? '↓' : '↑'}
              </span>
            </button>
          </th>,
          column === 'shard' && view.hasClusters && (
            <th key="cluster" scope="col" className={table.spare}>
              Cluster
            </th>
          ),
        ])}
      </tr>
    </thead>
  );
}

function Pager({ view, onSearch }: Pick<TableProps, 'view' | 'onSearch'>) {
  const go = (page: number): void => onSearch({ page: page === 1 ? undefined : String(page) });
  return (
    <div className={table.pager}>
      <span>
        {fullCount(view.first + 1)}–{fullCount(view.first + view.rows.length)} of{' '}
        {fullCount(view.total)}
      </span>
      <Button small disabled={view.page === 1} onClick={() => go(view.page - 1)}>
        Previous
      </Button>
      <Button small disabled={view.page === view.pages} onClick={() => go(view.page + 1)}>
        Next
      </Button>
    </div>
  );
}

/** Every figure side by side; 100 rows a page, sortable. */
export function ShardTable({ view, nowMs, onSearch, shardHref }: TableProps) {
  return (
    <>
      {/* Scrolls sideways, so the keyboard has to reach it. */}
      <div className={table.scroll} tabIndex={0} role="group" aria-label="Shards">
        <table className={table.table}>
          <Head view={view} onSearch={onSearch} />
          <tbody>
            {view.rows.map((row) => (
              <Row
                key={row.shard.shardId}
                row={row}
                view={view}
                nowMs={nowMs}
                shardHref={shardHref}
              />
            ))}
          </tbody>
        </table>
      </div>
      {view.pages > 1 && <Pager view={view} onSearch={onSearch} />}
    </>
  );
}
