import { parseSearch } from '../shell/search.ts';
import type { RawSearch } from '../shell/search.ts';

/** Where on a public page the viewer is: `/p/<token>`, `/p/<token>/<shard>`, `/p/<token>/api`. */
export interface PublicPlace {
  readonly token: string;
  readonly section: 'status' | 'shard' | 'api';
  /** Of the section `shard`. */
  readonly shard: number | null;
  readonly search: RawSearch;
}

/** `null`: not an address of a public page. */
export function placeOfAddress(address: string): PublicPlace | null {
  const { pathname, search: text } = new URL(address, 'http://page');
  const found = /^\/p\/([\w.~-]{1,80})(?:\/(status|api|\d{1,5}))?\/?$/.exec(pathname);
  const token = found?.[1];
  if (token === undefined) return null;
  const rest = found?.[2];
  const search = parseSearch(text);
  if (rest === 'api') return { token, section: 'api', shard: null, search };
  if (rest === undefined || rest === 'status') {
    return { token, section: 'status', shard: null, search };
  }
  return { token, section: 'shard', shard: Number(rest), search };
}
