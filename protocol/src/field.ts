/** Unit of a number in `data`. */
export type Unit =
  | 'ms'
  | 'MB'
  | 'percent of one core'
  | 'events'
  | 'requests'
  | 'guilds'
  | 'members'
  | 'connections';

/**
 * Kind of a value in `data`.
 * `code` is an integer or a string (platform error codes come as both), `iso` an ISO 8601 UTC
 * timestamp, `routes` a list of `{method, route, count}`, `object` any JSON object.
 */
export type FieldKind =
  | 'string'
  | 'boolean'
  | 'integer'
  | 'number'
  | 'iso'
  | 'uuid'
  | 'code'
  | 'strings'
  | 'routes'
  | 'object';

/** One field of an event's `data`. */
export interface Field {
  readonly kind: FieldKind;
  /** Null is a value: "known to be unknown", such as a ping before the first acknowledgement. */
  readonly nullable?: true;
  /** The field may be missing. */
  readonly optional?: true;
  readonly unit?: Unit;
  /** The closed set of values of a string. */
  readonly values?: readonly string[];
  /** Smallest value of a number. */
  readonly min?: number;
  /** Meaning, edges. */
  readonly doc: string;
  /** Where the value comes from in discord.js (`js`) and discord.py (`py`). */
  readonly js: string;
  readonly py: string;
}

/** The fields of one event type's `data`, in the order in which an SDK writes them. */
export type FieldTable = Readonly<Record<string, Field>>;

/** One row of an api_routes_snapshot. */
export interface RouteCount {
  readonly method: string;
  /** Normalised route, see `normalizeRoute`. */
  readonly route: string;
  readonly count: number;
}

interface KindTypes {
  string: string;
  boolean: boolean;
  integer: number;
  number: number;
  iso: string;
  uuid: string;
  code: number | string;
  strings: readonly string[];
  routes: readonly RouteCount[];
  object: Readonly<Record<string, unknown>>;
}

type Value<F extends Field> =
  | (F extends { readonly values: readonly (infer V)[] } ? V : KindTypes[F['kind']])
  | (F extends { readonly nullable: true } ? null : never);

type OptionalKeys<T extends FieldTable> = {
  [K in keyof T]: T[K] extends { readonly optional: true } ? K : never;
}[keyof T];

/** The TypeScript type of a field table. */
export type DataOf<T extends FieldTable> = {
  readonly [K in Exclude<keyof T, OptionalKeys<T>>]: Value<T[K]>;
} & { readonly [K in OptionalKeys<T>]?: Value<T[K]> };
