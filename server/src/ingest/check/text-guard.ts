const NUL = /\0/g;
const SURROGATE = /\p{Surrogate}/gu;
const HAS_SURROGATE = /\p{Surrogate}/u;
/** Space for the longest cut (8 KiB); encodeInto stops at a character that does not fit. */
const scratch = new Uint8Array(8_192);
const encoder = new TextEncoder();

/** Lone surrogates become U+FFFD, NUL goes away. One such string fails a whole insert. server.md finding 7. */
export function repairText(text: string): string {
  let fixed = text;
  if (fixed.includes('\0')) fixed = fixed.replace(NUL, '');
  return HAS_SURROGATE.test(fixed) ? fixed.replace(SURROGATE, '\uFFFD') : fixed;
}

/** The longest start of `text` of at most `max` UTF-8 bytes (at most 8,192), cut between characters. */
export function cutToBytes(text: string, max: number): string {
  // A UTF-16 unit takes at most three bytes.
  if (text.length * 3 <= max) return text;
  if (text.length <= max && Buffer.byteLength(text) <= max) return text;
  const { read } = encoder.encodeInto(text, scratch.subarray(0, max));
  return text.slice(0, read);
}

/** The first `max` code points of `text`. */
export function cutToChars(text: string, max: number): string {
  if (text.length <= max) return text;
  let units = 0;
  for (let chars = 0; chars < max && units < text.length; chars++) {
    units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
  }
  return text.slice(0, units);
}

/** True when `text` takes more than `max` UTF-8 bytes. */
export function isOverBytes(text: string, max: number): boolean {
  return text.length * 3 > max && Buffer.byteLength(text) > max;
}
