import { LIMITS } from '@bot-analytics/protocol';
import { emitAction } from './actions.ts';
import type { ClientView, Observer } from './adapter.ts';
import { gatewayCounters } from './gateway-counters.ts';
import { trackInteractions } from './interactions.ts';
import type { CollectorParts, Emit } from './parts.ts';
import { processFigures } from './process-figures.ts';
import { snapshots } from './snapshots.ts';

/** Turns what an adapter reports into events. One per client. */
export interface Collector extends Observer {
  /** A client that was ready before it was attached gets its heartbeats too. */
  shardWasReady(shardId: number): void;
  /** Emits what is half done: the gateway window so far. For signals and the end of the process. */
  emitWindow(): void;
  /** Stops all timers; interactions that wait are unanswered, the gateway window is discarded. */
  stop(): void;
}

export function createCollector(client: ClientView, parts: CollectorParts): Collector {
  const { env } = parts;
  const cancels = new Map<() => void, () => void>();
  const periodically = (ms: number, run: () => void): void => {
    const again = (): void => {
      periodically(ms, run);
      run();
    };
    cancels.set(run, env.after(ms, again));
  };
  const emit: Emit = (event) => parts.emit({ tsMs: env.now(), ...event });
  const counters = gatewayCounters(env, emit);
  const figures = processFigures(env, parts.host);
  const interactions = trackInteractions(env, emit, figures.skewMs);
  const shardWasReady = snapshots({ ...parts, client, figures, emit, periodically });
  periodically(LIMITS.gatewayWindowMs, counters.emitWindow);
  return {
    ...counters,
    ...figures,
    ...interactions,
    restCall: (call) => emitAction(call, client, emit),
    shard: ({ type, data: { shardId, ...about } }) => {
      emit({ type, data: { shardId, shardCount: client.shardCount(), ...about } });
      if (/ready|resume/.test(type)) shardWasReady(shardId);
    },
    guild: emit,
    clientError: parts.clientError,
    shardWasReady,
    stop: () => {
      for (const cancel of cancels.values()) cancel();
      interactions.emitPending();
    },
  };
}
