/**
 * Marks listeners of every copy of this package in the process (two versions may be installed), so
 * that no copy takes another one's listener for one of the bot. transport.md C18.
 */
const TAG = Symbol.for('@vendor/chat.js/listener');

export function tag<F extends object>(listener: F): F {
  return Object.defineProperty(listener, TAG, { value: true });
}

/** True for a listener of any copy of this package. */
export function isOurs(listener: object): boolean {
  return TAG in listener;
}

/** True when the bot itself listens for the event. */
export function hasForeignListener(event: string): boolean {
  // The emitter's own view: the typed overloads know only some names.
  const listeners: readonly object[] = process.listeners(event as NodeJS.Signals);
  return listeners.some((listener) => !isOurs(listener));
}
