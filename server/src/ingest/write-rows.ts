import { StoreRefusedError } from '../store/errors.ts';
import type { InsertTable } from '../store/inserts.ts';

/** Inserts the rows of one table, all or none. @throws StoreRefusedError, StoreDownError */
export type Insert = (table: InsertTable, rows: readonly Buffer[]) => Promise<void>;

/** A row (or several that belong together) and whose it is. */
export interface OwnedRow<T> {
  readonly bytes: Buffer;
  readonly owner: T;
}

/** The same rows twice: in few pieces for the usual case, and one by one for the search for a bad one. */
export interface Rows<T> {
  readonly pieces: readonly Buffer[];
  readonly each: () => readonly OwnedRow<T>[];
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
  rows: Rows<T>,
): Promise<T[]> {
  if (rows.pieces.length === 0) return [];
  try {
    await insert(table, rows.pieces);
    return [];
  } catch (error) {
    if (!(error instanceof StoreRefusedError)) throw error;
    return halve(insert, table, rows.each());
  }
}

/** `rows` were refused as a whole. */
async function halve<T>(
  insert: Insert,
  table: InsertTable,
  rows: readonly OwnedRow<T>[],
): Promise<T[]> {
  if (rows.length === 1) return rows.map((row) => row.owner);
  const middle = Math.ceil(rows.length / 2);
  const refused: T[] = [];
  for (const half of [rows.slice(0, middle), rows.slice(middle)]) {
    const pieces = half.map((row) => row.bytes);
    refused.push(...(await writeRows(insert, table, { pieces, each: () => half })));
  }
  return refused;
}
