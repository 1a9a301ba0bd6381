import { ClickHouseError } from '@clickhouse/client';

/** The store did not answer or cannot work at the moment; the same call may succeed later. */
export class StoreDownError extends Error {
  override readonly name = 'StoreDownError';
}

/** The store refused the data itself; the same call fails again. */
export class StoreRefusedError extends Error {
  override readonly name = 'StoreRefusedError';
}

/**
 * ClickHouse error codes that blame the rows of an insert: parsing (6, 25-27, 33, 38, 41, 72, 130, 131,
 * 376, 467), conversion (53, 69, 70, 117, 321) and constraints (469). Every other code (memory 241,
 * disk 243, too many parts 252, time-outs, missing tables) counts as "not now": a wrong "not now" costs
 * a retry, a wrong "bad row" costs the row.
 */
const BAD_ROW_CODES = new Set(
  '6 25 26 27 33 38 41 53 69 70 72 117 130 131 321 376 467 469'.split(' '),
);

/** Sorts what @clickhouse/client throws; the text of the engine goes to the log, never to a caller. */
export function storeError(error: unknown): StoreDownError | StoreRefusedError {
  const text = error instanceof Error ? error.message : String(error);
  if (error instanceof ClickHouseError && BAD_ROW_CODES.has(error.code)) {
    return new StoreRefusedError(`code ${error.code}: ${text}`, { cause: error });
  }
  const code = error instanceof ClickHouseError ? `code ${error.code}: ` : '';
  return new StoreDownError(`${code}${text}`, { cause: error });
}
