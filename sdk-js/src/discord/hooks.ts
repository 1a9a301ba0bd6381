import { isObject, prop } from '../core/read.ts';
import type { Emitter, Listener } from './library.ts';

/**
 * How the SDK hangs itself onto objects of the client library and comes off again. The library is
 * never imported, so one adapter serves all of version 14, forks and test doubles.
 */

/** Removes what was installed. */
export type Undo = () => void;

/** Adds a listener until the hooks are removed; what it throws is a fault of the SDK. */
export type On = (target: unknown, event: string | symbol, run: Listener) => void;

/** Adds a listener for a raw dispatch: they come before the library's own handling and are never left out. platform.md 0.4. */
export type OnDispatch = (event: string, run: (packet: never, shardId: number) => void) => void;

export function isEmitter(value: unknown): value is Emitter {
  return typeof prop(value, 'setMaxListeners') === 'function';
}

/** The same function, except that what it throws goes to `onFault`. */
export function guarded<Args extends readonly unknown[]>(
  onFault: (error: unknown) => void,
  run: (...args: Args) => void,
): (...args: Args) => void {
  return (...args) => {
    try {
      run(...args);
    } catch (error) {
      onFault(error);
    }
  };
}

/**
 * Adds a listener before those of the bot. Where the emitter already has as many listeners as it
 * takes without a warning, its limit grows by one, so that no warning appears that would not appear
 * without the SDK.
 */
export function listen(target: unknown, event: string | symbol, run: Listener): Undo | undefined {
  if (!isEmitter(target)) return undefined;
  const limit = target.getMaxListeners();
  const grown = limit > 0 && target.listenerCount(event) >= limit;
  if (grown) target.setMaxListeners(limit + 1);
  target.prependListener(event, run);
  return () => {
    target.removeListener(event, run);
    if (grown) target.setMaxListeners(target.getMaxListeners() - 1);
  };
}

/** What stands around a method: `call` runs the method as it was called. */
export type Around = (call: () => unknown, args: readonly unknown[]) => unknown;

/** Wraps a method as an own property of its object. Undo restores it only while it is still ours. */
export function wrap(owner: unknown, name: string, around: Around): Undo | undefined {
  const original = prop(owner, name);
  if (!isObject(owner) || typeof original !== 'function') return undefined;
  const own = Object.getOwnPropertyDescriptor(owner, name);
  const value = function wrapped(this: unknown, ...args: readonly unknown[]): unknown {
    return around(() => Reflect.apply(original, this, args), args);
  };
  Reflect.defineProperty(owner, name, { value, writable: true, configurable: true });
  return () => {
    // A second wrapper may hold ours; taking ours away would cut that one off.
    if (prop(owner, name) !== value) return;
    if (own) Reflect.defineProperty(owner, name, own);
    else Reflect.deleteProperty(owner, name);
  };
}

/**
 * Reports the end of a call and hands its result on. The returned promise is a follower of the
 * original: listening on the side would mark a rejection as handled that the bot does not handle.
 */
export function follow(
  result: unknown,
  settled: (success: boolean, error?: unknown) => void,
): unknown {
  if (!(result instanceof Promise)) return result;
  return result.then(
    (value: unknown) => {
      settled(true);
      return value;
    },
    (error: unknown) => {
      settled(false, error);
      throw error;
    },
  );
}
