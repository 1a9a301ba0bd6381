import { StoreRefusedError } from '../store/errors.ts';
import type { InsertTable } from '../store/inserts.ts';

/** Inserts the rows of one table, all or none. @throws StoreRefusedError, StoreDownError */
export type Insert = (table: InsertTable, rows: string) => Promise<void>;

/** A row and whose it is. */
export interface OwnedRow<T> {
  readonly text: string;
  readonly owner: T;
}

/**
 * Inserts rows; where the store refuses them, halves them until the bad ones stand alone, so that one
 * bad row never costs its neighbours, nor stops the writer. Returns the owners of the refused rows.
 * 2 log2(n) inserts for one bad row among n. server.md R12.
 * @throws StoreDownError
 */
export async function writeRows<T>(
  insert: Insert,
  table: InsertTable,
  rows: readonly OwnedRow<T>[],
): Promise<T[]> {
  if (rows.length === 0) return [];
  try {
    await insert(table, rows.map((row) => row.text).join(''));
    return [];
  } catch (error) {
    if (!(error instanceof StoreRefusedError)) throw error;
    if (rows.length === 1) return rows.map((row) => row.owner);
    const half = Math.ceil(rows.length / 2);
    const first = await writeRows(insert, table, rows.slice(0, half));
    return [...first, ...(await writeRows(insert, table, rows.slice(half)))];
  }
}
