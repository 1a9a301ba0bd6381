import type { Store } from './store.ts';

/** Every table that holds what a bot sent, or what was computed from it. */
const TABLES = [
  'events',
  'heartbeats',
  'guilds',
  'guild_days',
  'api_routes',
  'ingest_health',
  'shard_hours',
] as const;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Deletes everything that a bot sent. The engine rewrites the parts in the background, so the bot must
 * be hidden first. @throws StoreDownError
 */
export async function eraseBot(
  store: Pick<Store, 'run' | 'address'>,
  botId: string,
): Promise<void> {
  if (!UUID.test(botId)) throw new RangeError('not the id of a bot');
  const cluster = store.address.kind === 'url' ? store.address.cluster : null;
  const place = cluster === null ? '' : `_local ON CLUSTER '${cluster}'`;
  for (const table of TABLES) {
    // A mutation takes no bound values: it is kept as text and run later.
    await store.run(`ALTER TABLE ${table}${place} DELETE WHERE bot_id = '${botId}'`);
  }
}
