import { ClickHouseError } from '@clickhouse/client';
import { StartError } from '../config.ts';
import { StoreDownError } from './errors.ts';
import { NewerSchemaError } from './migrate.ts';
import { query } from './query.ts';
import type { Store } from './store.ts';

const one = query<Record<string, never>, { one: number }>('one', 'SELECT 1 AS one');

/** Error codes of ClickHouse that stand for a wrong user or password. */
const LOGIN_CODES = new Set(['192', '193', '194', '516']);
const UNKNOWN_DATABASE = '81';

/** Asks the store for a sign of life. @throws StoreDownError */
export async function ping(store: Store): Promise<void> {
  const [row] = await store.readAsWriter(one, {});
  if (row?.one !== 1) throw new StoreDownError('no answer to SELECT 1', { cause: new Error() });
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
  if (isForeignAnswer(cause)) {
    return new StartError(`${store} answers, but is not ClickHouse: correct STORE_URL.`);
  }
  const text = cause instanceof Error ? cause.message : String(error);
  return new StartError(
    `${store} does not work (${text.replace(/\s+/g, ' ').slice(0, 200)}): start it, or correct STORE_URL.`,
  );
}

/**
 * True when something came back that ClickHouse would not send. Its own errors carry a number, those of
 * the network a code (HPE_: what came is no HTTP), and the client's time-out has only its text.
 */
function isForeignAnswer(cause: unknown): boolean {
  if (!(cause instanceof Error) || cause instanceof ClickHouseError) return false;
  if (cause.message === 'Timeout error.') return false;
  return 'code' in cause ? String(cause.code).startsWith('HPE_') : true;
}
