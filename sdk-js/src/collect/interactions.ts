import { LIMITS } from '@bot-analytics/protocol';
import type { EventInput } from '../event/encode.ts';
import type { Env } from '../core/env.ts';
import { tenths } from '../core/read.ts';
import type { InteractionAnswered, InteractionSeen } from './adapter.ts';

/** Interactions that wait for an answer at once; more are emitted unanswered. 300/s for 15 s are 4,500. */
const PENDING_MAX = 10_000;

interface Pending {
  readonly seen: InteractionSeen;
  readonly tsMs: number;
  readonly receivedMs: number;
  readonly gatewayDelayMs: number | null;
}

/**
 * Measures interactions from receipt to the first settled response, 15 s at most. Each becomes
 * exactly one event. Spec: Activity, `timedOut`.
 */
export class InteractionTracker {
  readonly #env: Env;
  readonly #emit: (event: EventInput) => void;
  /** Difference of the platform's clock to the local one, ms; null without a sample. */
  readonly #skewMs: () => number | null;
  /** In order of receipt, so the first is always the next to time out. */
  readonly #pending = new Map<string, Pending>();
  #cancel: (() => void) | undefined;

  constructor(env: Env, emit: (event: EventInput) => void, skewMs: () => number | null) {
    this.#env = env;
    this.#emit = emit;
    this.#skewMs = skewMs;
  }

  /** An interaction arrived. */
  begin(seen: InteractionSeen): void {
    if (this.#pending.has(seen.id)) return;
    const tsMs = this.#env.now();
    const skewMs = this.#skewMs();
    this.#pending.set(seen.id, {
      seen,
      tsMs,
      receivedMs: this.#env.monotonic(),
      gatewayDelayMs: skewMs === null ? null : Math.max(0, tsMs + skewMs - seen.createdMs),
    });
    if (this.#pending.size > PENDING_MAX) this.#expire(this.#pending.values().next().value, false);
    this.#arm();
  }

  /** The first response settled; later ones change nothing. */
  settle(answer: InteractionAnswered): void {
    const pending = this.#pending.get(answer.id);
    if (pending === undefined) return;
    const { success, responseKind, errorCode } = answer;
    const latencyMs = tenths(this.#env.monotonic() - pending.receivedMs);
    this.#finish(pending, { success, latencyMs, timedOut: false, responseKind, errorCode });
  }

  /** Emits what still waits as unanswered. For the shutdown. */
  emitPending(): void {
    for (const pending of this.#pending.values()) this.#expire(pending, false);
    this.stop();
  }

  /** Stops the timer and forgets what waits. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#pending.clear();
  }

  #expire(pending: Pending | undefined, timedOut: boolean): void {
    if (pending === undefined) return;
    const none = { latencyMs: null, responseKind: null, errorCode: null };
    this.#finish(pending, { success: false, timedOut, ...none });
  }

  #finish(pending: Pending, outcome: object): void {
    const { seen, tsMs, gatewayDelayMs } = pending;
    this.#pending.delete(seen.id);
    const { commandName, interactionKind, shardId, guildId, channelId, userId } = seen;
    this.#emit({
      type: seen.type,
      tsMs,
      guildId,
      channelId,
      userId,
      data: { commandName, interactionKind, ...outcome, shardId, gatewayDelayMs },
    });
  }

  /** One timer for all: they expire in order of receipt. */
  #arm(): void {
    if (this.#cancel !== undefined) return;
    const first = this.#pending.values().next().value;
    if (first === undefined) return;
    const leftMs = first.receivedMs + LIMITS.interactionTimeoutMs - this.#env.monotonic();
    this.#cancel = this.#env.after(Math.max(1, Math.ceil(leftMs)), () => {
      this.#cancel = undefined;
      this.#expireDue();
      this.#arm();
    });
  }

  #expireDue(): void {
    const dueMs = this.#env.monotonic() - LIMITS.interactionTimeoutMs;
    for (const pending of this.#pending.values()) {
      if (pending.receivedMs > dueMs) break;
      this.#expire(pending, true);
    }
  }
}
