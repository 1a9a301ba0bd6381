export function HistoryPanel(_: { bot?: string; shard?: number }) {
  return null;
}
