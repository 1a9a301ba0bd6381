import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tokens, SqlTextError } from '../src/sql/tokens.ts';

function texts(sql: string): string[] {
  return [...tokens(sql)].map((token) => token.text);
}

test.each([
  ['SELECT 1', ['SELECT', '1']],
  ["SELECT 'a''b', 'c\\'d' , \"e\"", ['SELECT', "'a''b'", ',', "'c\\'d'", ',', '"e"']],
  ['a -- x; y\n;b /* ; */ # z;\nc', ['a', ';', 'b', 'c']],
  ['`FORMAT``x`.y', ['`FORMAT``x`', '.', 'y']],
  ['$tag$ ; SELECT $tag$ x', ['$tag$ ; SELECT $tag$', 'x']],
  ['{n:UInt8}', ['{', 'n', ':', 'UInt8', '}']],
  ['1.5e3 x_1', ['1.5e3', 'x_1']],
  ["'--' /* ' */ 1", ["'--'", '1']],
  ['', []],
])('%j', (sql, expected) => {
  expect(texts(sql)).toEqual(expected);
});

test.each([
  'SELECT \u201cfile\u201d(1)',
  'SELECT 1 \0',
  'SELECT \u2018a\u2019',
  "SELECT 'abc",
  'SELECT `abc',
  'SELECT "abc',
  '/* abc',
  '$a$ abc',
  "'\\",
])('not SQL: %j', (sql) => {
  expect(() => texts(sql)).toThrow(SqlTextError);
});

test('tokens cover the statement in order, and nothing but blanks lies between them', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii', maxLength: 60 }), (sql) => {
      let at = 0;
      try {
        for (const token of tokens(sql)) {
          expect(token.start).toBeGreaterThanOrEqual(at);
          expect(token.end).toBeGreaterThan(token.start);
          expect(sql.slice(token.start, token.end)).toBe(token.text);
          at = token.end;
        }
      } catch (error) {
        expect(error).toBeInstanceOf(SqlTextError);
      }
    }),
  );
});
