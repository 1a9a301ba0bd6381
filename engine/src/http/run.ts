import { isUtf8 } from 'node:buffer';
import { raise } from '../sql/exception.ts';
import { setParameters } from '../sql/literal.ts';
import { rawFormat, type Connection, type Cost } from '../store/chdb.ts';
import type { Plan } from './plan.ts';

/** What came of a statement. */
export type Outcome =
  | { readonly kind: 'whole'; readonly bytes: Uint8Array; readonly cost: Cost }
  | {
      readonly kind: 'chunks';
      /** Undefined: the result is empty. */
      readonly first: Uint8Array | undefined;
      readonly rest: AsyncIterator<Uint8Array>;
    };

const BINARY_FORMAT =
  /^(?:RowBinary|Native|Arrow|Parquet|ORC|Avro|MsgPack|Protobuf|CapnProto|BSON|Npy|RawBLOB)/;

const NO_BYTES = new Uint8Array(0);

/** Rows through the binding's raw path, which takes plain names only; undefined when they are not. */
async function insertRaw(plan: Plan, session: Connection): Promise<Cost | undefined> {
  const { rows } = plan;
  if (rows === undefined || rows.head.table === undefined || rows.head.columns === null) {
    return undefined;
  }
  if (rows.head.settings === null || rawFormat(rows.head.format) === undefined) return undefined;
  return session.insert({
    table: rows.head.table,
    columns: rows.head.columns,
    settings: rows.head.settings,
    format: rows.head.format,
    data: rows.data,
  });
}

/** Rows inside the statement: chDB reads a statement as text, and cuts binary formats short. */
function rowsText(plan: Plan): string {
  const { rows } = plan;
  if (rows === undefined) return '';
  if (BINARY_FORMAT.test(rows.head.format) || !isUtf8(rows.data)) {
    throw raise('NOT_IMPLEMENTED', `Rows as ${rows.head.format}: binary input is not supported`);
  }
  return rows.data.toString('utf8');
}

async function runRows(plan: Plan, session: Connection): Promise<Outcome> {
  const cost = await insertRaw(plan, session);
  if (cost !== undefined) return { kind: 'whole', bytes: NO_BYTES, cost };
  const text = `${plan.sql}\n${rowsText(plan)}`;
  const result = await session.run(text, plan.format);
  return { kind: 'whole', ...result };
}

/** Runs a plan on a session that was opened for it. */
export async function runPlan(plan: Plan, session: Connection): Promise<Outcome> {
  const set = setParameters(plan.parameters);
  if (set !== undefined) await session.run(set, 'Null');
  if (plan.rows !== undefined) return runRows(plan, session);
  if (!plan.streams) {
    const result = await session.run(plan.sql, plan.format);
    return { kind: 'whole', ...result };
  }
  const rest = session.stream(plan.sql, plan.format)[Symbol.asyncIterator]();
  const first = await rest.next();
  return { kind: 'chunks', first: first.done === true ? undefined : first.value, rest };
}
