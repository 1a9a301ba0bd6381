/**
 * A lexer for ClickHouse SQL: enough to find keywords, placeholders and statement ends without ever
 * mistaking the inside of a string, identifier, heredoc or comment for them.
 */
export interface Token {
  readonly kind: 'word' | 'number' | 'string' | 'quoted' | 'sign';
  /** As written, quotes included. */
  readonly text: string;
  /** First character, as an index into the statement. */
  readonly start: number;
  /** One past the last character. */
  readonly end: number;
}

/** The text cannot be SQL: something in it is not closed or belongs into quotes. */
export class SqlTextError extends Error {
  constructor(what: string, at: number) {
    super(`${what}: Syntax error: failed at position ${at + 1}`);
    this.name = 'SqlTextError';
  }
}

const SPACE = /[\s\u00a0\ufeff]+/y;
const LINE_COMMENT = /(?:--|#!|# )[^\n]*/y;
const WORD = /[A-Za-z_][A-Za-z0-9_$]*/y;
const NUMBER = /\d[A-Za-z0-9_]*(?:\.\d[A-Za-z0-9_]*)?/y;
const SIGN = /[!-~]/;
const HEREDOC = /\$[A-Za-z0-9_]*\$/y;

function matchAt(pattern: RegExp, sql: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(sql) ? pattern.lastIndex : -1;
}

/** Where the text after white space and comments begins. */
function skipBlank(sql: string, from: number): number {
  let at = from;
  for (;;) {
    const next = Math.max(matchAt(SPACE, sql, at), matchAt(LINE_COMMENT, sql, at));
    if (next > at) {
      at = next;
    } else if (sql.startsWith('/*', at)) {
      const close = sql.indexOf('*/', at + 2);
      if (close < 0) throw new SqlTextError('Multiline comment is not closed', at);
      at = close + 2;
    } else {
      return at;
    }
  }
}

/** A quoted run; both `\q` and a doubled quote stand for the quote itself. */
function quotedEnd(sql: string, start: number): number {
  const quote = sql.charAt(start);
  let at = start + 1;
  while (at < sql.length) {
    const char = sql.charAt(at);
    if (char === '\\') {
      at += 2;
    } else if (char !== quote) {
      at += 1;
    } else if (sql.charAt(at + 1) === quote) {
      at += 2;
    } else {
      return at + 1;
    }
  }
  const what = quote === "'" ? 'Single quoted string' : 'Quoted identifier';
  throw new SqlTextError(`${what} is not closed`, start);
}

function heredocEnd(sql: string, start: number, openEnd: number): number {
  const close = sql.indexOf(sql.slice(start, openEnd), openEnd);
  if (close < 0) throw new SqlTextError('Heredoc is not closed', start);
  return close + (openEnd - start);
}

function scan(sql: string, start: number): { kind: Token['kind']; end: number } {
  const char = sql.charAt(start);
  if (char === "'") return { kind: 'string', end: quotedEnd(sql, start) };
  if (char === '`' || char === '"') return { kind: 'quoted', end: quotedEnd(sql, start) };
  const heredoc = matchAt(HEREDOC, sql, start);
  if (heredoc > 0) return { kind: 'string', end: heredocEnd(sql, start, heredoc) };
  const word = matchAt(WORD, sql, start);
  if (word > 0) return { kind: 'word', end: word };
  const number = matchAt(NUMBER, sql, start);
  if (number > 0) return { kind: 'number', end: number };
  // ClickHouse takes typographic quotes for quotes; a lexer that differs from it there protects nothing.
  if (!SIGN.test(char)) throw new SqlTextError('Unrecognized character', start);
  return { kind: 'sign', end: start + 1 };
}

/** Tokens one by one, so that the data behind an INSERT is never read. Throws {@link SqlTextError}. */
export function* tokens(sql: string): Generator<Token, void, undefined> {
  let at = skipBlank(sql, 0);
  while (at < sql.length) {
    const { kind, end } = scan(sql, at);
    yield { kind, text: sql.slice(at, end), start: at, end };
    at = skipBlank(sql, end);
  }
}

/** True for the keyword in any case. */
export function isWord(token: Token | undefined, word: string): boolean {
  return token?.kind === 'word' && token.text.toUpperCase() === word;
}
