import { oneOf, present, textOf } from '../../shell/search.ts';

/** Ranges by name; the default is the first. ui.md D1: shard history 24 h. */
export const RANGES = ['24h', '7d', '30d'] as const;
export type RangeName = (typeof RANGES)[number];

/** Time range of a page in its address. A custom one stands in `from` and `to`. */
export interface ShardSearch {
  readonly range?: RangeName;
  /** ISO 8601 UTC. */
  readonly from?: string;
  readonly to?: string;
  readonly view?: 'table';
}

export function readShardSearch(raw: Readonly<Record<string, unknown>>): ShardSearch {
  return present({
    range: oneOf(RANGES, raw['range']),
    from: textOf(raw['from'], 40),
    to: textOf(raw['to'], 40),
    view: oneOf(['table'], raw['view']),
  });
}
