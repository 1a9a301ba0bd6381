import type { GatewayType } from '@bot-analytics/protocol';
import type { Env } from '../core/env.ts';
import { isoTime } from '../event/iso.ts';
import type { Observer } from './adapter.ts';
import type { Emit } from './parts.ts';

/** See `gatewayCounters`. */
export interface GatewayCounters extends Pick<Observer, 'dispatch'> {
  /** Emits the window so far and begins the next one. */
  readonly emitWindow: () => void;
}

/**
 * Counts gateway events per kind and shard in windows of 60 s. One event per kind and shard leaves
 * at the end of a window, none for a count of 0. Counters lie outside the queue, so that an overflow
 * cannot lose them. Spec: Limits; catalogue.md A3.
 */
export function gatewayCounters(env: Env, emit: Emit): GatewayCounters {
  const byShard = new Map<number, Partial<Record<GatewayType, number>>>();
  let sinceMs = env.monotonic();
  return {
    dispatch: (type, shardId) => {
      let counts = byShard.get(shardId);
      if (!counts) byShard.set(shardId, (counts = {}));
      counts[type] = (counts[type] ?? 0) + 1;
    },
    emitWindow: () => {
      const windowMs = Math.round(env.monotonic() - sinceMs);
      const windowStart = isoTime(env.now() - windowMs);
      sinceMs += windowMs;
      for (const [shardId, counts] of byShard) {
        byShard.delete(shardId);
        for (const [type, count] of Object.entries(counts)) {
          emit({ type: type as GatewayType, data: { count, windowStart, windowMs, shardId } });
        }
      }
    },
  };
}
