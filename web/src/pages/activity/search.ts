import { oneOf, present } from '../../shell/search.ts';

export const GROUPS = ['interactions', 'actions', 'gateway', 'shards', 'errors', 'guilds'] as const;
/** A group of events that can be shown alone. */
export type Group = (typeof GROUPS)[number];

/** State of the activity page in its address; without `show` all events. */
export interface ActivitySearch {
  readonly show?: Group;
}

export function readActivitySearch(raw: Readonly<Record<string, unknown>>): ActivitySearch {
  return present({ show: oneOf(GROUPS, raw['show']) });
}
