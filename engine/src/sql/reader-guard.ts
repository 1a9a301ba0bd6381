import { isWord, type Token } from './tokens.ts';

/**
 * Functions that read the host's files or call other hosts. chDB's `readonly` covers every table
 * function, but not these: `SELECT file('/etc/passwd')` answers in a readonly session (measured, 26.7).
 */
const HOST_FUNCTION =
  /^(?:file|catboostEvaluate|showCertificate|ai(?:Classify|Embed|Extract|Generate|Translate))$/i;

function callsHost(token: Token, next: Token | undefined): boolean {
  if (next?.text !== '(') return false;
  // A quoted name may hide any function behind escapes; no statement of ours quotes one.
  return token.kind === 'quoted' || (token.kind === 'word' && HOST_FUNCTION.test(token.text));
}

/** `system.settings`, the one place where the word is a name. */
function isSystemTable(list: readonly Token[], at: number): boolean {
  return list[at - 1]?.text === '.' && isWord(list[at - 2], 'SYSTEM');
}

/**
 * Why a statement must not run in a reader session; undefined when it may. The session is `readonly`
 * already; this closes what that leaves open. A SETTINGS clause in a subquery lifts `readonly` and every
 * limit for that subquery (measured), so readers take settings from the request's address only.
 */
export function readerRefusal(list: readonly Token[]): string | undefined {
  const describes = isWord(list[0], 'DESCRIBE') || isWord(list[0], 'DESC');
  for (const [at, token] of list.entries()) {
    if (isWord(token, 'SETTINGS') && !isSystemTable(list, at)) {
      return 'A SETTINGS clause is not allowed in a readonly statement; send settings with the request';
    }
    if (callsHost(token, list[at + 1])) {
      return `Function ${token.text} is not allowed in a readonly statement`;
    }
    // DESCRIBE asks a table function for its columns, and that opens the file or address behind it.
    if (describes && token.text === '(') {
      return 'DESCRIBE of a table function or subquery is not allowed in a readonly statement';
    }
  }
  return undefined;
}
