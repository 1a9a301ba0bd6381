import type { Env } from '../../../src/env.ts';
import type { InsertTable } from '../../../src/store/inserts.ts';
import type { BoundValues, Query } from '../../../src/store/query.ts';
import type { RowText, Store } from '../../../src/store/store.ts';
import { StoreDownError } from '../../../src/store/errors.ts';

const T0 = Date.UTC(2026, 10, 21, 12);

type Row = (string | number | null)[];

/** The two tables of this folder in memory: the highest version of a first column wins. */
export class FakeStore implements Pick<Store, 'read' | 'insert'> {
  readonly rows = new Map<string, Map<string, Row>>();
  down = false;
  inserts = 0;

  insert(table: InsertTable, text: RowText): Promise<void> {
    if (this.down) return Promise.reject(new StoreDownError('down'));
    this.inserts += 1;
    const row = JSON.parse(text.toString()) as Row;
    const rows = this.rows.get(table) ?? new Map<string, Row>();
    this.rows.set(table, rows);
    const old = rows.get(String(row[0]));
    if (old === undefined || Number(old.at(-1)) <= Number(row.at(-1)))
      rows.set(String(row[0]), row);
    return Promise.resolve();
  }

  read<P extends BoundValues, R>(query: Query<P, R>, _params: P): Promise<R[]> {
    if (this.down) return Promise.reject(new StoreDownError('down'));
    const names: Record<string, readonly string[]> = {
      open_logins: 'hash kind created_ms expires_ms last_seen_ms ended_ms version'.split(' '),
      all_shares: 'share_id bot_id hash sections created_ms expires_ms revoked_ms version'.split(
        ' ',
      ),
    };
    const table = query.name === 'open_logins' ? 'logins' : 'shares';
    const rows = [...(this.rows.get(table)?.values() ?? [])];
    const text = (value: string | number | null) => (value === null ? null : String(value));
    return Promise.resolve(
      rows.map(
        (row) =>
          Object.fromEntries(
            (names[query.name] ?? []).map((name, i) => [name, text(row[i] ?? null)]),
          ) as R,
      ),
    );
  }
}

/** A clock that is turned by hand; both clocks show the same. */
export function handEnv(): Env & { nowAt: number } {
  let seed = 0;
  const env = {
    nowAt: T0,
    nowMs: () => env.nowAt,
    monotonicMs: () => env.nowAt - T0,
    random: () => 0.5,
    randomBytes: (size: number) => Buffer.alloc(size, (seed += 1)),
    after: () => () => undefined,
    every: () => () => undefined,
    freeBytes: () => Promise.resolve(1e12),
  };
  return env;
}

export const silentLog = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
};
