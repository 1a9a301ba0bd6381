import type { Env } from '../env.ts';
import type { Log } from '../log.ts';
import { rowText } from '../store/inserts.ts';
import type { Store } from '../store/store.ts';

/**
 * What a counter counts: `event` (received, accepted, duplicate), `rejected` and `warning` (codes of
 * the wire), `refused` (whole requests, by error code), `sdk` (batches by `name@version`), `skew`
 * (batches; `value` is the last clock skew in ms).
 */
export type HealthKind = 'event' | 'rejected' | 'warning' | 'refused' | 'sdk' | 'skew';

interface Counter {
  readonly botId: string;
  readonly hourMs: number;
  readonly kind: HealthKind;
  readonly code: string;
  total: number;
  lastAtMs: number;
  value: number | null;
  dirty: boolean;
}

const HOUR_MS = 3_600_000;
const FLUSH_MS = 10_000;
/** Distinct counters held; a bot that invents SDK versions cannot fill the memory. */
const COUNTERS_MAX = 100_000;
const SDKS_PER_BOT_MAX = 50;

interface Deps {
  readonly store: Store;
  readonly env: Env;
  readonly log: Log;
  /** This process, a UUID. */
  readonly source: string;
}

/**
 * Ingestion health: what was received, refused, cut or shifted, by bot and hour. Written every 10 s as
 * running totals of this process, so a write that is repeated counts nothing twice.
 */
export class IngestHealth {
  readonly #deps: Deps;
  readonly #counters = new Map<string, Counter>();
  readonly #sdks = new Map<string, Set<string>>();
  #cancel: (() => void) | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#cancel = this.#deps.env.every(FLUSH_MS, () => void this.flush());
  }

  async stop(): Promise<void> {
    this.#cancel?.();
    await this.flush();
  }

  /** Adds to a counter; nothing happens for 0. */
  count(botId: string, kind: HealthKind, code: string, by = 1): void {
    if (by > 0) this.#add({ botId, kind, code, by, value: null });
  }

  /** Notes the clock skew of a batch, ms. */
  countSkew(botId: string, skewMs: number): void {
    this.#add({ botId, kind: 'skew', code: '', by: 1, value: skewMs });
  }

  #add(what: {
    readonly botId: string;
    readonly kind: HealthKind;
    readonly code: string;
    readonly by: number;
    readonly value: number | null;
  }): void {
    const { botId, kind, code, by, value } = what;
    const nowMs = this.#deps.env.nowMs();
    const hourMs = nowMs - (nowMs % HOUR_MS);
    const name = `${botId} ${hourMs} ${kind} ${code}`;
    let counter = this.#counters.get(name);
    if (counter === undefined) {
      if (this.#counters.size >= COUNTERS_MAX) return;
      counter = { botId, hourMs, kind, code, total: 0, lastAtMs: 0, value: null, dirty: false };
      this.#counters.set(name, counter);
    }
    counter.total += by;
    counter.lastAtMs = nowMs;
    counter.value = value ?? counter.value;
    counter.dirty = true;
  }

  /** Counts a batch by SDK; beyond 50 versions of a bot as `other`. */
  countSdk(botId: string, sdk: string): void {
    let known = this.#sdks.get(botId);
    if (known === undefined) this.#sdks.set(botId, (known = new Set()));
    if (known.size < SDKS_PER_BOT_MAX) known.add(sdk);
    this.count(botId, 'sdk', known.has(sdk) ? sdk : 'other@');
  }

  /** Writes what changed; a failure is tried again at the next turn. */
  async flush(): Promise<void> {
    const { store, env, log, source } = this.#deps;
    const changed = [...this.#counters.entries()].filter(([, counter]) => counter.dirty);
    for (const [, counter] of changed) counter.dirty = false;
    if (changed.length > 0) {
      const rows = changed.map(([, { botId, hourMs, kind, code, total, lastAtMs, value }]) =>
        rowText([botId, hourMs / 1_000, kind, code, source, total, lastAtMs, value]),
      );
      try {
        await store.insert('ingest_health', rows.join(''));
      } catch (error) {
        for (const [, counter] of changed) counter.dirty = true;
        log.warn('ingestion health could not be written', { error: String(error) });
        return;
      }
    }
    // Totals of past hours that are written will not change any more.
    const nowMs = env.nowMs();
    for (const [name, counter] of this.#counters) {
      if (!counter.dirty && counter.hourMs + 2 * HOUR_MS < nowMs) this.#counters.delete(name);
    }
  }
}
