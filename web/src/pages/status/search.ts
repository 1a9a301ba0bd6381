import { oneOf, present, textOf } from '../../shell/search.ts';
import { readShardSearch } from '../shard/search.ts';
import type { ShardSearch } from '../shard/search.ts';

const DENSITIES = ['cards', 'tiles', 'table'] as const;
export const FILLS = ['status', 'ping', 'cpu', 'mem'] as const;
export type Density = (typeof DENSITIES)[number];
export type Fill = (typeof FILLS)[number];

/** State of the status page in its address; defaults are left out. ui.md D1. */
export interface StatusSearch extends ShardSearch {
  readonly density?: Density;
  readonly fill?: Fill;
  readonly show?: 'offline';
  /** Finder: shard number, guild id, message link or `cluster <id>`. */
  readonly q?: string;
  /** Keys of opened groups with commas, or `all`. Means something where groups start closed. */
  readonly open?: string;
  /** Keys of closed groups. Means something where groups start open. */
  readonly shut?: string;
  /** `id`: groups in the order of their names, not those with offline shards first. */
  readonly order?: 'id';
  /** Page of the table, from 1. */
  readonly page?: string;
  /** Column of the table; a leading `-` turns the order round. */
  readonly sort?: string;
}

export function readStatusSearch(raw: Readonly<Record<string, unknown>>): StatusSearch {
  return present({
    // A bot with one shard has its charts on this page.
    ...readShardSearch(raw),
    density: oneOf(DENSITIES, raw['density']),
    fill: oneOf(FILLS, raw['fill']),
    show: oneOf(['offline'], raw['show']),
    q: textOf(raw['q'], 200),
    open: textOf(raw['open'], 20_000),
    shut: textOf(raw['shut'], 20_000),
    order: oneOf(['id'], raw['order']),
    page: textOf(raw['page'], 6),
    sort: textOf(raw['sort'], 20),
  });
}
