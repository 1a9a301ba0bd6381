import { ClickHouseError } from '@clickhouse/client';
import { StartError } from '../config.ts';
import { NewerSchemaError } from './migrate.ts';
import { query } from './query.ts';
import type { Store } from './store.ts';

const one = query<Record<string, never>, { one: number }>('one', 'SELECT 1 AS one');

/** Error codes of ClickHouse that stand for a wrong user or password. */
const LOGIN_CODES = new Set(['192', '193', '194', '516']);
const UNKNOWN_DATABASE = '81';

/** Asks the store for a sign of life. @throws StoreDownError */
export async function ping(store: Store): Promise<void> {
  await store.readAsWriter(one, {});
}

/** Host and database of a store's address, never its password. */
function addressOf(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

/** One sentence for the operator about a store that does not work at start. */
export function startErrorOf(error: unknown, url: string): unknown {
  if (error instanceof NewerSchemaError) return new StartError(error.message);
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof ClickHouseError ? cause.code : undefined;
  const store = `The store at STORE_URL ${addressOf(url)}`;
  if (code !== undefined && LOGIN_CODES.has(code)) {
    return new StartError(`${store} refuses the user or password: correct them in STORE_URL.`);
  }
  if (code === UNKNOWN_DATABASE) {
    return new StartError(`${store} has no such database: create it, or correct STORE_URL.`);
  }
  const text = cause instanceof Error ? cause.message : String(error);
  return new StartError(
    `${store} does not work (${text.replace(/\s+/g, ' ').slice(0, 200)}): start it, or correct STORE_URL.`,
  );
}
