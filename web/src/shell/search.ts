/** The part of an address after `?`, as plain text values: `?open=3,4&show=offline`. */
export type RawSearch = Readonly<Record<string, string>>;

/** `URLSearchParams` without quotes or JSON; a repeated name keeps its last value. */
export function parseSearch(text: string): RawSearch {
  return Object.fromEntries(new URLSearchParams(text));
}

/** The opposite of `parseSearch`; empty and missing values are left out, commas stay readable. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(search)) {
    if (typeof value === 'string' && value !== '') params.set(key, value);
    if (typeof value === 'number') params.set(key, String(value));
  }
  const encoded = params.toString().replaceAll('%2C', ',');
  return encoded === '' ? '' : `?${encoded}`;
}

/** One of a closed set, else `undefined`, so that a wrong address falls back to the default. */
export function oneOf<const Choice extends string>(
  choices: readonly Choice[],
  value: unknown,
): Choice | undefined {
  return choices.find((choice) => choice === value);
}

/** Text of at most `maxChars`, else `undefined`. */
export function textOf(value: unknown, maxChars = 500): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= maxChars ? value : undefined;
}

/** Leaves out members that are `undefined`, for exact optional types. */
export function present<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const kept = Object.entries(value).filter(([, member]) => member !== undefined);
  // Every member that is left has a value of its own type.
  return Object.fromEntries(kept) as { [K in keyof T]: Exclude<T[K], undefined> };
}
