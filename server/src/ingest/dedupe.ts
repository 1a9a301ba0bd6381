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
import type { IdKnowledge, KnownIds } from './known-ids.ts';

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
 * What one group of requests claims, and what it may say about ids. Between `lookUp` and the claims other
 * groups may end; every method judges by what is known when it is called.
 */
export class GroupIds {
  readonly #dedupe: Dedupe;
  readonly #claims: IdTable;
  /** By bot: the ids that the store was asked about, and whether it had them. */
  readonly asked = new Map<string, Map<string, boolean>>();
  /** Failed groups up to the question: what fails after it may have stored what the answer does not know. */
  failuresBefore = 0;

  constructor(dedupe: Dedupe, claims: IdTable) {
    this.#dedupe = dedupe;
    this.#claims = claims;
  }

  /** True when the group can say of every id whether it is stored; otherwise it was not asked for. */
  canJudge(candidate: Candidate): boolean {
    const doubtful = this.#dedupe.doubtful(candidate);
    if (doubtful.length === 0) return true;
    if (this.failuresBefore !== this.#dedupe.failures) return false;
    return doubtful.every((position) => this.#answer(candidate, position) !== undefined);
  }

  /** True when an id of the request is on its way in the other group. */
  sharesWith(other: GroupIds, { botId, batch }: Candidate): boolean {
    const bot = this.#dedupe.botNumber(botId);
    const claims = other.#claims;
    if (claims.size === 0) return false;
    for (let position = 0; position < batch.size; position++) {
      if (claims.has(bot, batch.words, position * ID_WORDS)) return true;
    }
    return false;
  }

  /** True when the id was stored before this group. */
  isStored(candidate: Candidate, position: number): boolean {
    const word = this.#dedupe.look(candidate, position);
    return word === 'known' || (word === 'ask-store' && this.#answer(candidate, position) === true);
  }

  /** Takes the id into this group; false when it is there already. */
  claim({ botId, batch }: Candidate, position: number): boolean {
    return this.#claims.add(this.#dedupe.botNumber(botId), batch.words, position * ID_WORDS);
  }

  /** The group is over: what it stored is remembered, what failed is in doubt. */
  close(): void {
    this.#dedupe.giveBack(this.#claims);
  }

  #answer({ botId, batch }: Candidate, position: number): boolean | undefined {
    return this.asked.get(botId)?.get(decimalOf(batch.words, position * ID_WORDS));
  }
}

/**
 * Decides which ids are new. Runs inside the group commit, so that two requests with the same id never
 * both win. Ids are scoped to the bot, never to the key. server.md T1.
 */
export class Dedupe {
  readonly #deps: Deps;
  readonly #botNumbers = new Map<string, number>();
  /** Tables of ended groups, empty, for the next ones. */
  readonly #tables: IdTable[] = [];
  /** Groups whose outcome is not known. */
  failures = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  openGroup(): GroupIds {
    return new GroupIds(this, this.#tables.pop() ?? new IdTable(GROUP_SLOTS, this.#deps.seed));
  }

  giveBack(claims: IdTable): void {
    claims.clear();
    this.#tables.push(claims);
  }

  /** Asks the store about every id that memory cannot judge. @throws StoreDownError */
  async lookUp(group: GroupIds, candidates: readonly Candidate[]): Promise<void> {
    group.failuresBefore = this.failures;
    const bots = new Set(candidates.map((candidate) => candidate.botId));
    await Promise.all([...bots].map((botId) => this.#loadFloor(botId)));
    const wanted = new Map<string, { events: Set<string>; snapshots: Set<string> }>();
    for (const candidate of candidates) {
      const { botId, batch } = candidate;
      for (const position of this.doubtful(candidate)) {
        const ids = wanted.get(botId) ?? { events: new Set(), snapshots: new Set() };
        wanted.set(botId, ids);
        const kind = batch.snapshots.has(position) ? 'snapshots' : 'events';
        ids[kind].add(decimalOf(batch.words, position * ID_WORDS));
      }
    }
    await Promise.all(
      [...wanted].map(async ([botId, ids]) => {
        const found = await Promise.all([
          ...this.#lookUp(storedEventIds, botId, [...ids.events]),
          ...this.#lookUp(storedSnapshotIds, botId, [...ids.snapshots]),
        ]);
        const answers = new Map<string, boolean>();
        for (const id of [...ids.events, ...ids.snapshots]) answers.set(id, false);
        for (const { id } of found.flat()) answers.set(id, true);
        group.asked.set(botId, answers);
      }),
    );
  }

  /** Positions that only the store can judge. */
  doubtful(candidate: Candidate): number[] {
    const { botId, batch } = candidate;
    const floor = this.#deps.known.floorOf(this.botNumber(botId));
    const doubtful: number[] = [];
    for (let position = 0; position < batch.size; position++) {
      // Most ids are newer than the floor, which is told without a look at the table.
      if (!this.#deps.shared && timeOf(batch.words, position * ID_WORDS) > floor) continue;
      if (this.look(candidate, position) === 'ask-store') doubtful.push(position);
    }
    return doubtful;
  }

  /** What memory says about an id. */
  look({ botId, batch }: Candidate, position: number): IdKnowledge {
    const { known, shared } = this.#deps;
    const at = position * ID_WORDS;
    const word = known.look(this.botNumber(botId), batch.words, at, timeOf(batch.words, at));
    return word === 'new' && shared ? 'ask-store' : word;
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
    const bot = this.botNumber(botId);
    if (known.hasFloor(bot)) return;
    const [newest] = await store.read(newestEventId, { botId });
    const newestTime = newest === undefined ? 0 : timeOf(wordsOfDecimal(newest.id), 0);
    known.raiseFloor(bot, Math.max(newestTime, startedAtMs));
  }

  /** The row is on disk. */
  remember({ botId, batch }: Candidate, position: number): void {
    const at = position * ID_WORDS;
    const { known } = this.#deps;
    known.add(this.botNumber(botId), batch.words, at, timeOf(batch.words, at));
  }

  /** The rows may be on disk or not; from now on the store is asked about ids as old as these. */
  doubt({ botId, batch }: Candidate): void {
    this.failures++;
    let newest = 0;
    for (let position = 0; position < batch.size; position++) {
      newest = Math.max(newest, timeOf(batch.words, position * ID_WORDS));
    }
    this.#deps.known.raiseFloor(this.botNumber(botId), newest);
  }

  /** A small number for the tables. */
  botNumber(botId: string): number {
    let number = this.#botNumbers.get(botId);
    if (number === undefined) {
      number = this.#botNumbers.size + 1;
      this.#botNumbers.set(botId, number);
    }
    return number;
  }
}
