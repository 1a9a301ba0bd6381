import { LIMITS, type EventType } from '@bot-analytics/protocol';
import type { AnalyticsState, Drop, DropReason, FlushResult, Stats } from '../api/stats.ts';
import { encodeEvent, isExempt, type EventInput, type QueuedEvent } from '../event/encode.ts';
import { isoTime } from '../event/iso.ts';
import { utf8Bytes } from '../event/text.ts';
import type { UuidSource } from '../event/uuid.ts';
import { batchBody } from './batch.ts';
import type { Env } from './env.ts';
import { backoffMs, decide, type Decision } from './policy.ts';
import { Queue } from './queue.ts';
import { ask, type Reply, type Target } from './reply.ts';
import { quietPeriodMs } from './retry-after.ts';
import { isFinal, STEPS, type TransportInput } from './state.ts';

/** What the transport needs. */
export interface TransportConfig extends Target {
  /** Longest attempt, from connect to the end of the headers. */
  readonly requestTimeoutMs: number;
  readonly flushIntervalMs: number;
  readonly env: Env;
  readonly ids: UuidSource;
  /** Neither this nor the next may throw. */
  readonly onDrop: ((drop: Drop) => void) | undefined;
  readonly onStateChange: (state: AnalyticsState, previous: AnalyticsState) => void;
}

type Events = readonly QueuedEvent[];

/**
 * Queue, drain loop and state of one SDK. One loop owns all sending; callers of `flush()` share it,
 * so at most one request is under way and order holds. Spec: Emission and flush.
 */
export class Transport {
  readonly #config: TransportConfig;
  readonly #env: Env;
  readonly #queue = new Queue((event) => {
    this.lose('overflow', event.type);
    this.#warnOnce(`over ${LIMITS.queueEventsMax} events wait; the oldest are dropped`);
  });
  /** Parts of the batch under way, the next one first; an empty one is none. */
  #parts: Events[] = [];
  /** Attempts made with the first part. */
  #attempts = 0;
  #state: AnalyticsState = 'active';
  #seq = 0;
  #draining = false;
  #drainsSoon = false;
  #cancelFlush: (() => void) | undefined;
  #cancelQuiet: (() => void) | undefined;
  /** End of the quiet period, on the monotonic clock: a wall clock that jumps changes nothing. */
  #quietUntilMs = 0;
  /** Ends what the drain waits for, for good: an attempt or the time before the next. */
  #stop: (() => void) | undefined;
  #closing: Promise<FlushResult> | undefined;
  /** Callers of `flush()` that wait for the next part to be settled. */
  #waiting: (() => void)[] = [];
  #release: (() => void) | undefined;
  #delivered = 0;
  #truncated = 0;
  #lost = 0;
  readonly #dropped: Record<DropReason, number> = {
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
  #lastError: string | null = null;
  readonly #warned = new Set<string>();

  constructor(config: TransportConfig) {
    this.#config = config;
    this.#env = config.env;
  }

  get state(): AnalyticsState {
    return this.#state;
  }

  /** Takes an event. Never throws, never waits; an event that cannot be taken is counted. */
  enqueue(event: EventInput, id: string = this.#config.ids.next()): void {
    const { type } = event;
    if (this.#closing || isFinal(this.#state)) {
      this.lose(this.#closing || this.#state === 'closed' ? 'shutdown' : 'disabled', type);
      return;
    }
    try {
      const { json, changed } = encodeEvent(event, id, isoTime(event.tsMs));
      if (changed) this.#truncated += 1;
      this.#seq += 1;
      const key = (type === 'guild_snapshot' && event.guildId) || this.#seq;
      this.#queue.push({ seq: this.#seq, type, json, key });
      const quiet = this.#state === 'quiet';
      // In a quiet period only an exempt event may cause a request. Spec: Transport states.
      if (!this.#draining && (!quiet || isExempt(type))) {
        if (this.#queue.count(quiet) >= LIMITS.highWaterEvents) this.drainSoon();
        this.#cancelFlush ??= this.#env.after(this.#config.flushIntervalMs, () => {
          void this.#drain();
        });
      }
    } catch {
      this.lose('serialization', type);
    }
  }

  /** Counts events that do not arrive; the server tells of some only their number. */
  lose(reason: DropReason, type: EventType | null, count = 1): void {
    this.#dropped[reason] += count;
    this.#lost += count;
    this.#config.onDrop?.({ reason, count, type });
  }

  /** Sends what waits in the next turn of the event loop. */
  drainSoon(): void {
    if (this.#drainsSoon) return;
    this.#drainsSoon = true;
    this.#env.soon(() => {
      this.#drainsSoon = false;
      void this.#drain();
    });
  }

  /**
   * Resolves when every event enqueued before the call is settled, in a quiet period when the
   * exempt ones are, at the latest after `timeoutMs`. Never rejects.
   *
   * While it waits, one handle keeps the process alive, so that `await analytics.flush()` at the end
   * of a script works although all timers and sockets are unreferenced. transport.md C10, C17.
   *
   * @param isLast drops and counts the rest; a pause that ends in time is waited out, since a server
   *   that restarts asks for a second or two
   */
  async flush(timeoutMs: number, isLast = false): Promise<FlushResult> {
    const before = this.health();
    const last = this.#seq;
    const endMs = this.#env.monotonic() + timeoutMs;
    let timeUp = false;
    const cancel = this.#env.deadline(timeoutMs, () => {
      timeUp = true;
      this.#wake();
    });
    void this.#drain();
    while (
      !timeUp &&
      this.#oldestSeq() <= last &&
      (this.#draining || (isLast && this.#quietUntilMs < endMs))
    ) {
      this.#release ??= this.#env.hold();
      await new Promise<void>((wake) => this.#waiting.push(wake));
    }
    cancel();
    if (isLast) this.#end('shutdown');
    const { delivered, dropped, ...now } = this.health();
    return {
      delivered: delivered - before.delivered,
      dropped: dropped - before.dropped,
      ...now,
    };
  }

  /** Takes no more events, flushes for at most `timeoutMs`, drops and counts the rest. */
  shutdown(timeoutMs: number): Promise<FlushResult> {
    // Asked again, by a signal, it ends in the shorter time.
    if (this.#closing) {
      void this.#closing.then(this.#env.deadline(timeoutMs, () => this.#end('shutdown')));
    }
    this.#closing ??= this.flush(timeoutMs, true);
    return this.#closing;
  }

  /** Switches sending off: no usable key or address. */
  disable(): void {
    this.#end('disabled');
  }

  stats(): Stats {
    return {
      state: this.#state,
      queued: this.#queue.count(),
      inFlight: this.#parts.flat().length,
      delivered: this.#delivered,
      dropped: { ...this.#dropped },
      truncated: this.#truncated,
      lastError: this.#lastError,
    };
  }

  /** What arrived, was lost and waits until now. */
  health(): FlushResult {
    return {
      delivered: this.#delivered,
      dropped: this.#lost,
      queued: this.#parts.flat().length + this.#queue.count(),
      state: this.#state,
    };
  }

  /** The one loop that sends. Never rejects. */
  async #drain(): Promise<void> {
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    // A hook of the bot may flush while the end is on its way.
    if (this.#draining || isFinal(this.#state)) return;
    this.#draining = true;
    do {
      this.#wake();
      if (!this.#parts[0]?.length) {
        this.#parts = [this.#queue.take(LIMITS.batchEventsMax, this.#state === 'quiet')];
      }
    } while (this.#parts[0]?.length && (await this.#sendPart(this.#parts[0])));
    this.#draining = false;
    this.#stop = undefined;
    this.#wake();
  }

  /** Makes an attempt and applies what it came to; false when the loop has to stop. */
  async #sendPart(part: Events): Promise<boolean> {
    const reply = await this.#attempt(part);
    // Switched off meanwhile; the events are counted.
    if (this.#parts[0] !== part) return false;
    this.#attempts += 1;
    const { outcome, location = '', error } = reply;
    const [todo, why] = decide(outcome, location !== '', this.#attempts, part.length);
    if (error && todo !== 'deliver') {
      this.#lastError = error;
      this.#env.debug(`${part.length} events: ${error}: ${todo}, ${why}`);
    }
    if (todo === 'retry') {
      await new Promise<void>((resolve) => {
        this.#stop = this.#env.after(backoffMs(this.#attempts, this.#env.random()), resolve);
      });
      return true;
    }
    this.#attempts = 0;
    if (todo === 'quiet') this.#startQuiet(reply);
    else if (todo === 'disable') {
      this.#end('disabled');
      this.#warnOnce(`${refusal(why, location)}. Nothing is collected`);
    } else if (todo === 'split') {
      const middle = Math.ceil(part.length / 2);
      this.#parts.splice(0, 1, part.slice(0, middle), part.slice(middle));
    } else {
      this.#parts.shift();
      if (todo === 'deliver') this.#countDelivered(part.length, reply.rejected);
      // Only some reasons are counted for themselves.
      else this.#loseAll(why in this.#dropped ? (why as DropReason) : 'bad_request', part);
      if (why === 'wrong_endpoint') this.#warnOnce(`\`endpoint\` answered ${outcome}; check it`);
    }
    return todo !== 'quiet';
  }

  /** Sends a part once. */
  async #attempt(part: Events): Promise<Reply> {
    const body = batchBody(part, this.#config.ids.next(), isoTime(this.#env.now()));
    // Over the limit a server would answer the same. Spec: Batch outcome; transport.md C15.
    if (utf8Bytes(body) > LIMITS.batchBytesMax) return { outcome: 413 };
    return await new Promise((resolve) => {
      const controller = new AbortController();
      const cancel = this.#env.after(this.#config.requestTimeoutMs, () => {
        controller.abort();
        const late = (): void => resolve({ outcome: 'timeout', error: 'timeout' });
        // The client hears of it in the close phase of the loop: the second turn from here.
        this.#env.soon(() => this.#env.soon(late));
      });
      this.#stop = () => {
        cancel();
        controller.abort();
      };
      void ask(this.#config, body, controller.signal).then((reply) => {
        cancel();
        resolve(reply);
      });
    });
  }

  #countDelivered(sent: number, told = 0): void {
    const rejected = Math.min(sent, told);
    this.#delivered += sent - rejected;
    if (rejected) {
      this.lose('rejected', null, rejected);
      this.#warnOnce('the server rejected events; see its ingestion health');
    }
  }

  /**
   * Everything unsent goes back to the head of the queue, in order; attempts start anew. A period
   * under way is only ever made longer. transport.md C9.
   */
  #startQuiet({ retryAfter = '', date = '' }: Reply): void {
    this.#queue.putBack(this.#parts.splice(0).flat());
    const ms = quietPeriodMs(retryAfter, date, this.#env.now());
    const nowMs = this.#env.monotonic();
    this.#quietUntilMs = Math.max(this.#quietUntilMs, nowMs + ms);
    this.#cancelQuiet?.();
    this.#cancelQuiet = this.#env.after(this.#quietUntilMs - nowMs, () => {
      this.#step('quiet_ended');
      void this.#drain();
    });
    this.#step('rate_limited');
    if (ms === LIMITS.quietMaxMs) this.#warnOnce('asked to pause for 24 h or more; using 24 h');
  }

  /** Ends all sending and counts what is left. */
  #end(reason: 'disabled' | 'shutdown'): void {
    this.#step(reason);
    this.#stop?.();
    this.#cancelQuiet?.();
    this.#cancelFlush?.();
    this.#loseAll(reason, [...this.#parts.splice(0).flat(), ...this.#queue.take(Infinity)]);
    this.#wake();
  }

  #step(input: TransportInput): void {
    const previous = this.#state;
    this.#state = STEPS[previous][input];
    if (this.#state !== previous) this.#config.onStateChange(this.#state, previous);
  }

  /** Counts several events and reports them once per type. */
  #loseAll(reason: DropReason, events: Events): void {
    const types = events.map(({ type }) => type);
    for (const one of new Set(types)) {
      this.lose(reason, one, types.filter((type) => type === one).length);
    }
  }

  #warnOnce(message: string): void {
    if (this.#warned.has(message)) return;
    this.#warned.add(message);
    this.#env.warn(message);
  }

  /** Lets callers of `flush()` look whether theirs is done; who is not takes hold again at once. */
  #wake(): void {
    this.#release?.();
    this.#release = undefined;
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Number of the oldest event that is not settled. */
  #oldestSeq(): number {
    return (this.#parts[0]?.[0] ?? this.#queue.first)?.seq ?? Infinity;
  }
}

function refusal(why: Decision[1], location: string): string {
  if (why === 'bad_key') return 'API key refused (401)';
  // Origin only: path and query of a redirect may hold secrets.
  const to = URL.canParse(location) ? ` to ${new URL(location).origin}` : '';
  return `\`endpoint\` redirects${to}; set the final address`;
}
