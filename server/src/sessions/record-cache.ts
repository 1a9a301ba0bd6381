import type { Env } from '../env.ts';

interface Versioned {
  readonly version: number;
}

interface Source<T extends Versioned> {
  readonly env: Pick<Env, 'monotonicMs'>;
  /** Reads every record; rejects when the store is down. */
  readonly load: () => Promise<readonly T[]>;
  readonly idOf: (record: T) => string;
  /** Other processes write the same records. */
  readonly shared: boolean;
  /** Oldest age at which the memory of a shared store is believed. */
  readonly believedMs: number;
}

/** Small records kept in memory and re-read in time when other processes may change them. */
export class RecordCache<T extends Versioned> {
  readonly #source: Source<T>;
  #records = new Map<string, T>();
  #loadedAtMs = Number.NEGATIVE_INFINITY;
  #loading: Promise<void> | undefined;

  constructor(source: Source<T>) {
    this.#source = source;
  }

  /** Makes the memory fresh enough. Callers share one run. @throws StoreDownError */
  async refresh(): Promise<void> {
    const age = this.#source.env.monotonicMs() - this.#loadedAtMs;
    const { shared, believedMs } = this.#source;
    if (shared ? age <= believedMs : this.#loadedAtMs !== Number.NEGATIVE_INFINITY) return;
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    await this.#loading;
  }

  async #load(): Promise<void> {
    const startedAtMs = this.#source.env.monotonicMs();
    for (const record of await this.#source.load()) {
      const mine = this.get(this.#source.idOf(record));
      // A change made here while the rows were on their way has a higher version and stays.
      if (mine === undefined || mine.version <= record.version) this.put(record);
    }
    this.#loadedAtMs = startedAtMs;
  }

  get(id: string): T | undefined {
    return this.#records.get(id);
  }

  all(): readonly T[] {
    return [...this.#records.values()];
  }

  put(record: T): void {
    this.#records.set(this.#source.idOf(record), record);
  }

  delete(id: string): void {
    this.#records.delete(id);
  }
}
