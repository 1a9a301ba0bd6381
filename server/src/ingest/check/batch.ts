import type { BufferPool } from '../../buffer-pool.ts';
import { LIMITS } from '@bot-analytics/protocol';
import { ID_WORDS } from './ids.ts';
import { ROW_BYTES, RowBuffer } from '../row-buffer.ts';
import type { SnapshotRows } from '../snapshot-rows.ts';
import type { ShardPresence } from '../../status/presence.ts';
import { cachedDayText, DAY_MS } from './time.ts';

/** What the events of one request are judged by. */
export interface BatchContext {
  readonly botId: string;
  readonly retentionDays: number;
  readonly receivedAtMs: number;
  /** Added to every `ts`; see clock.ts. */
  readonly shiftMs: number;
  /** The body held `\u` escapes. */
  readonly repair: boolean;
  /** Every character of the body is ASCII. */
  readonly ascii: boolean;
  readonly bodyBytes: number;
}

/** The oldest `ts` that is kept, Unix ms. */
export function oldestTs({ receivedAtMs, retentionDays }: BatchContext): number {
  return receivedAtMs - retentionDays * DAY_MS;
}

/** Larger ones are set to the time of receipt, Unix ms. */
export function newestTs({ receivedAtMs }: BatchContext): number {
  return receivedAtMs + LIMITS.tsAheadMaxMs;
}

/** Day on which an event's row may go. */
export function expiryOf(tsMs: number, { retentionDays }: BatchContext): string {
  return cachedDayText(tsMs + (retentionDays + 1) * DAY_MS);
}

/** The good events of a request, ready to be stored; one position for each. */
export interface Batch {
  readonly size: number;
  /** Words of the ids, four for each position. */
  readonly words: Uint32Array;
  /** Place of each in `events` of the request. */
  readonly indexes: Uint16Array;
  /** Rows of the table `events`, one after the other. */
  readonly rows: Buffer;
  /** Where the row of each position ends in `rows`; a snapshot has none and ends where it begins. */
  readonly ends: Uint32Array;
  /** Rows of the snapshots, by position. */
  readonly snapshots: ReadonlyMap<number, SnapshotRows>;
  /** Signs of life, by arrival. */
  readonly beats: readonly ShardPresence[];
  /** The rows are stored; nobody reads them again. */
  release(): void;
}

/** A batch in the making: the next event's id goes to `words` at `wordsAt`, then it is kept or not. */
export class BatchBuilder {
  readonly words: Uint32Array;
  readonly rows: RowBuffer;
  readonly #indexes: Uint16Array;
  readonly #ends: Uint32Array;
  readonly #snapshots = new Map<number, SnapshotRows>();
  readonly #beats: ShardPresence[] = [];
  #size = 0;

  /** `size`: the most events that it will hold. */
  constructor({ bodyBytes, ascii, repair }: BatchContext, size: number, pool: BufferPool) {
    this.words = new Uint32Array(size * ID_WORDS);
    this.rows = new RowBuffer(bodyBytes + size * ROW_BYTES, ascii && !repair, pool);
    this.#indexes = new Uint16Array(size);
    this.#ends = new Uint32Array(size);
  }

  get wordsAt(): number {
    return this.#size * ID_WORDS;
  }

  /** The event's row is the last one of `rows`. */
  keep(index: number): void {
    this.#indexes[this.#size] = index;
    this.#ends[this.#size++] = this.rows.used;
  }

  keepSnapshot(index: number, rows: SnapshotRows): void {
    this.#snapshots.set(this.#size, rows);
    this.keep(index);
  }

  beat(presence: ShardPresence): void {
    this.#beats.push(presence);
  }

  finish(): Batch {
    return {
      size: this.#size,
      words: this.words,
      indexes: this.#indexes,
      rows: this.rows.finish(),
      ends: this.#ends,
      snapshots: this.#snapshots,
      beats: this.#beats,
      release: () => this.rows.release(),
    };
  }
}
