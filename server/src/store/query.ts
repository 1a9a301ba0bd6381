/** A value bound by ClickHouse itself, `{name:Type}` in the text. Values never become SQL text. */
export type BoundValue = string | number | boolean | null | readonly (string | number)[];
export type BoundValues = Readonly<Record<string, BoundValue>>;

/** A named SQL constant with the types of its bound values and of its rows. */
export interface Query<P extends BoundValues, R> {
  readonly name: string;
  readonly sql: string;
  /** Only carries the types; never called. */
  readonly types?: (params: P) => R;
}

/** Declares a query. 64-bit and larger integers arrive as strings, because 2^53 is smaller. */
export function query<P extends BoundValues, R>(name: string, sql: string): Query<P, R> {
  return { name, sql };
}
