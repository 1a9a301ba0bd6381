import { useCallback, useSyncExternalStore } from 'react';
import { patchSearch } from '../shell/patch-search.ts';
import { stringifySearch } from '../shell/search.ts';

const moved = 'bot-analytics:moved';

/** Goes to an address of the public page without loading it anew. */
export function go(address: string, replace = false): void {
  if (replace) window.history.replaceState(null, '', address);
  else window.history.pushState(null, '', address);
  if (!replace) window.scrollTo(0, 0);
  window.dispatchEvent(new Event(moved));
}

/** Path and search of the page, followed as they change. */
export function useAddress(): string {
  return useSyncExternalStore(
    (listener) => {
      window.addEventListener('popstate', listener);
      window.addEventListener(moved, listener);
      return () => {
        window.removeEventListener('popstate', listener);
        window.removeEventListener(moved, listener);
      };
    },
    () => `${window.location.pathname}${window.location.search}`,
  );
}

/** Changes members of the search; `undefined` takes one away. */
export function useChangeSearch<Search extends object>(
  search: Search,
): (patch: { [K in keyof Search]?: Search[K] | undefined }) => void {
  return useCallback(
    (patch) => {
      const next = patchSearch(search, patch);
      const text = stringifySearch(Object.fromEntries(Object.entries(next)));
      go(`${window.location.pathname}${text}`, true);
    },
    [search],
  );
}
