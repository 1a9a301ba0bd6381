import { DATA_FIELDS, EVENT_TYPES, LIMITS, type EventType } from '@bot-analytics/protocol';
import { keyRule } from '../check/key-rules.ts';
import { WordTable } from './word-table.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Bytes that stand for themselves in a JSON string: ASCII without controls, quote and backslash. */
const PLAIN = new Uint8Array(256);
for (let byte = 0x20; byte < 0x80; byte++)
  PLAIN[byte] = byte === QUOTE || byte === BACKSLASH ? 0 : 1;

/** Bytes of a number token. */
const NUMERIC = new Uint8Array(256);
for (const byte of Buffer.from('+-.0123456789Ee')) NUMERIC[byte] = 1;

const LITERALS: ReadonlyMap<number, Uint8Array> = new Map(
  ['true', 'false', 'null'].map((word) => [word.charCodeAt(0), Buffer.from(word)]),
);

/** Levels of `data`: the catalogue has three. */
const DEPTH_MAX = 6;
/** Decimals of so many digits come back from a double as they were. */
const EXACT_DIGITS = 15;

/** Every field name of the catalogue; other keys take the general way. */
const KEYS = new WordTable([
  ...new Set(EVENT_TYPES.flatMap((type) => Object.keys(DATA_FIELDS[type]))),
]);

/** Keys that pass the guards where they stand, by place in KEYS. */
function passing(listed: ReadonlySet<string>): Uint8Array {
  return Uint8Array.from(KEYS.words, (key) => {
    const { content, prototype } = keyRule(key);
    return !prototype && (!content || listed.has(key)) ? 1 : 0;
  });
}

const PASSING_BELOW = passing(new Set());
const PASSING: ReadonlyMap<EventType, Uint8Array> = new Map(
  EVENT_TYPES.map((type) => [type, passing(new Set(Object.keys(DATA_FIELDS[type])))]),
);
const HAS_NESTED_RULE = Uint8Array.from(KEYS.words, (key) =>
  keyRule(key).nested === null ? 0 : 1,
);
const LENGTHS = Uint8Array.from(KEYS.words, (key) => key.length);

/**
 * Copies `data` from a body into a row, where it stands as a JSON string, in one pass over its bytes.
 * Takes only text that equals `JSON.stringify(JSON.parse(text))` and that no guard would change; every
 * method returns false at the first byte that may be anything else, and the event takes the general way.
 */
export class Transcript {
  source: Uint8Array = new Uint8Array(0);
  /** Place of the next byte to read. */
  at = 0;
  target: Uint8Array = new Uint8Array(0);
  /** Place of the next byte to write. */
  out = 0;
  /** By depth and key: the object in which the key was seen last. */
  readonly #seen = new Uint32Array(DEPTH_MAX * KEYS.words.length);
  #objects = 0;

  /** `data` of an event, from brace to brace. The target has room for twice LIMITS.dataBytesMax. */
  data(type: EventType): boolean {
    const from = this.at;
    if (this.source[from] !== OPEN_OBJECT) return false;
    const end = Math.min(this.source.length, from + LIMITS.dataBytesMax);
    return this.#object(0, PASSING.get(type) ?? PASSING_BELOW) && this.at <= end;
  }

  #object(depth: number, passes: Uint8Array): boolean {
    const { source } = this;
    if (depth === DEPTH_MAX) return false;
    if (++this.#objects > 0xffff_fffe) this.#restart();
    const mark = this.#objects;
    this.#copy();
    if (source[this.at] === CLOSE_OBJECT) return this.#copy();
    for (;;) {
      const key = source[this.at] === QUOTE ? KEYS.find(source, this.at + 1) : -1;
      if (key < 0 || passes[key] === 0) return false;
      const cell = depth * LENGTHS.length + key;
      if (this.#seen[cell] === mark) return false;
      this.#seen[cell] = mark;
      this.#key(LENGTHS[key] ?? 0);
      if (source[this.at] !== COLON) return false;
      this.#copy();
      if (source[this.at] === OPEN_LIST && HAS_NESTED_RULE[key] === 1) return false;
      if (!this.#value(depth)) return false;
      const next = source[this.at];
      if (next !== COMMA && next !== CLOSE_OBJECT) return false;
      this.#copy();
      if (next === CLOSE_OBJECT) return true;
    }
  }

  #list(depth: number): boolean {
    const { source } = this;
    if (depth === DEPTH_MAX) return false;
    this.#copy();
    if (source[this.at] === CLOSE_LIST) return this.#copy();
    for (;;) {
      if (!this.#value(depth)) return false;
      const next = source[this.at];
      if (next !== COMMA && next !== CLOSE_LIST) return false;
      this.#copy();
      if (next === CLOSE_LIST) return true;
    }
  }

  #value(depth: number): boolean {
    const byte = this.source[this.at] ?? 0;
    if (byte === QUOTE) return this.#string();
    if (byte === MINUS || (byte >= ZERO && byte <= NINE)) return this.#number();
    if (byte === OPEN_OBJECT) return this.#object(depth + 1, PASSING_BELOW);
    if (byte === OPEN_LIST) return this.#list(depth + 1);
    const literal = LITERALS.get(byte);
    if (literal === undefined) return false;
    for (const letter of literal)
      if (this.source[this.at] !== letter || !this.#copy()) return false;
    return true;
  }

  #string(): boolean {
    const { source, target } = this;
    let { at, out } = this;
    const end = at + LIMITS.stringBytesMax + 1;
    target[out++] = BACKSLASH;
    target[out++] = QUOTE;
    let byte = source[++at] ?? 0;
    while (PLAIN[byte] === 1 && at < end) {
      target[out++] = byte;
      byte = source[++at] ?? 0;
    }
    if (byte !== QUOTE) return false;
    target[out++] = BACKSLASH;
    target[out++] = QUOTE;
    this.at = at + 1;
    this.out = out;
    return true;
  }

  #number(): boolean {
    const { source, target } = this;
    const from = this.at;
    let { at, out } = this;
    let byte = source[at] ?? 0;
    while (NUMERIC[byte] === 1) {
      target[out++] = byte;
      byte = source[++at] ?? 0;
    }
    this.at = at;
    this.out = out;
    return isSimple(source, from, at) || isShortest(source, from, at);
  }

  /** A key of `length` letters and its quotes. */
  #key(length: number): void {
    const { source, target } = this;
    let { out } = this;
    let at = this.at + 1;
    const end = at + length;
    target[out++] = BACKSLASH;
    target[out++] = QUOTE;
    while (at < end) target[out++] = source[at++] ?? 0;
    target[out++] = BACKSLASH;
    target[out++] = QUOTE;
    this.at = at + 1;
    this.out = out;
  }

  /** One byte as it is. */
  #copy(): true {
    this.target[this.out++] = this.source[this.at++] ?? 0;
    return true;
  }

  /** After four billion objects the marks start anew. */
  #restart(): void {
    this.#seen.fill(0);
    this.#objects = 1;
  }
}

/** A decimal without exponent that is its own shortest form, told without reading its value. */
function isSimple(source: Uint8Array, from: number, to: number): boolean {
  let at = source[from] === MINUS ? from + 1 : from;
  if (to - at > EXACT_DIGITS || to === at) return false;
  const first = source[at] ?? 0;
  // A leading zero is left to isShortest: 0 alone is the shortest form, -0, 01 and 0.0000001 are not.
  if (first === ZERO) return to === from + 1;
  let points = 0;
  for (; at < to; at++) {
    const byte = source[at] ?? 0;
    if (byte === POINT) points++;
    else if (byte < ZERO || byte > NINE) return false;
  }
  const last = source[to - 1];
  return points === 0 || (points === 1 && last !== ZERO && last !== POINT && first !== POINT);
}

/** Any other token: a number whose own text it is. */
function isShortest(source: Uint8Array, from: number, to: number): boolean {
  const text = Buffer.from(source.buffer, source.byteOffset + from, to - from).toString('latin1');
  const value = Number(text);
  return Number.isFinite(value) && String(value) === text;
}
