import type { Status, StatusDelta } from '@bot-analytics/protocol/read-api';
import type { Env } from '../env.ts';
import { applyDelta } from './apply-delta.ts';
import { backoffMs, LIVE, LIVE_STEPS } from './machine.ts';
import type { LiveAction, LiveInput, LiveState } from './machine.ts';
import { EventParser } from './sse-parser.ts';
import type { StreamEvent } from './sse-parser.ts';

/** What a page sees of the connection. A new object on each change. */
export interface LiveView {
  readonly state: LiveState;
  /** Why nothing arrives in `resting`. */
  readonly resting: 'hidden' | 'paused' | null;
  /** `null` until the first answer. */
  readonly status: Status | null;
  /** Wall clock of the viewer when the last data arrived, Unix ms. */
  readonly arrivedAtMs: number | null;
  /** True when the last attempt to hear from the server failed and none succeeded since. */
  readonly lost: boolean;
  /** An answer that trying again does not mend: not logged in, no such bot. */
  readonly refusal: { readonly status: number } | null;
}

/** Where the data comes from. */
export interface LiveSource {
  readonly streamUrl: string;
  readonly statusUrl: string;
}

const NOTHING: LiveView = {
  state: 'resting',
  resting: null,
  status: null,
  arrivedAtMs: null,
  lost: false,
  refusal: null,
};

/** Statuses that mean "not now, but elsewhere": the page polls. */
const REFUSED = 503;
/** Statuses that trying again does not mend. */
const FINAL: ReadonlySet<number> = new Set([401, 403, 404, 410]);

/** Keeps one status page fed. The table in `machine.ts` decides, this class waits and reads. */
export class LiveConnection {
  readonly #env: Env;
  readonly #source: LiveSource;
  readonly #listeners = new Set<() => void>();
  #view: LiveView = NOTHING;
  #attempt = 0;
  #polls = 0;
  #abort: AbortController | undefined;
  #cancelTimer: () => void = () => undefined;
  #cancelWatch: () => void = () => undefined;

  constructor(env: Env, source: LiveSource) {
    this.#env = env;
    this.#source = source;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly view = (): LiveView => this.#view;

  /** Opens the stream, or opens it again after `rest`. */
  wake(): void {
    if (this.#view.refusal !== null) return;
    this.#set({ resting: null });
    this.#input('wake');
  }

  /** Closes everything until `wake`. */
  rest(why: 'hidden' | 'paused'): void {
    this.#set({ resting: why });
    this.#input('rest');
  }

  #set(patch: Partial<LiveView>): void {
    this.#view = { ...this.#view, ...patch };
    for (const listener of this.#listeners) listener();
  }

  #input(input: LiveInput): void {
    const step = LIVE_STEPS[this.#view.state][input];
    if (step.to !== this.#view.state) this.#set({ state: step.to });
    this.#do(step.do);
  }

  #do(action: LiveAction): void {
    if (action === 'nothing') return;
    this.#cancelTimer();
    if (action !== 'poll-later') this.#close();
    switch (action) {
      case 'open':
        void this.#stream();
        break;
      case 'back-off':
        this.#cancelTimer = this.#env.after(backoffMs(this.#attempt, this.#env.random()), () => {
          this.#input('due');
        });
        break;
      case 'poll':
        void this.#poll();
        break;
      case 'poll-later':
        this.#cancelTimer = this.#env.after(LIVE.pollEveryMs, () => {
          this.#polls += 1;
          this.#input(this.#polls % LIVE.pollsBeforeStream === 0 ? 'worn-out' : 'due');
        });
        break;
      case 'close':
        break;
    }
  }

  #close(): void {
    this.#cancelWatch();
    this.#abort?.abort();
    this.#abort = undefined;
  }

  /** A dead connection makes no sound: end it after a silence that the server never leaves. */
  #watch(abort: AbortController): void {
    this.#cancelWatch();
    this.#cancelWatch = this.#env.after(LIVE.silenceMaxMs, () => {
      if (this.#abort === abort) this.#failed();
    });
  }

  #failed(): void {
    this.#attempt += 1;
    this.#set({ lost: true });
    this.#input(this.#attempt >= LIVE.attemptsBeforePolling ? 'worn-out' : 'failed');
  }

  #final(status: number): void {
    this.#set({ refusal: { status }, lost: false });
    this.#input('rest');
  }

  async #stream(): Promise<void> {
    const abort = new AbortController();
    this.#abort = abort;
    this.#watch(abort);
    try {
      const response = await this.#env.fetch(this.#source.streamUrl, {
        headers: { accept: 'text/event-stream' },
        cache: 'no-store',
        signal: abort.signal,
      });
      if (this.#abort !== abort) return;
      if (FINAL.has(response.status)) {
        this.#final(response.status);
        return;
      }
      if (response.status === REFUSED) {
        this.#input('refused');
        return;
      }
      if (response.ok && response.body !== null) await this.#read(response.body, abort);
    } catch {
      // Falls through: an abort of ours has already replaced `#abort`.
    }
    if (this.#abort === abort) this.#failed();
  }

  async #read(body: ReadableStream<Uint8Array>, abort: AbortController): Promise<void> {
    const parser = new EventParser();
    const decoder = new TextDecoder();
    const reader = body.getReader();
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- a stream is read piece by piece
      const piece = await reader.read();
      if (this.#abort !== abort || piece.done) return;
      this.#watch(abort);
      for (const event of parser.push(decoder.decode(piece.value, { stream: true }))) {
        this.#receive(event);
      }
    }
  }

  #receive(event: StreamEvent): void {
    // Both shapes are checked by the server's tests against the table in `protocol`.
    if (event.event === 'snapshot') this.#arrive(JSON.parse(event.data) as Status);
    if (event.event === 'delta' && this.#view.status !== null) {
      this.#arrive(applyDelta(this.#view.status, JSON.parse(event.data) as StatusDelta));
    }
  }

  #arrive(status: Status): void {
    this.#attempt = 0;
    this.#set({ status, arrivedAtMs: this.#env.now(), lost: false });
    this.#input('arrived');
  }

  async #poll(): Promise<void> {
    const abort = new AbortController();
    this.#abort = abort;
    try {
      const response = await this.#env.fetch(this.#source.statusUrl, {
        headers: { accept: 'application/json' },
        signal: abort.signal,
      });
      if (this.#abort !== abort) return;
      if (FINAL.has(response.status)) {
        this.#final(response.status);
        return;
      }
      if (response.ok) {
        this.#arrive((await response.json()) as Status);
        return;
      }
    } catch {
      // Falls through: an abort of ours has already replaced `#abort`.
    }
    if (this.#abort !== abort) return;
    this.#attempt += 1;
    this.#set({ lost: true });
    this.#input('failed');
  }
}
