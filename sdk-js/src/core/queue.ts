import { LIMITS } from '@bot-analytics/protocol';
import { isExempt, type QueuedEvent } from '../event/encode.ts';

/**
 * Events that wait to be sent, oldest first. Holds at most 5,000: over it the oldest go, whatever
 * their type. Of each guild at most one guild_snapshot waits, the latest; it takes the place of the
 * one before, since an outage would otherwise fill the queue with snapshots. transport.md C8, C14.
 */
export class Queue {
  #events: QueuedEvent[] = [];
  readonly #snapshots = new Map<string, QueuedEvent>();
  #exempt = 0;

  get length(): number {
    return this.#events.length;
  }

  /** Waiting events that a quiet period does not hold back. */
  get exemptLength(): number {
    return this.#exempt;
  }

  /** Sequence number of the oldest waiting event, undefined when none waits. */
  get oldestSeq(): number | undefined {
    return this.#events[0]?.seq;
  }

  /** Sequence number of the oldest waiting exempt event. Looks through the queue. */
  oldestExemptSeq(): number | undefined {
    return this.#exempt === 0 ? undefined : this.#events.find(({ type }) => isExempt(type))?.seq;
  }

  /** Appends an event; returns the one that had to go for it. */
  push(event: QueuedEvent): QueuedEvent | undefined {
    if (event.snapshotOf !== null) {
      const older = this.#snapshots.get(event.snapshotOf);
      if (older !== undefined) {
        this.#replace(older, event);
        return undefined;
      }
      this.#snapshots.set(event.snapshotOf, event);
    }
    if (isExempt(event.type)) this.#exempt += 1;
    if (this.#events.push(event) <= LIMITS.queueEventsMax) return undefined;
    // `shift` of 5,000 moves no element in V8: 35 ns.
    const oldest = this.#events.shift();
    if (oldest !== undefined) this.#forget(oldest);
    return oldest;
  }

  /** Takes the oldest events, at most `count`. */
  take(count: number): readonly QueuedEvent[] {
    const taken = this.#events.splice(0, count);
    for (const event of taken) this.#forget(event);
    return taken;
  }

  /** Takes the oldest exempt events, at most `count`, in their order. */
  takeExempt(count: number): readonly QueuedEvent[] {
    if (this.#exempt === 0) return [];
    const taken: QueuedEvent[] = [];
    this.#events = this.#events.filter((event) => {
      if (taken.length === count || !isExempt(event.type)) return true;
      taken.push(event);
      return false;
    });
    for (const event of taken) this.#forget(event);
    return taken;
  }

  /** Puts events back to the head; returns those that had to go, the returning ones first. */
  putBack(events: readonly QueuedEvent[]): readonly QueuedEvent[] {
    const kept = events.filter(
      ({ snapshotOf }) => snapshotOf === null || !this.#snapshots.has(snapshotOf),
    );
    for (const event of kept) {
      if (isExempt(event.type)) this.#exempt += 1;
      if (event.snapshotOf !== null) this.#snapshots.set(event.snapshotOf, event);
    }
    this.#events = [...kept, ...this.#events];
    const surplus = this.#events.length - LIMITS.queueEventsMax;
    return surplus > 0 ? this.take(surplus) : [];
  }

  #replace(older: QueuedEvent, event: QueuedEvent): void {
    const latest = { ...event, seq: older.seq };
    this.#events[this.#events.indexOf(older)] = latest;
    if (event.snapshotOf !== null) this.#snapshots.set(event.snapshotOf, latest);
  }

  #forget(event: QueuedEvent): void {
    if (isExempt(event.type)) this.#exempt -= 1;
    if (event.snapshotOf !== null) this.#snapshots.delete(event.snapshotOf);
  }
}
