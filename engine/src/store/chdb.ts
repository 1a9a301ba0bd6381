import type { Session } from 'chdb';
import { EngineException, fromChdb, raise } from '../sql/exception.ts';
import { identifierLiteral } from '../sql/literal.ts';
import type { Opened } from './lane.ts';

/** What a statement cost, as chDB counts it. */
export interface Cost {
  readonly readRows: number;
  readonly readBytes: number;
  readonly writtenRows: number;
  readonly writtenBytes: number;
}

const NOTHING: Cost = { readRows: 0, readBytes: 0, writtenRows: 0, writtenBytes: 0 };

export interface Rows {
  readonly table: string;
  readonly columns: readonly string[] | undefined;
  readonly settings: ReadonlyMap<string, string>;
  readonly format: string;
  readonly data: Buffer;
}

/** One chDB session; every method rejects with {@link EngineException}. */
export interface Connection {
  run(sql: string, format: string): Promise<{ bytes: Uint8Array; cost: Cost }>;
  /** Rows in a format that {@link rawFormat} knows, parsed by chDB without a copy. */
  insert(rows: Rows): Promise<Cost>;
  /** Chunks of about 8,192 rows; leaving the loop early cancels the query. */
  stream(sql: string, format: string): AsyncIterable<Uint8Array>;
}

/** Formats that the binding passes through as raw bytes, by the names ClickHouse knows them. */
const RAW_FORMATS = {
  JSONEachRow: 'JSONEachRow',
  JSONLines: 'JSONEachRow',
  NDJSON: 'JSONEachRow',
  JSONCompactEachRow: 'JSONCompactEachRow',
  TSV: 'TabSeparated',
  TabSeparated: 'TabSeparated',
  TSVWithNames: 'TabSeparatedWithNames',
  TabSeparatedWithNames: 'TabSeparatedWithNames',
  CSV: 'CSV',
  CSVWithNames: 'CSVWithNames',
} as const satisfies Record<string, string>;

type RawFormat = (typeof RAW_FORMATS)[keyof typeof RAW_FORMATS];

export function rawFormat(name: string): RawFormat | undefined {
  const formats: Readonly<Record<string, RawFormat>> = RAW_FORMATS;
  return Object.hasOwn(formats, name) ? formats[name] : undefined;
}

function toException(error: unknown): EngineException {
  if (error instanceof EngineException) return error;
  return fromChdb(error instanceof Error ? error.message : String(error));
}

async function insertRows(session: Session, rows: Rows): Promise<Cost> {
  const format = rawFormat(rows.format);
  if (format === undefined) throw raise('NOT_IMPLEMENTED', `Raw rows as ${rows.format}`);
  const result = await session.insert({
    table: rows.table,
    values: rows.data,
    format,
    settings: Object.fromEntries(rows.settings),
    ...(rows.columns === undefined ? {} : { columns: rows.columns }),
  });
  return { ...NOTHING, writtenRows: result.rowsWritten, writtenBytes: result.bytesWritten };
}

async function* chunks(session: Session, sql: string, format: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of session.queryStream(sql, { format })) yield chunk.raw();
  } catch (error) {
    throw toException(error);
  }
}

function connection(session: Session): Connection {
  return {
    run: async (sql, format) => {
      try {
        const result = await session.queryAsync(sql, { format });
        const cost = { ...NOTHING, readRows: result.rowsRead, readBytes: result.bytesRead };
        return { bytes: result.bytes(), cost };
      } catch (error) {
        throw toException(error);
      }
    },
    insert: async (rows) => {
      try {
        return await insertRows(session, rows);
      } catch (error) {
        throw toException(error);
      }
    },
    stream: (sql, format) => chunks(session, sql, format),
  };
}

/** chDB's session class; loaded late, so that a missing library is a clean refusal. */
export type SessionClass = typeof Session;

export interface Opener {
  readonly storePath: string;
  readonly configPath: string;
  readonly sessionClass: SessionClass;
}

/** What a session is opened with; requests with the same key may share one. */
export interface SessionKey {
  readonly args: readonly string[];
  readonly database: string | undefined;
}

export function keyText(key: SessionKey): string {
  return JSON.stringify([key.args, key.database ?? null]);
}

/** Opens a session: 0.3 ms once the first one is open (measured). */
export async function openSession(opener: Opener, key: SessionKey): Promise<Opened<Connection>> {
  let session: Session;
  try {
    session = new opener.sessionClass(opener.storePath, {
      connectionArgs: [`--config-file=${opener.configPath}`, ...key.args],
    });
  } catch {
    // chDB prints its reason to stderr only.
    const asked = key.args.join(' ');
    throw raise('BAD_ARGUMENTS', `A session cannot be opened with these settings: ${asked}`);
  }
  const opened = { session: connection(session), close: () => session.close() };
  if (key.database === undefined || key.database === '') return opened;
  try {
    await opened.session.run(`USE ${identifierLiteral(key.database)}`, 'Null');
  } catch (error) {
    opened.close();
    throw error;
  }
  return opened;
}
