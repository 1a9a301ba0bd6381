/** 32 even bits from numbers: the same numbers, the same bits (murmur3's last mix). */
function bits(parts: readonly number[]): number {
  let hash = 0x9e3779b9;
  for (const part of parts) {
    hash = Math.imul(hash ^ part, 0x85ebca6b);
    hash ^= hash >>> 13;
    hash = Math.imul(hash, 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return hash >>> 0;
}

/** Even in [0, 1) from numbers; the first names what is thrown for, so that throws do not repeat. */
export function dice(...parts: readonly number[]): number {
  return bits(parts) / 4_294_967_296;
}

/** One of a list. */
export function pick<T>(list: readonly [T, ...T[]], at: number): T {
  return list[Math.floor(at * list.length)] ?? list[0];
}

/** 16 bytes from numbers, for ids. */
export function diceBytes(...parts: readonly number[]): Buffer {
  const bytes = Buffer.alloc(16);
  for (let word = 0; word < 4; word += 1) bytes.writeUInt32BE(bits([...parts, word]), word * 4);
  return bytes;
}
