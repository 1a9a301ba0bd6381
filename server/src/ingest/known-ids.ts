import { IdTable } from './id-table.ts';

/** Slots of one generation: 20 MiB, 629,000 ids. */
export const GENERATION_SLOTS = 1 << 20;

/** What memory can say about an id. */
export type IdKnowledge = 'known' | 'new' | 'ask-store';

/**
 * The ids that this process stored lately, in two generations.
 *
 * Why memory may say "new": for every bot there is a floor, the highest id time that the store may hold
 * without memory knowing. It starts at the newest id of the bot in the store, and rises to the newest
 * id of whatever memory forgets or cannot be sure of. An id above the floor that memory does not know
 * was never stored. No clock takes part, so a bot whose clock is wrong only asks the store more often.
 * Decision 0040.
 */
export class KnownIds {
  #current: IdTable;
  #previous: IdTable;
  readonly #floors = new Map<number, number>();
  /** Newest id time of each bot, ever. */
  readonly #newest = new Map<number, number>();
  /** The same in the two generations. */
  #currentNewest = new Map<number, number>();
  #previousNewest = new Map<number, number>();

  constructor(seed: number, slots = GENERATION_SLOTS) {
    this.#current = new IdTable(slots, seed);
    this.#previous = new IdTable(slots, seed ^ 0x5bd1e995);
  }

  /** Memory speaks for a bot only after its floor is set. */
  hasFloor(bot: number): boolean {
    return this.#floors.has(bot);
  }

  /** Ids up to `idTime` may be in the store without memory knowing. Floors never sink. */
  raiseFloor(bot: number, idTime: number): void {
    this.#floors.set(bot, Math.max(this.#floors.get(bot) ?? -1, idTime));
  }

  /** Highest id time that memory cannot speak for; Infinity before the first `raiseFloor`. */
  floorOf(bot: number): number {
    return this.#floors.get(bot) ?? Number.POSITIVE_INFINITY;
  }

  /** An id newer than every one of the bot that memory holds is in none of the tables. */
  look(bot: number, words: Uint32Array, at: number, idTime: number): IdKnowledge {
    if (idTime <= (this.#newest.get(bot) ?? -1)) {
      if (this.#current.has(bot, words, at)) return 'known';
      if (this.#previous.size > 0 && this.#previous.has(bot, words, at)) return 'known';
    }
    const floor = this.#floors.get(bot);
    return floor === undefined || idTime <= floor ? 'ask-store' : 'new';
  }

  /** Remembers a stored id. */
  add(bot: number, words: Uint32Array, at: number, idTime: number): void {
    if (this.#current.size >= this.#current.capacity) this.#turn();
    this.#current.add(bot, words, at);
    if (idTime > (this.#currentNewest.get(bot) ?? -1)) this.#currentNewest.set(bot, idTime);
    if (idTime > (this.#newest.get(bot) ?? -1)) this.#newest.set(bot, idTime);
  }

  /** Forgets the older generation. */
  #turn(): void {
    for (const [bot, idTime] of this.#previousNewest) this.raiseFloor(bot, idTime);
    const emptied = this.#previous;
    emptied.clear();
    this.#previous = this.#current;
    this.#previousNewest = this.#currentNewest;
    this.#current = emptied;
    this.#currentNewest = new Map();
  }
}
