const QUOTE = 0x22;
/** Four slots a word keep probing short. */
const SLOTS_PER_WORD = 4;
const NO_WORD = -1;

/** A closed set of short ASCII words, found by their bytes without making a string. */
export class WordTable {
  readonly words: readonly string[];
  readonly #letters: Uint8Array;
  /** Where each word ends in `#letters`. */
  readonly #ends: Uint16Array;
  readonly #slots: Int16Array;
  readonly #lengthMax: number;

  constructor(words: readonly string[]) {
    this.words = words;
    this.#letters = Buffer.from(words.join(''), 'latin1');
    this.#ends = new Uint16Array(words.length);
    this.#slots = new Int16Array(2 ** Math.ceil(Math.log2(words.length * SLOTS_PER_WORD)));
    this.#slots.fill(NO_WORD);
    this.#lengthMax = Math.max(...words.map((word) => word.length));
    let end = 0;
    for (const [index, word] of words.entries()) {
      this.#ends[index] = end += word.length;
      let slot = hashOf(Buffer.from(word, 'latin1'), 0, word.length) & (this.#slots.length - 1);
      while (this.#slots[slot] !== NO_WORD) slot = (slot + 1) & (this.#slots.length - 1);
      this.#slots[slot] = index;
    }
  }

  /** Place in `words` of the word that starts at `from` and ends before the next quote; -1: none. */
  find(source: Uint8Array, from: number): number {
    let to = from;
    const limit = from + this.#lengthMax;
    while (to <= limit && source[to] !== QUOTE) to++;
    if (to > limit) return NO_WORD;
    const slots = this.#slots;
    let slot = hashOf(source, from, to) & (slots.length - 1);
    for (;;) {
      const index = slots[slot] ?? NO_WORD;
      if (index === NO_WORD || this.#isWord(index, source, from, to)) return index;
      slot = (slot + 1) & (slots.length - 1);
    }
  }

  #isWord(index: number, source: Uint8Array, from: number, to: number): boolean {
    const letters = this.#letters;
    let at = index === 0 ? 0 : (this.#ends[index - 1] ?? 0);
    if ((this.#ends[index] ?? 0) - at !== to - from) return false;
    for (let i = from; i < to; i++) if (source[i] !== letters[at++]) return false;
    return true;
  }
}

/** FNV-1a, RFC 9923. The set is closed, so nobody can choose words that collide. */
function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ (bytes[i] ?? 0), 0x01000193);
  return hash ^ (hash >>> 15);
}
