export function SettingsPage(_: { bot?: string; shard?: number }) {
  return null;
}
