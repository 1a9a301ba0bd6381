import {
  LOOKUP_IDS_MAX,
  newestEventId,
  storedEventIds,
  storedSnapshotIds,
} from '../store/queries/ingest.ts';
import type { Store } from '../store/store.ts';
import type { Batch } from './check/batch.ts';
import { decimalOf, ID_WORDS, timeOf, wordsOfDecimal } from './check/ids.ts';
import { IdTable } from './id-table.ts';
import type { KnownIds } from './known-ids.ts';

/** Slots for the ids of one group commit: 39,000 ids. */
const GROUP_SLOTS = 1 << 16;
/** What memory said; 0 stands for "new". */
const KNOWN = 1;
const ASKED = 2;

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
  /** What memory said about the positions of each batch of the group. */
  #knowledge = new Map<Batch, Uint8Array>();

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#group = new IdTable(GROUP_SLOTS, deps.seed);
  }

  /** Starts a group: asks the store about every id that memory cannot judge. @throws StoreDownError */
  async begin(candidates: readonly Candidate[]): Promise<void> {
    this.#group.clear();
    this.#stored = new Map();
    this.#knowledge = new Map();
    const bots = new Set(candidates.map((candidate) => candidate.botId));
    await Promise.all([...bots].map((botId) => this.#loadFloor(botId)));
    const asked = new Map<string, { events: Set<string>; snapshots: Set<string> }>();
    for (const candidate of candidates) {
      const { botId, batch } = candidate;
      const doubtful = this.#look(candidate);
      if (doubtful.length === 0) continue;
      let ids = asked.get(botId);
      if (ids === undefined) asked.set(botId, (ids = { events: new Set(), snapshots: new Set() }));
      for (const position of doubtful) {
        const kind = batch.snapshots.has(position) ? 'snapshots' : 'events';
        ids[kind].add(decimalOf(batch.words, position * ID_WORDS));
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

  /** Notes what memory says about each id; returns the positions that only the store can judge. */
  #look({ botId, batch }: Candidate): number[] {
    const { known, shared } = this.#deps;
    const bot = this.#botNumber(botId);
    const knowledge = new Uint8Array(batch.size);
    const doubtful: number[] = [];
    for (let position = 0; position < batch.size; position++) {
      const at = position * ID_WORDS;
      const word = known.look(bot, batch.words, at, timeOf(batch.words, at));
      if (word === 'known') {
        knowledge[position] = KNOWN;
      } else if (word === 'ask-store' || shared) {
        knowledge[position] = ASKED;
        doubtful.push(position);
      }
    }
    this.#knowledge.set(batch, knowledge);
    return doubtful;
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

  /** True when the id was stored before this group. */
  isStored({ batch, botId }: Candidate, position: number): boolean {
    const knowledge = this.#knowledge.get(batch)?.[position];
    if (knowledge !== ASKED) return knowledge === KNOWN;
    const id = decimalOf(batch.words, position * ID_WORDS);
    return this.#stored.get(botId)?.has(id) === true;
  }

  /** Takes the id into this group; false when it is there already. */
  claim({ botId, batch }: Candidate, position: number): boolean {
    return this.#group.add(this.#botNumber(botId), batch.words, position * ID_WORDS);
  }

  /** The row is on disk. */
  remember({ botId, batch }: Candidate, position: number): void {
    const at = position * ID_WORDS;
    const { known } = this.#deps;
    known.add(this.#botNumber(botId), batch.words, at, timeOf(batch.words, at));
  }

  /** The rows may be on disk or not; from now on the store is asked about ids as old as these. */
  doubt({ botId, batch }: Candidate): void {
    let newest = 0;
    for (let position = 0; position < batch.size; position++) {
      newest = Math.max(newest, timeOf(batch.words, position * ID_WORDS));
    }
    this.#deps.known.raiseFloor(this.#botNumber(botId), newest);
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
