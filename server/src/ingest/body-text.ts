import { isAscii, isUtf8 } from 'node:buffer';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * True when the JSON in `bytes` nests deeper than `max`. Looked at before JSON.parse, which takes half a
 * second for 1 MiB of `[`. server.md finding 8. The bytes need not be valid JSON.
 */
export function isDeeperThan(bytes: Uint8Array, max: number): boolean {
  let depth = 0;
  const end = bytes.length;
  for (let i = 0; i < end; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) {
      i = endOfString(bytes, i + 1);
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      if (++depth > max) return true;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      depth--;
    }
  }
  return false;
}

/** Position of the quote that ends the string which starts at `from`; the end of the bytes without one. */
function endOfString(bytes: Uint8Array, from: number): number {
  const end = bytes.length;
  for (let i = from; i < end; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) return i;
    if (byte === BACKSLASH) i++;
  }
  return end;
}

/** The text of strict UTF-8; undefined otherwise. ASCII, the usual case, is copied without decoding. */
export function decodeUtf8(bytes: Buffer): string | undefined {
  if (isAscii(bytes)) return bytes.toString('latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

/**
 * Only `\u` escapes can bring lone surrogates and NUL into the strings of a strict UTF-8 body, so a body
 * without any spares the look at every string.
 */
export function hasUnicodeEscape(bytes: Buffer): boolean {
  return bytes.includes('\\u');
}
