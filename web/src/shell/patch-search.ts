/** A search with some members changed; `undefined` takes a member away. */
export function patchSearch<Search extends object>(
  before: Search,
  patch: { [K in keyof Search]?: Search[K] | undefined },
): Search {
  const entries = Object.entries({ ...before, ...patch });
  // Members keep their own types; only the missing ones are gone.
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Search;
}
