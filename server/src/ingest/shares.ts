import type { Candidate, GroupIds } from './dedupe.ts';
import { isUsedUp, type Usage } from './quota.ts';
import type { SnapshotTable } from './snapshot-rows.ts';
import type { OwnedRow, Rows } from './write-rows.ts';

/** What one request contributes to a group. */
export interface Share<T extends Candidate> {
  readonly request: T;
  /** Positions to store. */
  readonly fresh: readonly number[];
  readonly freshEvents: number;
  readonly duplicates: number;
  /** Events were left out because the quota is used up. */
  readonly quotaReached: boolean;
  /** Positions that the store itself refused. */
  readonly refused: Set<number>;
}

/** A position of a request in a group. */
export interface Owner<T extends Candidate> {
  readonly share: Share<T>;
  readonly position: number;
}

/** Decides what of a request is stored. `usage`: with what earlier requests of the group will store. */
export function decideShare<T extends Candidate>(
  request: T,
  ids: GroupIds,
  usage: Usage,
  monthlyQuota: number | null,
): Share<T> {
  const { batch } = request;
  const usedUp = isUsedUp(usage, monthlyQuota);
  const fresh: number[] = [];
  let freshEvents = 0;
  let left = 0;
  for (let position = 0; position < batch.size; position++) {
    if (ids.isStored(request, position)) continue;
    const isEvent = !batch.snapshots.has(position);
    if (usedUp && isEvent) {
      left++;
      continue;
    }
    if (!ids.claim(request, position)) continue;
    fresh.push(position);
    if (isEvent) freshEvents++;
  }
  const duplicates = batch.size - fresh.length - left;
  return { request, fresh, freshEvents, duplicates, quotaReached: left > 0, refused: new Set() };
}

/** The event rows of a group. A request without duplicates gives its bytes as they are. */
export function eventRows<T extends Candidate>(shares: readonly Share<T>[]): Rows<Owner<T>> {
  const pieces: Buffer[] = [];
  for (const { request, fresh, freshEvents } of shares) {
    if (freshEvents === 0) continue;
    const { rows, size } = request.batch;
    if (fresh.length === size) pieces.push(rows);
    else for (const position of fresh) pieces.push(rowAt(request, position));
  }
  const each = (): OwnedRow<Owner<T>>[] =>
    shares.flatMap((share) =>
      share.fresh
        .filter((position) => !share.request.batch.snapshots.has(position))
        .map((position) => ({
          bytes: rowAt(share.request, position),
          owner: { share, position },
        })),
    );
  return { pieces, each };
}

function rowAt({ batch }: Candidate, position: number): Buffer {
  return batch.rows.subarray(batch.ends[position - 1] ?? 0, batch.ends[position]);
}

/** The snapshot rows of a group by table. */
export function snapshotRowsOf<T extends Candidate>(
  shares: readonly Share<T>[],
): Map<SnapshotTable, Rows<Owner<T>>> {
  const owned = new Map<SnapshotTable, OwnedRow<Owner<T>>[]>();
  for (const share of shares) {
    if (share.request.batch.snapshots.size === 0) continue;
    for (const position of share.fresh) {
      for (const [table, text] of share.request.batch.snapshots.get(position) ?? []) {
        const rows = owned.get(table) ?? [];
        rows.push({ bytes: Buffer.from(text), owner: { share, position } });
        owned.set(table, rows);
      }
    }
  }
  return new Map(
    [...owned].map(([table, rows]) => [
      table,
      { pieces: rows.map((row) => row.bytes), each: () => rows },
    ]),
  );
}
