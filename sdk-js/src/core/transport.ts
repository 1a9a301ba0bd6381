import { isObject } from './read.ts';
import { LIMITS, type EventType } from '@bot-analytics/protocol';
import type { Send, SendAnswer } from '../api/send.ts';
import type { AnalyticsState, Drop, FlushResult, Stats } from '../api/stats.ts';
import { Attempts, type BatchEnd, type Target } from './attempts.ts';
import { halves, ingestLimit, splitBatch, type SplitLimit } from './batch.ts';
import { encodeEvent, isExempt, type EventInput, type QueuedEvent } from '../event/encode.ts';
import type { Env } from './env.ts';
import { isoTime } from '../event/iso.ts';
import { Losses } from './losses.ts';
import { Queue } from './queue.ts';
import { QuietClock } from './quiet-clock.ts';
import { STEPS, type TransportInput } from './state.ts';
import type { UuidSource } from '../event/uuid.ts';
import { Waiters } from './waiters.ts';

/** What the transport needs. */
export interface TransportConfig {
  readonly target: Target;
  readonly flushIntervalMs: number;
  readonly send: Send;
  readonly env: Env;
  readonly ids: UuidSource;
  readonly onDrop: ((drop: Drop) => void) | undefined;
  readonly onStateChange: (state: AnalyticsState, previous: AnalyticsState) => void;
}

/**
 * Queue, drain loop and state of one SDK. One loop owns all sending; callers of `flush()` share it,
 * so at most one request is under way and order holds. Spec: Emission and flush.
 */
export class Transport {
  readonly #config: TransportConfig;
  readonly #env: Env;
  readonly #limit: SplitLimit;
  readonly #attempts: Attempts;
  readonly #queue = new Queue();
  readonly #losses: Losses;
  readonly #waiters: Waiters;
  readonly #quiet: QuietClock;
  /** Parts of the batch under way, the next one last. */
  #parts: (readonly QueuedEvent[])[] = [];
  #state: AnalyticsState = 'active';
  #seq = 0;
  #draining = false;
  #drainScheduled = false;
  #cancelTimer: (() => void) | undefined;
  #closing: Promise<FlushResult> | undefined;
  #delivered = 0;
  #truncated = 0;
  #warned = new Set<string>();

  constructor(config: TransportConfig) {
    this.#config = config;
    this.#env = config.env;
    this.#limit = ingestLimit(config.target.sender);
    this.#attempts = new Attempts(config);
    this.#losses = new Losses(config.onDrop);
    this.#waiters = new Waiters(config.env);
    this.#quiet = new QuietClock(config.env, () => this.#quietEnded());
  }

  get state(): AnalyticsState {
    return this.#state;
  }

  /** Takes an event. Never throws, never waits; an event that cannot be taken is counted. */
  enqueue(event: EventInput, id: string = this.#config.ids.next()): void {
    if (this.#refuse(event.type)) return;
    try {
      const { json, bytes, changed } = encodeEvent(event, id, isoTime(event.tsMs));
      if (changed) this.#truncated += 1;
      const snapshotOf = event.type === 'guild_snapshot' ? (event.guildId ?? null) : null;
      this.#seq += 1;
      const gone = this.#queue.push({ seq: this.#seq, type: event.type, json, bytes, snapshotOf });
      if (gone !== undefined) this.#evicted([gone]);
      this.#afterEnqueue(event.type);
    } catch {
      this.#losses.one('serialization', event.type);
    }
  }

  /** Counts an event that a hook kept back. */
  countHookDrop(type: EventType): void {
    this.#losses.one('hook', type);
  }

  /** Sends what waits in the next turn of the event loop. */
  drainSoon(): void {
    if (this.#drainScheduled || this.#draining) return;
    this.#drainScheduled = true;
    this.#env.soon(() => {
      this.#drainScheduled = false;
      void this.#drain();
    });
  }

  /**
   * Resolves when every event enqueued before the call is settled, in a quiet period when the
   * exempt ones are, at the latest after `timeoutMs`. Never rejects.
   */
  async flush(timeoutMs: number): Promise<FlushResult> {
    const delivered = this.#delivered;
    const dropped = this.#losses.total;
    if (!this.#isFinal() && this.#outstanding() > 0) {
      const done = this.#waiters.wait(this.#seq, timeoutMs);
      void this.#drain();
      await done;
    }
    return {
      delivered: this.#delivered - delivered,
      dropped: this.#losses.total - dropped,
      queued: this.#outstanding(),
      state: this.#state,
    };
  }

  /** Takes no more events, flushes for at most `timeoutMs`, drops and counts the rest. */
  shutdown(timeoutMs: number): Promise<FlushResult> {
    this.#closing ??= this.#close(timeoutMs);
    return this.#closing;
  }

  /** Switches sending off without a request: no usable key or address. */
  disable(): void {
    this.#step('refused');
    this.#discard('disabled');
  }

  stats(): Stats {
    return {
      state: this.#state,
      queued: this.#queue.length,
      inFlight: this.#inFlight(),
      delivered: this.#delivered,
      dropped: this.#losses.counts(),
      truncated: this.#truncated,
      lastError: this.#attempts.lastError,
    };
  }

  /** Events that waited or were lost, for the heartbeat. */
  health(): { readonly queued: number; readonly dropped: number } {
    return { queued: this.#outstanding(), dropped: this.#losses.total };
  }

  #refuse(type: EventType): boolean {
    if (this.#closing !== undefined || this.#state === 'closed') this.#losses.one('shutdown', type);
    else if (this.#state === 'disabled') this.#losses.one('disabled', type);
    else return false;
    return true;
  }

  #afterEnqueue(type: EventType): void {
    const quiet = this.#state === 'quiet';
    // In a quiet period only an exempt event may cause a request. Spec: Transport states.
    if (this.#draining || (quiet && !isExempt(type))) return;
    const sendable = quiet ? this.#queue.exemptLength : this.#queue.length;
    if (sendable >= LIMITS.highWaterEvents) this.drainSoon();
    else this.#armTimer();
  }

  #armTimer(): void {
    this.#cancelTimer ??= this.#env.after(this.#config.flushIntervalMs, () => {
      this.#cancelTimer = undefined;
      void this.#drain();
    });
  }

  #disarmTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  /** The one loop that sends. Never rejects. */
  async #drain(): Promise<void> {
    if (this.#draining || this.#isFinal()) return;
    this.#draining = true;
    this.#disarmTimer();
    let more = true;
    while (more && this.#takeBatch()) {
      more = await this.#sendParts();
      this.#waiters.settled(this.#oldestSeq());
    }
    this.#draining = false;
    this.#waiters.allSettled();
    // An event may have come between the last look at the queue and here.
    if (this.#state === 'active' && this.#queue.length > 0) this.#armTimer();
  }

  /** Moves the next batch from the queue into `#parts`; false when there is nothing to send. */
  #takeBatch(): boolean {
    if (this.#isFinal()) return false;
    const events =
      this.#state === 'quiet'
        ? this.#queue.takeExempt(LIMITS.batchEventsMax)
        : this.#queue.take(LIMITS.batchEventsMax);
    const { parts, dropped } = splitBatch(events, this.#limit);
    this.#losses.many('too_large', dropped);
    this.#parts = parts.toReversed();
    return events.length > 0;
  }

  /** Sends the parts of the batch under way; false when the loop has to stop. */
  async #sendParts(): Promise<boolean> {
    for (let part = this.#parts.at(-1); part !== undefined; part = this.#parts.at(-1)) {
      const end = await this.#attempts.run(part);
      if (end === 'stopped' || this.#isFinal()) return false;
      if (!this.#settle(part, end)) return false;
    }
    return true;
  }

  /** Applies the end of one part; false when the loop has to stop. */
  #settle(part: readonly QueuedEvent[], end: Exclude<BatchEnd, 'stopped'>): boolean {
    const { decision, answer } = end;
    switch (decision.do) {
      case 'deliver':
        this.#parts.pop();
        this.#countDelivered(part.length, answer);
        return true;
      case 'drop':
        this.#parts.pop();
        this.#drop(part, decision.why, answer);
        return true;
      case 'split': {
        const [first, second] = halves(part);
        this.#parts.splice(-1, 1, second, first);
        return true;
      }
      case 'quiet':
        this.#startQuiet(answer);
        return false;
      case 'disable':
        this.#refused(decision.why, answer);
        return false;
    }
  }

  #countDelivered(sent: number, answer: SendAnswer | null): void {
    const rejected = Math.min(sent, rejectedCount(answer));
    this.#delivered += sent - rejected;
    this.#losses.anonymous('rejected', rejected);
    if (rejected > 0) {
      this.#warnOnce(
        'rejected',
        `${rejected} of ${sent} events were rejected; see the server's ingestion health`,
      );
    }
  }

  #drop(part: readonly QueuedEvent[], why: string, answer: SendAnswer | null): void {
    const reason = why === 'retries_exhausted' || why === 'too_large' ? why : 'bad_request';
    this.#losses.many(reason, part);
    this.#env.debug(`dropped ${part.length} events: ${why}`);
    if (why === 'wrong_endpoint') {
      this.#warnOnce(why, `\`endpoint\` answered ${answer?.status}; check it`);
    }
  }

  /** Everything unsent goes back to the head of the queue, in order; attempts start anew. */
  #startQuiet(answer: SendAnswer | null): void {
    const unsent = this.#parts.toReversed().flat();
    this.#parts = [];
    this.#evicted(this.#queue.putBack(unsent));
    const clamped = this.#quiet.start(
      answer?.header('retry-after') ?? null,
      answer?.header('date') ?? null,
    );
    this.#step('rate-limited');
    if (clamped) this.#warnOnce('clamped', 'asked to pause for over 24 h; pausing 24 h');
  }

  #quietEnded(): void {
    this.#step('quiet-ended');
    if (this.#state === 'active' && this.#queue.length > 0) void this.#drain();
  }

  #refused(why: 'bad_key' | 'redirect', answer: SendAnswer | null): void {
    this.#step('refused');
    this.#warnOnce('refused', refusal(why, answer?.header('location') ?? null));
    this.#discard('disabled');
  }

  async #close(timeoutMs: number): Promise<FlushResult> {
    const delivered = this.#delivered;
    const dropped = this.#losses.total;
    const endMs = this.#env.monotonic() + timeoutMs;
    let timeUp = false;
    const cancel = this.#env.deadline(timeoutMs, () => {
      timeUp = true;
    });
    await this.flush(timeoutMs);
    // A pause that ends in time is waited out: a server that restarts asks for a second or two.
    while (!timeUp && this.#pausedUntilBefore(endMs)) {
      await this.#waiters.wait(this.#seq, Math.max(0, endMs - this.#env.monotonic()));
    }
    cancel();
    this.#step('shut-down');
    this.#discard('shutdown');
    return {
      delivered: this.#delivered - delivered,
      dropped: this.#losses.total - dropped,
      queued: 0,
      state: this.#state,
    };
  }

  #pausedUntilBefore(endMs: number): boolean {
    return this.#state === 'quiet' && this.#queue.length > 0 && this.#quiet.untilMs < endMs;
  }

  /** Ends all sending and counts what is left. */
  #discard(reason: 'disabled' | 'shutdown'): void {
    this.#attempts.stop();
    this.#quiet.stop();
    this.#disarmTimer();
    const left = [...this.#parts.toReversed().flat(), ...this.#queue.take(this.#queue.length)];
    this.#parts = [];
    if (left.length > 0) this.#env.debug(`${left.length} events are dropped: ${reason}`);
    this.#losses.many(reason, left);
    this.#waiters.allSettled();
  }

  #step(input: TransportInput): void {
    const previous = this.#state;
    this.#state = STEPS[previous][input];
    if (this.#state !== previous) this.#config.onStateChange(this.#state, previous);
  }

  #evicted(events: readonly QueuedEvent[]): void {
    if (events.length === 0) return;
    if (events.length === 1 && events[0] !== undefined)
      this.#losses.one('overflow', events[0].type);
    else this.#losses.many('overflow', events);
    this.#warnOnce('overflow', `over ${LIMITS.queueEventsMax} events wait; the oldest are dropped`);
  }

  #warnOnce(key: string, message: string): void {
    if (this.#warned.has(key)) return;
    this.#warned.add(key);
    this.#env.warn(message);
  }

  #isFinal(): boolean {
    return this.#state === 'disabled' || this.#state === 'closed';
  }

  #inFlight(): number {
    return this.#parts.reduce((sum, part) => sum + part.length, 0);
  }

  #outstanding(): number {
    return this.#inFlight() + this.#queue.length;
  }

  #oldestSeq(): number {
    return this.#parts.at(-1)?.[0]?.seq ?? this.#queue.oldestSeq ?? Infinity;
  }
}

function refusal(why: 'bad_key' | 'redirect', location: string | null): string {
  if (why === 'bad_key') return 'API key refused (401); nothing more is sent';
  return `\`endpoint\` redirects${originOf(location)}; set the final address. Nothing more is sent`;
}

/** Origin only: path and query of a redirect may hold secrets. */
function originOf(location: string | null): string {
  return location !== null && URL.canParse(location) ? ` to ${new URL(location).origin}` : '';
}

/** Events of a stored batch that the server left out, as its answer tells. */
function rejectedCount(answer: SendAnswer | null): number {
  if (answer?.body === null || answer?.body.includes('"rejectedCount"') !== true) return 0;
  try {
    const parsed: unknown = JSON.parse(answer.body);
    if (!isObject(parsed) || !('rejectedCount' in parsed)) return 0;
    const count = parsed.rejectedCount;
    return typeof count === 'number' && Number.isInteger(count) && count > 0 ? count : 0;
  } catch {
    return 0;
  }
}
