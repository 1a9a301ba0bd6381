import { oneOf, present, textOf } from '../../shell/search.ts';
import { readShardSearch } from '../shard/search.ts';
import type { ShardSearch } from '../shard/search.ts';

/** What the SDK counts of the answers to a bot's requests. Spec: Status view, "API usage". */
export const COUNTER_KEYS = [
  'restRequests',
  'rateLimitedGlobal',
  'rateLimitedBucket',
  'rest400',
  'rest401',
  'rest403',
] as const;
export type Counter = (typeof COUNTER_KEYS)[number];

/** State of the API usage page in its address. */
export interface ApiSearch extends ShardSearch {
  /** Lowest shard of the only process that is shown. */
  readonly process?: string;
  /** What the processes are compared by; default the requests. */
  readonly by?: Counter;
}

export function readApiSearch(raw: Readonly<Record<string, unknown>>): ApiSearch {
  const process = textOf(raw['process'], 5);
  return present({
    ...readShardSearch(raw),
    process: /^\d{1,5}$/.test(process ?? '') ? process : undefined,
    by: oneOf(COUNTER_KEYS, raw['by']),
  });
}

/** Changes members of the search; `undefined` takes one away. */
export type ChangeApiSearch = (patch: {
  [K in keyof ApiSearch]?: ApiSearch[K] | undefined;
}) => void;
