import { raise } from '../sql/exception.ts';
import type { Env } from '../env.ts';

/** One session and what it was opened with; `close` never throws. */
export interface Opened<S> {
  readonly session: S;
  readonly close: () => void;
}

export interface LaneOptions<S> {
  readonly name: 'reader' | 'writer';
  /** Sessions at most, each with one statement at a time. */
  readonly slots: number;
  /** Requests that may wait for a free session; more are refused at once. */
  readonly waitingMax: number;
  /** Longest wait for a free session, ms. */
  readonly waitMaxMs: number;
  /** A statement that runs longer than this is beyond help, ms; undefined: no such limit. */
  readonly stuckAfterMs: number | undefined;
  readonly onStuck: () => void;
  /** Opens a session for the key; may throw. */
  readonly open: (key: string) => Promise<Opened<S>>;
  readonly env: Env;
}

interface Slot<S> {
  key: string;
  opened: Opened<S> | undefined;
}

interface Waiter<S> {
  readonly key: string;
  readonly grant: (slot: Slot<S>) => void;
}

/** Work on a session; `discard` says that the session must not serve the next request. */
export type Work<S, T> = (session: S, discard: () => void) => Promise<T>;

/** A few sessions of one kind behind a bounded queue, first come first served. */
export class Lane<S> {
  readonly #options: LaneOptions<S>;
  readonly #free: Slot<S>[] = [];
  readonly #waiting: Waiter<S>[] = [];
  #busy = 0;
  #closed = false;
  #idle: (() => void) | undefined;

  constructor(options: LaneOptions<S>) {
    this.#options = options;
    for (let n = 0; n < options.slots; n += 1) this.#free.push({ key: '', opened: undefined });
  }

  get busy(): number {
    return this.#busy;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Runs `work` on a session of this key. `signal` gives the place in the queue back. */
  async use<T>(key: string, signal: AbortSignal, work: Work<S, T>): Promise<T> {
    const slot = await this.#acquire(key, signal);
    const cancelWatch = this.#watch();
    let discarded = false;
    try {
      const session = await this.#ready(slot, key);
      return await work(session, () => {
        discarded = true;
      });
    } finally {
      cancelWatch();
      if (discarded) this.#drop(slot);
      this.#release(slot);
    }
  }

  /** No new work; resolves when the last statement ended and every session is closed. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#busy > 0 || this.#waiting.length > 0) {
      await new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
    }
    for (const slot of this.#free) this.#drop(slot);
  }

  #watch(): () => void {
    const { stuckAfterMs, env, onStuck } = this.#options;
    return stuckAfterMs === undefined ? () => undefined : env.after(stuckAfterMs, onStuck);
  }

  async #ready(slot: Slot<S>, key: string): Promise<S> {
    if (slot.opened !== undefined && slot.key === key) return slot.opened.session;
    this.#drop(slot);
    const opened = await this.#options.open(key);
    slot.key = key;
    slot.opened = opened;
    return opened.session;
  }

  #drop(slot: Slot<S>): void {
    slot.opened?.close();
    slot.opened = undefined;
    slot.key = '';
  }

  #takeFree(key: string): Slot<S> | undefined {
    const same = this.#free.findIndex((slot) => slot.key === key);
    const empty = this.#free.findIndex((slot) => slot.key === '');
    const at = same >= 0 ? same : Math.max(empty, 0);
    return this.#free.splice(at, 1)[0];
  }

  #acquire(key: string, signal: AbortSignal): Promise<Slot<S>> {
    const { name, waitingMax, waitMaxMs, env } = this.#options;
    if (this.#closed) return Promise.reject(raise('ABORTED', 'The engine is stopping'));
    const slot = this.#takeFree(key);
    if (slot !== undefined) {
      this.#busy += 1;
      return Promise.resolve(slot);
    }
    if (this.#waiting.length >= waitingMax) {
      const text = `Too many simultaneous queries: ${waitingMax} already wait for a ${name}`;
      return Promise.reject(raise('TOO_MANY_SIMULTANEOUS_QUERIES', text));
    }
    return new Promise((resolve, reject) => {
      const leave = (reason: Error): void => {
        const at = this.#waiting.indexOf(waiter);
        if (at < 0) return;
        this.#waiting.splice(at, 1);
        settle();
        reject(reason);
      };
      const onAbort = (): void => leave(raise('ABORTED', 'The client went away'));
      const cancelTimer = env.after(waitMaxMs, () =>
        leave(raise('TOO_MANY_SIMULTANEOUS_QUERIES', `No ${name} was free for ${waitMaxMs} ms`)),
      );
      const settle = (): void => {
        cancelTimer();
        signal.removeEventListener('abort', onAbort);
      };
      const waiter: Waiter<S> = {
        key,
        grant: (granted) => {
          settle();
          resolve(granted);
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(waiter);
    });
  }

  #release(slot: Slot<S>): void {
    const next = this.#waiting.shift();
    if (next !== undefined) {
      next.grant(slot);
      return;
    }
    this.#busy -= 1;
    this.#free.push(slot);
    if (this.#busy === 0) this.#idle?.();
  }
}
