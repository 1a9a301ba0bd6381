export function ApiUsagePage(_: { bot?: string; shard?: number }) {
  return null;
}
