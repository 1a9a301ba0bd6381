import { isUtf8 } from 'node:buffer';

const BACKSLASH = 0x5c;
const QUOTE = 0x22;
const OPEN_OBJECT = 0x7b;

/** What a byte does to the depth; most do nothing. */
const OPENS = 1;
const CLOSES = 2;
const QUOTES = 3;
const EFFECTS = new Uint8Array(256);
for (const byte of Buffer.from('{[')) EFFECTS[byte] = OPENS;
for (const byte of Buffer.from('}]')) EFFECTS[byte] = CLOSES;
EFFECTS[QUOTE] = QUOTES;

/**
 * True when the JSON in `bytes` nests deeper than `max`. Looked at before JSON.parse, which takes half a
 * second for 1 MiB of `[`. server.md finding 8. The bytes need not be valid JSON.
 */
export function isDeeperThan(bytes: Uint8Array, max: number): boolean {
  const end = bytes.length;
  let depth = 0;
  let i = 0;
  while (i < end) {
    const effect = EFFECTS[bytes[i++] ?? 0];
    if (effect === 0) continue;
    if (effect === QUOTES) {
      // To the quote that ends the string; an escaped character is passed over whatever it is.
      for (let byte = bytes[i++]; byte !== QUOTE && i <= end; byte = bytes[i++]) {
        if (byte === BACKSLASH) i++;
      }
    } else if (effect === CLOSES) {
      depth--;
    } else if (++depth > max) {
      return true;
    }
  }
  return false;
}

/** Place behind the object that starts at `from`; -1 when it nests deeper than `max` or does not end. */
export function endOfObject(bytes: Uint8Array, from: number, max: number): number {
  if (bytes[from] !== OPEN_OBJECT) return -1;
  let depth = 0;
  for (let i = from; i < bytes.length; i++) {
    const effect = EFFECTS[bytes[i] ?? 0];
    if (effect === QUOTES) {
      for (i++; i < bytes.length && bytes[i] !== QUOTE; i++) if (bytes[i] === BACKSLASH) i++;
    } else if (effect === OPENS) {
      if (++depth > max) return -1;
    } else if (effect === CLOSES && --depth === 0) {
      return i + 1;
    }
  }
  return -1;
}

/** The text of strict UTF-8; undefined otherwise. */
export function decodeUtf8(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

/**
 * Only `\u` escapes can bring lone surrogates and NUL into the strings of a strict UTF-8 body, so a body
 * without any spares the look at every string.
 */
export function hasUnicodeEscape(bytes: Buffer): boolean {
  return bytes.includes('\\u');
}
