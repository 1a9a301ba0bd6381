import { raise } from './exception.ts';
import { readerRefusal } from './reader-guard.ts';
import { isWord, tokens, SqlTextError, type Token } from './tokens.ts';

export interface InsertHead {
  /** Unquoted, `database.table` or `table`; undefined when it is not a plain name. */
  readonly table: string | undefined;
  /** Undefined: no list was written; null: a list that is not plain names. */
  readonly columns: readonly string[] | null | undefined;
  /** SETTINGS written before FORMAT; null: values that are not plain literals. */
  readonly settings: ReadonlyMap<string, string> | null;
  readonly format: string;
  /** Where the data begins, as an index into the statement. */
  readonly dataStart: number;
}

export interface Statement {
  /** First keyword, upper case; '' for an empty statement. */
  readonly verb: string;
  /** FORMAT that the statement itself names. */
  readonly format: string | undefined;
  /** Set for an INSERT that carries its rows behind a FORMAT. */
  readonly insert: InsertHead | undefined;
  /** Names in `{name:Type}`, each once. */
  readonly placeholders: readonly string[];
  /** More than one statement, divided by `;`. */
  readonly multi: boolean;
  /** Leaves something behind in the session (SET, USE, temporary table). */
  readonly touchesSession: boolean;
  /** Why a reader session must not run it, beyond what `readonly` refuses itself. */
  readonly readerRefusal: string | undefined;
}

/** Verbs that a reader session is asked to run; READONLY for everything else. */
export const READ_VERBS: ReadonlySet<string> = new Set([
  'SELECT',
  'WITH',
  '(',
  'FROM',
  'SHOW',
  'DESCRIBE',
  'DESC',
  'EXPLAIN',
  'EXISTS',
  'VALUES',
]);

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

function unquote(token: Token): string | undefined {
  if (token.kind === 'word') return token.text;
  if (token.kind !== 'quoted') return undefined;
  const inner = token.text.slice(1, -1);
  return NAME.test(inner) ? inner : undefined;
}

/** `name` or `name.name` at `from`; the index behind it. */
function readTable(
  list: readonly Token[],
  from: number,
): { table: string | undefined; next: number } {
  const first = list[from];
  const head = first === undefined ? undefined : unquote(first);
  if (list[from + 1]?.text !== '.') return { table: head, next: from + 1 };
  const second = list[from + 2];
  const tail = second === undefined ? undefined : unquote(second);
  const table = head === undefined || tail === undefined ? undefined : `${head}.${tail}`;
  return { table, next: from + 3 };
}

function readColumns(list: readonly Token[], from: number): readonly string[] | null | undefined {
  if (list[from]?.text !== '(') return undefined;
  const names: string[] = [];
  for (let at = from + 1; at < list.length; at += 2) {
    const token = list[at];
    const name = token === undefined ? undefined : unquote(token);
    if (name === undefined) return null;
    names.push(name);
    const next = list[at + 1]?.text;
    if (next === ')') return names;
    if (next !== ',') return null;
  }
  return null;
}

/** `SETTINGS name = literal, ...` in front of FORMAT, the list's last two tokens. */
function readSettings(list: readonly Token[]): ReadonlyMap<string, string> | null {
  const settings = new Map<string, string>();
  const start = list.findIndex((token) => isWord(token, 'SETTINGS'));
  if (start < 0) return settings;
  for (let at = start + 1; at < list.length - 2; at += 4) {
    const [name, equals, value, comma] = list.slice(at, at + 4);
    const text = value === undefined ? undefined : literalText(value);
    if (name?.kind !== 'word' || equals?.text !== '=' || text === undefined) return null;
    if (comma?.text !== ',' && !isWord(comma, 'FORMAT')) return null;
    settings.set(name.text, text);
  }
  return settings;
}

function literalText(token: Token): string | undefined {
  if (token.kind === 'number' || token.kind === 'word') return token.text;
  const isPlain = token.kind === 'string' && /^'[^'\\]*'$/.test(token.text);
  return isPlain ? token.text.slice(1, -1) : undefined;
}

/** Head of `INSERT ... FORMAT name`, from the tokens up to the format's name. */
function insertHead(list: readonly Token[], format: Token): InsertHead {
  let at = 1;
  if (isWord(list[at], 'INTO')) at += 1;
  if (isWord(list[at], 'TABLE')) at += 1;
  const isFunction = isWord(list[at], 'FUNCTION');
  const { table, next } = readTable(list, at);
  return {
    table: isFunction ? undefined : table,
    columns: readColumns(list, next),
    settings: readSettings(list),
    format: format.text,
    dataStart: format.end,
  };
}

function refuse(list: readonly Token[], at: number): void {
  const token = list[at];
  const next = list[at + 1];
  if (isWord(token, 'INTO') && isWord(next, 'OUTFILE')) {
    throw raise('INTO_OUTFILE_NOT_ALLOWED', 'INTO OUTFILE is not allowed');
  }
  if (isWord(token, 'FROM') && isWord(next, 'INFILE')) {
    throw raise(
      'NOT_IMPLEMENTED',
      'FROM INFILE is not supported; send the rows as the request body',
    );
  }
  // chDB 26.7 answers success and stores nothing.
  if (isWord(list[0], 'INSERT') && isWord(token, 'INPUT') && next?.text === '(') {
    throw raise('NOT_IMPLEMENTED', 'INSERT ... SELECT ... FROM input() is not supported');
  }
}

/** Reads tokens; stops behind the format's name of an INSERT, whose data is not SQL. */
function collect(sql: string): { list: readonly Token[]; insertFormat: Token | undefined } {
  const list: Token[] = [];
  let depth = 0;
  let carriesRows = true;
  try {
    for (const token of tokens(sql)) {
      list.push(token);
      if (token.text === '(') depth += 1;
      if (token.text === ')') depth -= 1;
      if (depth > 0 || !isWord(list[0], 'INSERT')) continue;
      if (isWord(token, 'SELECT') || isWord(token, 'VALUES')) carriesRows = false;
      if (carriesRows && isWord(list.at(-2), 'FORMAT') && token.kind === 'word') {
        return { list, insertFormat: token };
      }
    }
  } catch (error) {
    if (error instanceof SqlTextError) throw raise('SYNTAX_ERROR', error.message);
    throw error;
  }
  return { list, insertFormat: undefined };
}

function placeholders(list: readonly Token[]): readonly string[] {
  const names = new Set<string>();
  list.forEach((token, at) => {
    const name = list[at + 1];
    if (token.text === '{' && name?.kind === 'word' && list[at + 2]?.text === ':') {
      names.add(name.text);
    }
  });
  return [...names];
}

function statedFormat(list: readonly Token[]): string | undefined {
  let depth = 0;
  let format: string | undefined;
  list.forEach((token, at) => {
    if (token.text === '(') depth += 1;
    if (token.text === ')') depth -= 1;
    const next = list[at + 1];
    const after = list[at + 2];
    const ends = after === undefined || after.text === ';' || isWord(after, 'SETTINGS');
    if (depth === 0 && isWord(token, 'FORMAT') && next?.kind === 'word' && ends) format = next.text;
  });
  return format;
}

function isMulti(list: readonly Token[]): boolean {
  const first = list.findIndex((token) => token.text === ';');
  return first >= 0 && list.slice(first).some((token) => token.text !== ';');
}

/** What routing needs to know of a statement. Throws SYNTAX_ERROR and refusals as EngineException. */
export function parseStatement(sql: string): Statement {
  const { list, insertFormat } = collect(sql);
  list.forEach((_, at) => refuse(list, at));
  const verb = list[0]?.text.toUpperCase() ?? '';
  const multi = insertFormat === undefined && isMulti(list);
  return {
    verb,
    format: insertFormat === undefined ? statedFormat(list) : undefined,
    insert: insertFormat === undefined ? undefined : insertHead(list, insertFormat),
    placeholders: placeholders(list),
    multi,
    readerRefusal: readerRefusal(list),
    touchesSession:
      multi || verb === 'SET' || verb === 'USE' || list.some((t) => isWord(t, 'TEMPORARY')),
  };
}
