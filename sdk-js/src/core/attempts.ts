import { isObject } from './read.ts';
import { LIMITS } from '@bot-analytics/protocol';
import type { Send, SendAnswer } from '../api/send.ts';
import { batchBody, type Sender } from './batch.ts';
import type { QueuedEvent } from '../event/encode.ts';
import type { Env } from './env.ts';
import { isoTime } from '../event/iso.ts';
import { backoffMs, decide, type Decision, type Outcome } from './policy.ts';
import type { UuidSource } from '../event/uuid.ts';

/** Where and how batches are sent. */
export interface Target {
  /** `{endpoint}/v1/events`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly sender: Sender;
  /** Longest attempt, from connect to the end of the headers. */
  readonly requestTimeoutMs: number;
}

/** How the last attempt of a batch ended; `stopped` when the SDK was shut down meanwhile. */
export type BatchEnd =
  | { readonly decision: Exclude<Decision, { do: 'retry' }>; readonly answer: SendAnswer | null }
  | 'stopped';

type Attempt = { readonly outcome: Outcome; readonly answer: SendAnswer | null };

/** Makes the attempts of one batch after the other. Only one is under way at once. */
export class Attempts {
  readonly #target: Target;
  readonly #send: Send;
  readonly #env: Env;
  readonly #ids: UuidSource;
  /** Ends what is under way: an attempt or the wait before the next. */
  #stop: (() => void) | undefined;
  #stopped = false;
  /** What went wrong last, for `stats()`. */
  lastError: string | null = null;

  constructor(parts: {
    readonly target: Target;
    readonly send: Send;
    readonly env: Env;
    readonly ids: UuidSource;
  }) {
    this.#target = parts.target;
    this.#send = parts.send;
    this.#env = parts.env;
    this.#ids = parts.ids;
  }

  /** Sends a batch, with retries, until it is settled. Never rejects. */
  async run(events: readonly QueuedEvent[]): Promise<BatchEnd> {
    for (let attempt = 1; !this.#stopped; attempt += 1) {
      const made = await this.#attempt(events);
      if (made === 'stopped') break;
      const { outcome, answer } = made;
      const decision = decide(outcome, attempt, events.length);
      this.#note(outcome, decision);
      if (decision.do !== 'retry') return { decision, answer };
      await this.#wait(backoffMs(attempt, this.#env.random()));
    }
    return 'stopped';
  }

  /** Ends what is under way for good; a late answer is ignored. */
  stop(): void {
    this.#stopped = true;
    this.#stop?.();
  }

  async #attempt(events: readonly QueuedEvent[]): Promise<Attempt | 'stopped'> {
    const { url, headers, sender, requestTimeoutMs } = this.#target;
    const body = batchBody(events, sender, {
      batchId: this.#ids.next(),
      sentAt: isoTime(this.#env.now()),
    });
    const controller = new AbortController();
    return await new Promise((resolve) => {
      const end = (made: Attempt | 'stopped'): void => {
        cancel();
        this.#stop = undefined;
        resolve(made);
      };
      const cancel = this.#env.after(requestTimeoutMs, () => {
        end({ outcome: { kind: 'timeout' }, answer: null });
        controller.abort();
      });
      this.#stop = () => {
        end('stopped');
        controller.abort();
      };
      this.#carry({ url, headers, body, signal: controller.signal }).then(end, (error: unknown) => {
        this.lastError = codeOf(error);
        end({ outcome: { kind: 'network_error' }, answer: null });
      });
    });
  }

  /** Turns a `send` that throws instead of rejecting into a rejection. */
  async #carry(request: Parameters<Send>[0]): Promise<Attempt> {
    const answer = await this.#send(request);
    const location = answer.header('location') !== null;
    return { outcome: { kind: 'response', status: answer.status, location }, answer };
  }

  async #wait(ms: number): Promise<void> {
    if (this.#stopped) return;
    await new Promise<void>((resolve) => {
      const cancel = this.#env.after(ms, resolve);
      this.#stop = () => {
        cancel();
        resolve();
      };
    });
    this.#stop = undefined;
  }

  #note(outcome: Outcome, decision: Decision): void {
    if (decision.do === 'deliver') return;
    if (outcome.kind === 'response') this.lastError = `HTTP ${outcome.status}`;
    else if (outcome.kind === 'timeout') this.lastError = 'timeout';
    this.#env.debug(
      `attempt failed (${this.lastError ?? 'network error'}): ${decision.do}, ${decision.why}`,
    );
  }
}

/** A short code of a network error: `ECONNREFUSED`. Its text could quote a header. */
function codeOf(error: unknown): string {
  if (isObject(error) && 'code' in error) {
    if (typeof error.code === 'string') return error.code.slice(0, LIMITS.errorNameCharsMax);
  }
  return error instanceof Error ? error.name : 'network error';
}
