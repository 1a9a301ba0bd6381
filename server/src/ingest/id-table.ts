import { ID_WORDS } from './check/ids.ts';

/** Numbers of one entry: the bot's number (0: empty slot) and the four words of the id. */
const ENTRY = 1 + ID_WORDS;
/** Most entries for a number of slots; beyond it probing gets long. */
const FILL_MAX = 0.6;

/**
 * A set of (bot, id) pairs in one typed array: 20 bytes a slot and nothing for the garbage collector,
 * where a Set of strings takes over 100 bytes an entry. Pages of an unused table are never touched.
 */
export class IdTable {
  readonly #slots: Uint32Array;
  readonly #mask: number;
  readonly #seed: number;
  readonly capacity: number;
  size = 0;

  /** `slots` is a power of two; `seed` is unguessable, so that nobody can send ids that collide. */
  constructor(slots: number, seed: number) {
    this.#slots = new Uint32Array(slots * ENTRY);
    this.#mask = slots - 1;
    this.#seed = seed;
    this.capacity = Math.floor(slots * FILL_MAX);
  }

  has(bot: number, words: Uint32Array, at: number): boolean {
    return this.#slots[this.#find(bot, words, at)] !== 0;
  }

  /** Adds the pair; false when it was there. The caller keeps `size` below `capacity`. */
  add(bot: number, words: Uint32Array, at: number): boolean {
    const slot = this.#find(bot, words, at);
    if (this.#slots[slot] !== 0) return false;
    this.#slots[slot] = bot;
    for (let i = 0; i < ID_WORDS; i++) this.#slots[slot + 1 + i] = words[at + i] ?? 0;
    this.size++;
    return true;
  }

  clear(): void {
    if (this.size > 0) this.#slots.fill(0);
    this.size = 0;
  }

  /** Start of the pair's slot, or of the empty slot where it belongs. */
  #find(bot: number, words: Uint32Array, at: number): number {
    const slots = this.#slots;
    const a = words[at] ?? 0;
    const b = words[at + 1] ?? 0;
    const c = words[at + 2] ?? 0;
    const d = words[at + 3] ?? 0;
    let hash = mix(mix(mix(mix(mix(this.#seed, bot), a), b), c), d) & this.#mask;
    for (;;) {
      const slot = hash * ENTRY;
      if (slots[slot] === 0) return slot;
      if (
        slots[slot] === bot &&
        slots[slot + 1] === a &&
        slots[slot + 2] === b &&
        slots[slot + 3] === c &&
        slots[slot + 4] === d
      ) {
        return slot;
      }
      hash = (hash + 1) & this.#mask;
    }
  }
}

/** One round of MurmurHash3. */
function mix(hash: number, word: number): number {
  let k = Math.imul(word, 0xcc9e2d51);
  k = Math.imul((k << 15) | (k >>> 17), 0x1b873593);
  const h = hash ^ k;
  return Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64;
}
