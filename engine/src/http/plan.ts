import { raise } from '../sql/exception.ts';
import { connectionArgs, requestSettings, type Mode } from '../sql/settings.ts';
import { parseStatement, READ_VERBS, type InsertHead, type Statement } from '../sql/statement.ts';

/** One request, as far as the network is concerned. */
export interface Call {
  readonly method: string;
  /** URL parameters, multipart fields included. */
  readonly query: URLSearchParams;
  readonly body: Buffer;
  /** Request header X-ClickHouse-Format. */
  readonly formatHeader: string | undefined;
}

/** One request, decided: which session runs what. */
export interface Plan {
  readonly lane: 'reader' | 'writer';
  /** Connection arguments of the session; equal for requests that may share one. */
  readonly args: readonly string[];
  readonly database: string | undefined;
  readonly parameters: ReadonlyMap<string, string>;
  readonly statement: Statement;
  /** Without the rows of an insert. */
  readonly sql: string;
  /** Rows of an `INSERT ... FORMAT`, as they came. */
  readonly rows: { readonly head: InsertHead; readonly data: Buffer } | undefined;
  readonly format: string;
  /** The answer may be sent chunk by chunk. */
  readonly streams: boolean;
}

/** Formats whose chunks simply follow each other; chDB writes a whole document per chunk. */
const STREAMABLE: ReadonlySet<string> = new Set([
  'JSONEachRow',
  'JSONLines',
  'NDJSON',
  'JSONCompactEachRow',
  'JSONStringsEachRow',
  'JSONCompactStringsEachRow',
  'TabSeparated',
  'TSV',
  'TabSeparatedRaw',
  'TSVRaw',
  'CSV',
  'RowBinary',
]);

const PARAMETER_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The longest INSERT head that is looked for in a body, bytes; rows follow behind it. */
const HEAD_BYTES = 65_536;

function parametersOf(query: URLSearchParams): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const [key, value] of query) {
    if (!key.startsWith('param_')) continue;
    const name = key.slice('param_'.length);
    if (!PARAMETER_NAME.test(name)) {
      throw raise('BAD_REQUEST_PARAMETER', `Query parameter name '${name}' is not a plain name`);
    }
    parameters.set(name, value);
  }
  return parameters;
}

interface Source {
  readonly statement: Statement;
  readonly sql: string;
  readonly rows: Plan['rows'];
}

function withRows(text: string, statement: Statement, rest: Buffer): Source {
  const head = statement.insert;
  if (head === undefined) return { statement, sql: text, rows: undefined };
  // ClickHouse takes one separator behind the format's name, then the rows as they are.
  const inline = Buffer.from(text.slice(head.dataStart).replace(/^[ \t]*\n?/, ''), 'utf8');
  const data = inline.length === 0 ? rest : Buffer.concat([inline, rest]);
  return { statement, sql: text.slice(0, head.dataStart), rows: { head, data } };
}

function isInsertText(text: string): boolean {
  return /^\s*insert\b/i.test(text);
}

/** Query parameter and body together are the statement, except for the rows of an INSERT. */
function sourceOf(call: Call): Source {
  const fromUrl = call.query.get('query') ?? '';
  if (fromUrl.trim() !== '') {
    if (isInsertText(fromUrl)) {
      const statement = parseStatement(fromUrl);
      if (statement.insert !== undefined) return withRows(fromUrl, statement, call.body);
    }
    const text = call.body.length === 0 ? fromUrl : `${fromUrl}\n${call.body.toString('utf8')}`;
    return withRows(text, parseStatement(text), Buffer.alloc(0));
  }
  const opening = call.body.subarray(0, HEAD_BYTES).toString('utf8');
  if (call.body.length > HEAD_BYTES && isInsertText(opening)) {
    const source = insertInBody(opening, call.body);
    if (source !== undefined) return source;
  }
  const text = call.body.toString('utf8');
  return withRows(text, parseStatement(text), Buffer.alloc(0));
}

function insertInBody(opening: string, body: Buffer): Source | undefined {
  let statement: Statement;
  try {
    statement = parseStatement(opening);
  } catch {
    // The cut may fall inside a string; the caller reads the whole body then.
    return undefined;
  }
  if (statement.insert === undefined) return undefined;
  const sql = opening.slice(0, statement.insert.dataStart);
  const behind = body.subarray(Buffer.byteLength(sql, 'utf8'));
  const lineEnd = /^[ \t]*\n?/.exec(behind.subarray(0, 256).toString('latin1'))?.[0].length ?? 0;
  return { statement, sql, rows: { head: statement.insert, data: behind.subarray(lineEnd) } };
}

/** Readonly requests, and GET as in ClickHouse, never reach the writer. */
function laneOf(call: Call): Plan['lane'] {
  const readonly = call.query.get('readonly');
  return call.method === 'GET' || readonly === '1' || readonly === '2' ? 'reader' : 'writer';
}

function checkReader(statement: Statement): void {
  if (!READ_VERBS.has(statement.verb) || statement.touchesSession) {
    throw raise('READONLY', 'Cannot execute query in readonly mode');
  }
  if (statement.readerRefusal !== undefined) throw raise('READONLY', statement.readerRefusal);
}

function checkWriter(sql: string, statement: Statement): void {
  // Measured: KILL QUERY ... SYNC never returns in chDB 26.7; ASYNC does.
  if (statement.verb === 'KILL' && /\bSYNC\b/i.test(sql)) {
    throw raise('NOT_IMPLEMENTED', 'KILL ... SYNC is not supported; use ASYNC');
  }
}

/** Throws EngineException for whatever can be refused before a session is taken. */
export function planCall(call: Call, known: ReadonlySet<string>): Plan {
  const { statement, sql, rows } = sourceOf(call);
  if (statement.verb === '') throw raise('SYNTAX_ERROR', 'Empty query');
  const lane = laneOf(call);
  if (lane === 'reader') checkReader(statement);
  else checkWriter(sql, statement);
  const parameters = parametersOf(call.query);
  const missing = statement.placeholders.find((name) => !parameters.has(name));
  if (missing !== undefined) {
    throw raise('UNKNOWN_QUERY_PARAMETER', `Substitution \`${missing}\` is not set`);
  }
  const format =
    statement.format ?? call.query.get('default_format') ?? call.formatHeader ?? 'TabSeparated';
  if (!PARAMETER_NAME.test(format)) {
    throw raise('BAD_ARGUMENTS', 'default_format is not a format name');
  }
  const isSelect = statement.verb === 'SELECT' || statement.verb === 'WITH';
  const whole = call.query.get('wait_end_of_query') === '1';
  const streams = lane === 'reader' && isSelect && STREAMABLE.has(format) && !whole;
  const mode: Mode = lane === 'writer' ? 'writer' : streams ? 'stream' : 'reader';
  const settings = requestSettings(call.query, mode, known);
  return {
    lane,
    args: connectionArgs(mode, settings),
    database: call.query.get('database') ?? undefined,
    parameters,
    statement,
    sql,
    rows,
    format,
    streams,
  };
}
