import { GATEWAY_TYPES, LIMITS, type GatewayType } from '@bot-analytics/protocol';
import type { EventInput } from '../event/encode.ts';
import type { Env } from '../core/env.ts';
import { isoTime } from '../event/iso.ts';

const INDEX: ReadonlyMap<GatewayType, number> = new Map(
  GATEWAY_TYPES.map((type, index) => [type, index]),
);

/**
 * Counts gateway events per kind and shard in windows of 60 s. One event per kind and shard leaves
 * at the end of a window, none for a count of 0. Counters lie outside the queue, so that an overflow
 * cannot lose them. Spec: Limits; catalogue.md A3.
 */
export class GatewayCounters {
  readonly #env: Env;
  readonly #emit: (event: EventInput) => void;
  readonly #byShard = new Map<number, number[]>();
  #startMs: number;
  #startMonotonicMs: number;
  #cancel: (() => void) | undefined;

  constructor(env: Env, emit: (event: EventInput) => void) {
    this.#env = env;
    this.#emit = emit;
    this.#startMs = env.now();
    this.#startMonotonicMs = env.monotonic();
    this.#arm();
  }

  /** Counts one dispatch. */
  add(type: GatewayType, shardId: number): void {
    const index = INDEX.get(type);
    if (index === undefined) return;
    let counts = this.#byShard.get(shardId);
    if (counts === undefined) {
      counts = GATEWAY_TYPES.map(() => 0);
      this.#byShard.set(shardId, counts);
    }
    counts[index] = (counts[index] ?? 0) + 1;
  }

  /** Emits the window so far and begins the next one. */
  emitWindow(): void {
    const windowMs = Math.round(this.#env.monotonic() - this.#startMonotonicMs);
    const windowStart = isoTime(this.#startMs);
    this.#startMs = this.#env.now();
    this.#startMonotonicMs = this.#env.monotonic();
    for (const [shardId, counts] of this.#byShard) {
      for (const [index, type] of GATEWAY_TYPES.entries()) {
        const count = counts[index] ?? 0;
        if (count === 0) continue;
        const data = { count, windowStart, windowMs, shardId };
        this.#emit({ type, tsMs: this.#startMs, data });
      }
      counts.fill(0);
    }
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #arm(): void {
    this.#cancel = this.#env.after(LIMITS.gatewayWindowMs, () => {
      this.emitWindow();
      this.#arm();
    });
  }
}
