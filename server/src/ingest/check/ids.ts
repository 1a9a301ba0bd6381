/** 32-bit words of an id: a UUID is four of them, most significant first. */
export const ID_WORDS = 4;

/** By byte. */
const HEX_VALUES = new Int8Array(256).fill(-1);
for (const [value, digit] of Array.from('0123456789abcdef').entries()) {
  HEX_VALUES[digit.charCodeAt(0)] = value;
  HEX_VALUES[digit.toUpperCase().charCodeAt(0)] = value;
}

export const UUID_CHARS = 36;
const HYPHEN = 0x2d;
/** Where each group of a UUID's text starts, and in which word its digits belong. */
const GROUPS = [
  [0, 8],
  [9, 13],
  [14, 18],
  [19, 23],
  [24, 36],
] as const;

/** A UUID's text on its way into readUuidBytes. */
const scratch = Buffer.alloc(UUID_CHARS);

/** Writes the four words of a UUID, of any version and case, to `words[at]`; false when it is none. */
export function readUuid(text: string, words: Uint32Array, at: number): boolean {
  if (text.length !== UUID_CHARS || scratch.write(text, 'utf8') !== UUID_CHARS) return false;
  return readUuidBytes(scratch, 0, words, at);
}

/** As readUuid, from the 36 bytes at `start`. */
export function readUuidBytes(
  bytes: Uint8Array,
  start: number,
  words: Uint32Array,
  at: number,
): boolean {
  let digits = 0;
  let word = 0;
  for (const [from, to] of GROUPS) {
    if (to < UUID_CHARS && bytes[start + to] !== HYPHEN) return false;
    for (let i = from; i < to; i++) {
      const value = HEX_VALUES[bytes[start + i] ?? 0] ?? -1;
      if (value < 0) return false;
      word = (word << 4) | value;
      if ((++digits & 7) === 0) words[at + (digits >> 3) - 1] = word;
    }
  }
  return true;
}

const BASE = 1_000_000_000;
const BASE_DIGITS = 9;
/** Decimal digits of 2^128. */
export const ID_DIGITS_MAX = 39;
const PIECES = new Uint32Array(5);
const LIMBS = new Uint16Array(8);
const ZERO = 0x30;
const digits = Buffer.alloc(ID_DIGITS_MAX);

/** The 128-bit number as decimal digits, the form in which the store takes ids. */
export function decimalOf(words: Uint32Array, at: number): string {
  return digits.toString('latin1', 0, writeDecimal(words, at, digits, 0));
}

/** As decimalOf, to `target` from `out` on; returns the place behind it. */
export function writeDecimal(
  words: Uint32Array,
  at: number,
  target: Uint8Array,
  out: number,
): number {
  for (let i = 0; i < ID_WORDS; i++) {
    const word = words[at + i] ?? 0;
    LIMBS[2 * i] = word >>> 16;
    LIMBS[2 * i + 1] = word & 0xffff;
  }
  let first = 0;
  for (let piece = 4; piece >= 0; piece--) {
    let rest = 0;
    for (let i = first; i < 8; i++) {
      // Below 2^46, so the division is exact.
      const value = rest * 65_536 + (LIMBS[i] ?? 0);
      const quotient = Math.floor(value / BASE);
      LIMBS[i] = quotient;
      rest = value - quotient * BASE;
    }
    PIECES[piece] = rest;
    while (first < 8 && LIMBS[first] === 0) first++;
  }
  let piece = 0;
  while (piece < 4 && PIECES[piece] === 0) piece++;
  let end = writeDigits(PIECES[piece] ?? 0, 1, target, out);
  while (++piece < 5) end = writeDigits(PIECES[piece] ?? 0, BASE_DIGITS, target, end);
  return end;
}

/** A whole number from 0 to 2^53 with at least `digitsMin` digits; returns the place behind it. */
export function writeDigits(
  value: number,
  digitsMin: number,
  target: Uint8Array,
  out: number,
): number {
  let count = digitsMin;
  for (let bound = 10 ** digitsMin; value >= bound; bound *= 10) count++;
  let rest = value;
  for (let at = out + count - 1; at >= out; at--) {
    const tens = Math.floor(rest / 10);
    target[at] = ZERO + rest - tens * 10;
    rest = tens;
  }
  return out + count;
}

/** True for version 7 of the variant of RFC 9562. */
export function isV7(words: Uint32Array, at: number): boolean {
  return (((words[at + 1] ?? 0) >>> 12) & 15) === 7 && (words[at + 2] ?? 0) >>> 30 === 2;
}

/**
 * The upper 48 bits. For a UUIDv7 its time in Unix ms; for other versions just a number that orders ids
 * as the store does, which is all that the window of known ids needs.
 */
export function timeOf(words: Uint32Array, at: number): number {
  return (words[at] ?? 0) * 65_536 + ((words[at + 1] ?? 0) >>> 16);
}

/** The words of a decimal id as the store returns it. */
export function wordsOfDecimal(decimal: string): Uint32Array {
  let value = BigInt(decimal);
  const words = new Uint32Array(ID_WORDS);
  for (let i = ID_WORDS - 1; i >= 0; i--) {
    words[i] = Number(value & 0xffffffffn);
    value >>= 32n;
  }
  return words;
}
