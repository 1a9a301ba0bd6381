import { LIMITS } from '@bot-analytics/protocol';
import { isExempt, type QueuedEvent } from '../event/encode.ts';

/**
 * Events that wait to be sent, oldest first. Holds at most 5,000: over it the oldest go, whatever
 * their type. Of each guild at most one guild_snapshot waits, the latest; it takes the place of the
 * one before, since an outage would otherwise fill the queue with snapshots. transport.md C8, C14.
 */
export class Queue {
  #events: QueuedEvent[] = [];
  /** Those that a quiet period does not hold back, in their order, by key. */
  readonly #exempt = new Map<string | number, QueuedEvent>();
  readonly #onOverflow: (event: QueuedEvent) => void;

  constructor(onOverflow: (event: QueuedEvent) => void) {
    this.#onOverflow = onOverflow;
  }

  /** How many wait, or how many exempt ones. */
  count(onlyExempt = false): number {
    return onlyExempt ? this.#exempt.size : this.#events.length;
  }

  /** The oldest waiting event. */
  get first(): QueuedEvent | undefined {
    return this.#events[0];
  }

  /** Appends an event. */
  push(event: QueuedEvent): void {
    if (isExempt(event.type)) {
      const older = this.#exempt.get(event.key);
      if (older) {
        older.json = event.json;
        return;
      }
      this.#exempt.set(event.key, event);
    }
    if (this.#events.push(event) <= LIMITS.queueEventsMax) return;
    // `shift` of 5,000 moves no element in V8: 35 ns.
    const oldest = this.#events.shift();
    if (oldest) {
      this.#exempt.delete(oldest.key);
      this.#onOverflow(oldest);
    }
  }

  /** Takes the oldest events, or the oldest exempt ones, at most `count`. */
  take(count: number, onlyExempt = false): readonly QueuedEvent[] {
    const taken = onlyExempt
      ? [...this.#exempt.values()].slice(0, count)
      : this.#events.splice(0, count);
    for (const event of taken) this.#exempt.delete(event.key);
    if (onlyExempt) {
      const gone = new Set(taken);
      this.#events = this.#events.filter((event) => !gone.has(event));
    }
    return taken;
  }

  /** Puts events back to the head. */
  putBack(events: readonly QueuedEvent[]): void {
    for (const event of [...events, ...this.take(Infinity)]) this.push(event);
  }
}
