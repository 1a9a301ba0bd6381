export function ShardPage(_: { bot?: string; shard?: number }) {
  return null;
}
