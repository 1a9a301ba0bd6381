import { prop } from '../core/read.ts';

/**
 * The client library is never imported; its objects are read by `core/read.ts`. So one adapter
 * serves all of version 14, forks and test doubles.
 */

/** A Map or something that behaves like one, such as the library's Collection. */
export interface MapLike {
  readonly size: number;
  get(key: unknown): unknown;
  has(key: unknown): boolean;
  keys(): Iterable<unknown>;
  values(): Iterable<unknown>;
}

export function mapLike(value: unknown): MapLike | null {
  return value instanceof Map ? value : null;
}

export type Listener = (...args: readonly unknown[]) => void;

/** An event emitter, reduced to what is used. */
export interface Emitter {
  on(event: string | symbol, listener: Listener): unknown;
  removeListener(event: string | symbol, listener: Listener): unknown;
  prependListener?: (event: string | symbol, listener: Listener) => unknown;
  listenerCount?: (event: string | symbol) => number;
  getMaxListeners?: () => number;
  setMaxListeners?: (count: number) => unknown;
}

export function emitter(value: unknown): Emitter | null {
  return typeof prop(value, 'on') === 'function' &&
    typeof prop(value, 'removeListener') === 'function'
    ? (value as Emitter)
    : null;
}

/** Removes what was installed. */
export type Undo = () => void;

/** How a listener is added. */
export interface Listening {
  readonly event: string | symbol;
  readonly run: Listener;
  /** Before the bot's own listeners. */
  readonly first?: boolean;
  /** Hears of a fault of the listener itself. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Adds a listener that cannot throw into the library. Where the emitter already has as many
 * listeners as it takes without a warning, its limit grows by one, so that no warning appears that
 * would not appear without the SDK.
 */
export function listen(target: Emitter, { event, run, first, onFault }: Listening): Undo {
  const guarded: Listener = (...args) => {
    try {
      run(...args);
    } catch (error) {
      onFault(error);
    }
  };
  const limit = target.getMaxListeners?.() ?? 0;
  const grown = limit > 0 && (target.listenerCount?.(event) ?? 0) >= limit;
  if (grown) target.setMaxListeners?.(limit + 1);
  if (first === true && target.prependListener !== undefined)
    target.prependListener(event, guarded);
  else target.on(event, guarded);
  return () => {
    target.removeListener(event, guarded);
    if (grown) target.setMaxListeners?.((target.getMaxListeners?.() ?? limit) - 1);
  };
}
