/** A UUIDv7 in lower case from a time and 16 random bytes. RFC 9562. */
export function uuidV7(timeMs: number, random: Uint8Array): string {
  const bytes = Buffer.from(random.subarray(0, 16));
  bytes.writeUIntBE(timeMs, 0, 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = bytes.toString('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}
