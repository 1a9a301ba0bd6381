import {
  LOOKUP_IDS_MAX,
  newestEventId,
  storedEventIds,
  storedSnapshotIds,
} from '../store/queries/ingest.ts';
import type { Store } from '../store/store.ts';
import type { Batch, Item } from './batch.ts';
import { ID_WORDS, timeOf, wordsOfDecimal } from './ids.ts';
import { IdTable } from './id-table.ts';
import type { KnownIds } from './known-ids.ts';

/** Slots for the ids of one group commit: 39,000 ids. */
const GROUP_SLOTS = 1 << 16;

/** One request's events on the way to the store. */
export interface Candidate {
  readonly botId: string;
  readonly batch: Batch;
}

interface Deps {
  readonly store: Pick<Store, 'read'>;
  readonly known: KnownIds;
  /** Unguessable 32 bits. */
  readonly seed: number;
  /** Time after which ids cannot be left over from an earlier process, by the clock. */
  readonly startedAtMs: number;
  /** Other processes write to the same store: a miss in memory proves nothing. */
  readonly shared: boolean;
}

/**
 * Decides which ids are new. Runs inside the group commit, one group at a time, so that two requests
 * with the same id never both win. Ids are scoped to the bot, never to the key. server.md T1.
 */
export class Dedupe {
  readonly #deps: Deps;
  readonly #botNumbers = new Map<string, number>();
  readonly #group: IdTable;
  #stored = new Map<string, ReadonlySet<string>>();

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#group = new IdTable(GROUP_SLOTS, deps.seed);
  }

  /** Starts a group: asks the store about every id that memory cannot judge. @throws StoreDownError */
  async begin(candidates: readonly Candidate[]): Promise<void> {
    this.#group.clear();
    this.#stored = new Map();
    const bots = new Set(candidates.map((candidate) => candidate.botId));
    await Promise.all([...bots].map((botId) => this.#loadFloor(botId)));
    const asked = new Map<string, { events: Set<string>; snapshots: Set<string> }>();
    for (const { botId, batch } of candidates) {
      const bot = this.#botNumber(botId);
      for (const [i, item] of batch.items.entries()) {
        const knowledge = this.#deps.known.look(bot, batch.words, i * ID_WORDS, item.idTime);
        if (knowledge === 'known' || (knowledge === 'new' && !this.#deps.shared)) continue;
        let ids = asked.get(botId);
        if (ids === undefined)
          asked.set(botId, (ids = { events: new Set(), snapshots: new Set() }));
        ids[item.row === null ? 'snapshots' : 'events'].add(item.id);
      }
    }
    if (asked.size === 0) return;
    await Promise.all(
      [...asked].map(async ([botId, ids]) => {
        const found = await Promise.all([
          ...this.#lookUp(storedEventIds, botId, [...ids.events]),
          ...this.#lookUp(storedSnapshotIds, botId, [...ids.snapshots]),
        ]);
        this.#stored.set(botId, new Set(found.flat().map((row) => row.id)));
      }),
    );
  }

  #lookUp(
    query: typeof storedEventIds,
    botId: string,
    ids: readonly string[],
  ): Promise<{ id: string }[]>[] {
    const reads: Promise<{ id: string }[]>[] = [];
    for (let i = 0; i < ids.length; i += LOOKUP_IDS_MAX) {
      const params = { botId, ids: ids.slice(i, i + LOOKUP_IDS_MAX) };
      reads.push(this.#deps.store.read(query, params));
    }
    return reads;
  }

  /** Memory speaks for ids that are newer than the store's newest and than the start of this process. */
  async #loadFloor(botId: string): Promise<void> {
    const { known, store, startedAtMs } = this.#deps;
    const bot = this.#botNumber(botId);
    if (known.hasFloor(bot)) return;
    const [newest] = await store.read(newestEventId, { botId });
    const newestTime = newest === undefined ? 0 : timeOf(wordsOfDecimal(newest.id), 0);
    known.raiseFloor(bot, Math.max(newestTime, startedAtMs));
  }

  /** True when the id is neither stored nor in this group. */
  isNew(candidate: Candidate, position: number, item: Item): boolean {
    const { batch, botId } = candidate;
    const bot = this.#botNumber(botId);
    const at = position * ID_WORDS;
    if (this.#group.has(bot, batch.words, at)) return false;
    if (this.#deps.known.look(bot, batch.words, at, item.idTime) === 'known') return false;
    return this.#stored.get(botId)?.has(item.id) !== true;
  }

  /** Takes the id into this group. */
  claim(candidate: Candidate, position: number): void {
    const bot = this.#botNumber(candidate.botId);
    this.#group.add(bot, candidate.batch.words, position * ID_WORDS);
  }

  /** The row is on disk. */
  remember(candidate: Candidate, position: number, item: Item): void {
    const bot = this.#botNumber(candidate.botId);
    this.#deps.known.add(bot, candidate.batch.words, position * ID_WORDS, item.idTime);
  }

  /** The rows may be on disk or not; from now on the store is asked about ids as old as these. */
  doubt(candidate: Candidate): void {
    const bot = this.#botNumber(candidate.botId);
    for (const item of candidate.batch.items) this.#deps.known.raiseFloor(bot, item.idTime);
  }

  #botNumber(botId: string): number {
    let number = this.#botNumbers.get(botId);
    if (number === undefined) {
      number = this.#botNumbers.size + 1;
      this.#botNumbers.set(botId, number);
    }
    return number;
  }
}
