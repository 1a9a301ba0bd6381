import { LIMITS } from '@bot-analytics/protocol';
import type { Env } from '../core/env.ts';
import { finite, isObject, tenths } from '../core/read.ts';
import type { InteractionAnswered, InteractionSeen, Observer } from './adapter.ts';
import { describeError } from './errors.ts';
import type { Emit } from './parts.ts';

/**
 * Interactions that are remembered, and as many that wait at once: an error of a later reply names
 * its command, and a dispatch that comes again counts once. 300/s that wait for 15 s are 4,500.
 */
const KNOWN_MAX = 10_000;

/** Emits an interaction that waits. */
type Settle = (answer?: InteractionAnswered, timedOut?: boolean) => void;

/** See `trackInteractions`. */
export interface InteractionTracker extends Pick<
  Observer,
  'interaction' | 'answered' | 'replyFailed'
> {
  /** Emits what still waits as unanswered. For the shutdown. */
  readonly emitPending: () => void;
}

/**
 * Measures interactions from receipt to the first settled response, 15 s at most. Each becomes
 * exactly one event. Spec: Activity, `timedOut`.
 *
 * @param skewMs difference of the platform's clock to the local one, NaN without a sample
 */
export function trackInteractions(env: Env, emit: Emit, skewMs: () => number): InteractionTracker {
  const known = new Map<string, InteractionSeen>();
  const waiting = new Map<string, Settle>();
  const seenErrors = new WeakSet<object>();
  const interaction = (seen: InteractionSeen): void => {
    const { id, commandName, interactionKind, shardId } = seen;
    if (known.has(id) || waiting.has(id)) return;
    const tsMs = env.now();
    const receivedMs = env.monotonic();
    const gatewayDelayMs = finite(Math.max(0, tsMs + skewMs() - seen.createdMs));
    const settle: Settle = (answer, timedOut = false) => {
      cancel();
      waiting.delete(id);
      emit({
        ...seen,
        tsMs,
        data: {
          commandName,
          interactionKind,
          success: answer?.success ?? false,
          latencyMs: answer ? tenths(env.monotonic() - receivedMs) : null,
          timedOut,
          responseKind: answer?.responseKind ?? null,
          errorCode: answer?.errorCode ?? null,
          shardId,
          gatewayDelayMs,
        },
      });
    };
    const cancel = env.after(LIMITS.interactionTimeoutMs, () => settle(undefined, true));
    known.set(id, seen);
    waiting.set(id, settle);
    if (known.size > KNOWN_MAX) known.delete(known.keys().next().value ?? '');
    if (waiting.size > KNOWN_MAX) waiting.values().next().value?.();
  };
  return {
    interaction,
    answered: (answer) => waiting.get(answer.id)?.(answer),
    replyFailed: ({ interactionId, phase, error }) => {
      // One failure passes through several methods, such as `reply` that fetches its own message.
      if (isObject(error) && seenErrors.has(error)) return;
      if (isObject(error)) seenErrors.add(error);
      const seen = known.get(interactionId);
      emit({
        ...seen,
        type: 'command_error',
        data: {
          ...describeError(error),
          phase,
          commandName: seen?.commandName ?? null,
          interactionKind: seen?.interactionKind ?? null,
          shardId: seen?.shardId ?? null,
        },
      });
    },
    emitPending: () => {
      for (const settle of waiting.values()) settle();
    },
  };
}
