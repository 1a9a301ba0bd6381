import type { EventEmitter } from 'node:events';

/**
 * Marks listeners of every copy of this package in the process (two versions may be installed), so
 * that no copy takes another one's listener for one of the bot. transport.md C18.
 */
const TAG = Symbol.for('@vendor/chat.js/listener');

type Arguments = Parameters<Parameters<EventEmitter['on']>[1]>;

/** Listeners of the process by the name of their event. */
export type Listeners = Record<string, (...args: Arguments) => unknown>;

// As an emitter of any events: the typed overloads know only some names.
const host: EventEmitter = process;

/**
 * Adds tagged listeners to the process. They run before those of the bot: a `once` of the bot is
 * still there to be seen. Returns the removal.
 */
export function listen(listeners: Listeners): () => void {
  const each = (method: 'prependListener' | 'removeListener'): void => {
    for (const [event, listener] of Object.entries(listeners)) {
      host[method](event, Object.assign(listener, { [TAG]: true }));
    }
  };
  each('prependListener');
  return () => each('removeListener');
}

/** True for a listener that no copy of this package added. */
export function isForeign(listener: object): boolean {
  return !(TAG in listener);
}

/** True when the bot itself listens for the event. */
export function hasForeignListener(event: string): boolean {
  return host.listeners(event).some(isForeign);
}
