const encoder = new TextEncoder();

/** UTF-8 length of a text; a lone surrogate counts as the replacement character, 3 bytes. */
export function utf8Bytes(text: string): number {
  return Buffer.byteLength(text);
}

/** Bytes of UTF-8 that one UTF-16 code unit needs at most. */
const BYTES_PER_UNIT_MAX = 3;

/**
 * The longest start of `text` that has at most `bytesMax` bytes of UTF-8 and ends between code
 * points. Looks at `bytesMax` code units only, so a text of 10 MB costs as little as one of 4 KiB.
 */
export function cutToBytes(text: string, bytesMax: number): string {
  if (text.length * BYTES_PER_UNIT_MAX <= bytesMax) return text;
  return text.slice(0, encoder.encodeInto(text.slice(0, bytesMax), new Uint8Array(bytesMax)).read);
}

/** The first `charsMax` code points of `text`. */
export function cutToChars(text: string, charsMax: number): string {
  return text.length <= charsMax
    ? text
    : Array.from(text.slice(0, 2 * charsMax))
        .slice(0, charsMax)
        .join('');
}

/** Lone surrogates become U+FFFD, since UTF-8 has none; NUL goes, since many stores refuse it. */
export function repairText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}
