import type { Env } from '../env.ts';
import type { Log } from '../log.ts';
import { rowText } from './inserts.ts';
import { query } from './query.ts';
import { MIGRATIONS } from './schema/migrations.ts';
import { createTable } from './schema/parameters.ts';
import type { Store } from './store.ts';

const MIGRATIONS_TABLE = {
  name: 'migrations',
  columns: "id UInt32, name String, applied_at DateTime64(3, 'UTC')",
  version: 'applied_at',
  orderBy: 'id',
  shardBy: 'id',
} as const;

const applied = query<Record<string, never>, { id: number; name: string }>(
  'migrations_applied',
  'SELECT id, name FROM migrations FINAL ORDER BY id',
);

/**
 * Brings the schema up to date. Two servers may do this at once on one cluster: every statement may
 * run twice, and a step counts as applied only after its last statement.
 * @throws Error when the store holds a newer schema than this server knows.
 */
export async function migrate(store: Store, env: Pick<Env, 'nowMs'>, log: Log): Promise<void> {
  const cluster = store.address.kind === 'url' ? store.address.cluster : null;
  for (const sql of createTable(MIGRATIONS_TABLE, { cluster })) await store.run(sql);
  const done = new Set((await store.readAsWriter(applied, {})).map((row) => row.id));
  const newest = Math.max(0, ...done);
  const known = MIGRATIONS.at(-1)?.id ?? 0;
  if (newest > known) {
    throw new NewerSchemaError(
      `The store has schema step ${newest}, but this version knows only ${known}: start the newer version of Bot Analytics.`,
    );
  }
  for (const migration of MIGRATIONS) {
    if (done.has(migration.id)) continue;
    for (const sql of migration.statements({ cluster })) await store.run(sql);
    await store.insert('migrations', rowText([migration.id, migration.name, env.nowMs()]));
    log.info('schema step applied', { id: migration.id, name: migration.name });
  }
}

/** The store was written by a later version of the server. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';
}
