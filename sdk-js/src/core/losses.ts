import type { EventType } from '@bot-analytics/protocol';
import type { Drop, DropReason } from '../api/stats.ts';

/** Counts every event that does not arrive. */
export class Losses {
  readonly #counts: Record<DropReason, number> = {
    overflow: 0,
    bad_request: 0,
    retries_exhausted: 0,
    too_large: 0,
    rejected: 0,
    serialization: 0,
    hook: 0,
    disabled: 0,
    shutdown: 0,
  };
  readonly #onDrop: ((drop: Drop) => void) | undefined;
  #total = 0;

  constructor(onDrop: ((drop: Drop) => void) | undefined) {
    this.#onDrop = onDrop;
  }

  get total(): number {
    return this.#total;
  }

  counts(): Readonly<Record<DropReason, number>> {
    return { ...this.#counts };
  }

  /** Counts one event. */
  one(reason: DropReason, type: EventType): void {
    this.#count(reason, type, 1);
  }

  /** Counts several events and reports them once per type. */
  many(reason: DropReason, events: readonly { readonly type: EventType }[]): void {
    if (events.length === 0) return;
    const byType = new Map<EventType, number>();
    for (const { type } of events) byType.set(type, (byType.get(type) ?? 0) + 1);
    for (const [type, count] of byType) this.#count(reason, type, count);
  }

  /** Counts events whose type is not known: the server tells a number only. */
  anonymous(reason: DropReason, count: number): void {
    if (count > 0) this.#count(reason, null, count);
  }

  #count(reason: DropReason, type: EventType | null, count: number): void {
    this.#counts[reason] += count;
    this.#total += count;
    try {
      this.#onDrop?.({ reason, count, type });
    } catch {
      // The hook is the bot's own code; the loss is counted above.
    }
  }
}
