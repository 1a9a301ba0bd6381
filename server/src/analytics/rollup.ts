import type { Env } from '../env.ts';
import type { Log } from '../log.ts';
import { INSERT_COLUMNS } from '../store/inserts.ts';
import {
  lastRollup,
  rollHour,
  touchedHours,
  type ShardHourRow,
} from '../store/queries/shard-hours.ts';
import type { Store } from '../store/store.ts';
import { hourOf } from './range.ts';

const EVERY_MS = 600_000;
/** A heartbeat may be stored this long after its time of receipt. */
const STORED_WITHIN_MS = 120_000;
const HOUR_MS = 3_600_000;
/** Hours that are always read from the heartbeats themselves: the present one and the one before. */
const FRESH_HOURS = 1;
/** Bots of one statement; their ids stand in its address. */
const BOTS_PER_STATEMENT = 100;
/** After a long stop no more than this is read from the heartbeats. */
const FRESH_MS_MAX = 26 * HOUR_MS;

interface Deps {
  readonly store: Pick<Store, 'read' | 'insert'>;
  readonly env: Pick<Env, 'nowMs' | 'every'>;
  readonly log: Log;
}

/**
 * Computes the hours of shards from their heartbeats every ten minutes: each hour that got a heartbeat
 * since the last run, anew from all heartbeats of it, so that nothing counts twice. Several servers
 * may do so side by side; the newest row of an hour wins. Decision 0072.
 */
export class Rollup {
  readonly #deps: Deps;
  #computedMs = 0;
  #running: Promise<void> | undefined;
  #cancel: () => void = () => undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws StoreDownError */
  async start(): Promise<void> {
    const { store, env } = this.#deps;
    const [row] = await store.read(lastRollup, {});
    this.#computedMs = Number(row?.atMs ?? 0);
    this.#cancel = env.every(EVERY_MS, () => void this.#tryRun());
    void this.#tryRun();
  }

  async stop(): Promise<void> {
    this.#cancel();
    await this.#running?.catch(() => undefined);
  }

  /** Start of the first hour that has to be read from the heartbeats, Unix ms. */
  freshFromMs(): number {
    const nowMs = this.#deps.env.nowMs();
    const computedMs = Math.min(this.#computedMs, nowMs);
    return hourOf(Math.max(computedMs, nowMs - FRESH_MS_MAX)) - FRESH_HOURS * HOUR_MS;
  }

  /** Computes what is due now; callers share one run. @throws StoreDownError */
  run(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #tryRun(): Promise<void> {
    try {
      await this.run();
    } catch (error) {
      this.#deps.log.warn('hours of shards could not be computed', { error: String(error) });
    }
  }

  async #run(): Promise<void> {
    const { store, env } = this.#deps;
    const startedMs = env.nowMs();
    const sinceMs = Math.max(0, this.#computedMs - STORED_WITHIN_MS);
    for (const { hour, botIds } of await store.read(touchedHours, { sinceMs })) {
      for (let i = 0; i < botIds.length; i += BOTS_PER_STATEMENT) {
        const some = botIds.slice(i, i + BOTS_PER_STATEMENT);
        // One after the other: a run after a long stop must not take every reader.
        const rows = await store.read(rollHour, { botIds: some, hour });
        if (rows.length > 0) await store.insert('shard_hours', rowsText(rows, startedMs));
      }
    }
    this.#computedMs = Math.max(this.#computedMs, startedMs);
  }
}

function rowsText(rows: readonly ShardHourRow[], version: number): string {
  const lines = rows.map((row) => {
    const values: Record<string, unknown> = {
      ...row,
      last_received_at: Number(row['last_received_at']),
      version,
    };
    return JSON.stringify(INSERT_COLUMNS.shard_hours.map((column) => values[column] ?? null));
  });
  return `${lines.join('\n')}\n`;
}
