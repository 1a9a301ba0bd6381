/** UTF-8 length of a text; a lone surrogate counts as the replacement character, 3 bytes. */
export function utf8Bytes(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** Bytes of UTF-8 that one UTF-16 code unit needs at most. */
const BYTES_PER_UNIT_MAX = 3;

/**
 * The longest start of `text` that has at most `bytesMax` bytes of UTF-8 and ends between code
 * points. Looks at `bytesMax` code units only, so a text of 10 MB costs as little as one of 4 KiB.
 */
export function cutToBytes(text: string, bytesMax: number): string {
  if (text.length * BYTES_PER_UNIT_MAX <= bytesMax) return text;
  const head = text.length > bytesMax ? text.slice(0, bytesMax) : text;
  if (head.length === text.length && utf8Bytes(head) <= bytesMax) return text;
  const bytes = Buffer.from(head, 'utf8');
  let end = Math.min(bytesMax, bytes.length);
  // A byte 10xxxxxx continues a code point: step back to where that code point starts.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}

/** The first `charsMax` code points of `text`. */
export function cutToChars(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  let units = 0;
  for (let chars = 0; chars < charsMax && units < text.length; chars += 1) {
    units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
  }
  return text.slice(0, units);
}

// In a regular expression with `u` a pair is one code point, so this finds surrogates that stand alone.
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** Lone surrogates become U+FFFD, since UTF-8 has none; NUL goes, since many stores refuse it. */
export function repairText(text: string): string {
  return text.replace(LONE_SURROGATE, '\ufffd').replaceAll('\0', '');
}
