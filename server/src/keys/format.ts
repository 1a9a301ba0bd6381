import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Kinds of key by prefix. design.md 5, "Keys". */
export const KEY_PREFIXES = { ingest: 'bak', read: 'bar', admin: 'baa' } as const;
export type KeyKind = keyof typeof KEY_PREFIXES;

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_CHARS = 8;
/** 43 base62 characters hold 256 bits. */
const SECRET_CHARS = 43;
const CHECK_CHARS = 6;
const PATTERN = /^(bak|bar|baa)_([0-9A-Za-z]{8})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;
/** Longest text that can be a key. */
export const KEY_CHARS = 3 + 1 + ID_CHARS + 1 + SECRET_CHARS + CHECK_CHARS;

/** A key whose check part is right; whether it exists is another question. */
export interface ParsedKey {
  readonly kind: KeyKind;
  /** Public part, shown in lists and logs. */
  readonly keyId: string;
  readonly text: string;
}

/** `bytes` as `chars` base62 digits. 256 bits in 43 digits lose under 0.1 bit to the modulus. */
function base62(bytes: Uint8Array, chars: number): string {
  let value = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (let i = 0; i < chars; i++) {
    text = ALPHABET.charAt(Number(value % 62n)) + text;
    value /= 62n;
  }
  return text;
}

/** CRC32 of everything before it; tells a typing error from a wrong key without a look-up. */
function checkPart(text: string): string {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(text));
  return base62(sum, CHECK_CHARS);
}

/** Makes a key. `randomBytes` must be a cryptographic source. */
export function makeKey(kind: KeyKind, randomBytes: (size: number) => Buffer): ParsedKey {
  const keyId = base62(randomBytes(8), ID_CHARS);
  const start = `${KEY_PREFIXES[kind]}_${keyId}_${base62(randomBytes(40), SECRET_CHARS)}`;
  return { kind, keyId, text: start + checkPart(start) };
}

/** The parts of a key; undefined when the form or the check part is wrong. */
export function parseKey(text: string): ParsedKey | undefined {
  if (text.length !== KEY_CHARS) return undefined;
  const match = PATTERN.exec(text);
  const [, prefix, keyId, , check] = match ?? [];
  if (prefix === undefined || keyId === undefined || check === undefined) return undefined;
  if (checkPart(text.slice(0, -CHECK_CHARS)) !== check) return undefined;
  const kind = prefix === 'bak' ? 'ingest' : prefix === 'bar' ? 'read' : 'admin';
  return { kind, keyId, text };
}

/** What is stored of a key: SHA-256. The key has full entropy, so a slow hash would only slow us. server.md T8. */
export function hashKey(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
