/**
 * The client library is never imported: its objects are looked at as they come, and every property
 * is taken only when it has the expected kind. So one adapter serves all of version 14, forks and
 * test doubles, and a property that is missing costs one signal and not the bot.
 */

/** Property of anything; undefined when there is none or its getter throws. */
export function prop(owner: unknown, name: string): unknown {
  if ((typeof owner !== 'object' && typeof owner !== 'function') || owner === null)
    return undefined;
  try {
    return Reflect.get(owner, name);
  } catch {
    return undefined;
  }
}

/** Property behind several names. */
export function path(owner: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>(prop, owner);
}

export function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

export function finite(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

export function integer(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}

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
