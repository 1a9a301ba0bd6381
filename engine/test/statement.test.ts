import { describe, expect, test } from 'vitest';
import { EngineException } from '../src/sql/exception.ts';
import { parseStatement } from '../src/sql/statement.ts';

function codeOf(sql: string): number | undefined {
  try {
    parseStatement(sql);
    return undefined;
  } catch (error) {
    return error instanceof EngineException ? error.code : -1;
  }
}

describe('what a statement is', () => {
  test.each([
    ['select 1', 'SELECT', undefined],
    ['SELECT 1 FORMAT JSON', 'SELECT', 'JSON'],
    ['SELECT 1 FORMAT JSONEachRow SETTINGS max_threads = 1', 'SELECT', 'JSONEachRow'],
    ['SELECT 1\nFORMAT CSV ;', 'SELECT', 'CSV'],
    ["SELECT 'FORMAT CSV'", 'SELECT', undefined],
    ['SELECT format FROM t', 'SELECT', undefined],
    ['SELECT * FROM (SELECT 1 FORMAT x)', 'SELECT', undefined],
    ['(SELECT 1) UNION ALL (SELECT 2)', '(', undefined],
    ['-- note\nWITH 1 AS a SELECT a', 'WITH', undefined],
    ['', '', undefined],
  ])('%j', (sql, verb, format) => {
    expect(parseStatement(sql)).toMatchObject({ verb, format, insert: undefined, multi: false });
  });

  test('placeholders are found once each, never inside strings', () => {
    const sql =
      "SELECT {a:String}, '{b:String}', {c:Array(Nullable(UInt64))}, {a:String} -- {d:Int8}";
    expect(parseStatement(sql).placeholders).toEqual(['a', 'c']);
  });

  test.each([
    ['SELECT 1; SELECT 2', true, true],
    ['SELECT 1;;', false, false],
    ["SELECT ';'", false, false],
    ['SET max_threads = 1', false, true],
    ['USE other', false, true],
    ['CREATE TEMPORARY TABLE t (a Int8)', false, true],
    ['CREATE TABLE t (a Int8) ENGINE = Memory', false, false],
  ])('%j: multi %s, touches the session %s', (sql, multi, touchesSession) => {
    expect(parseStatement(sql)).toMatchObject({ multi, touchesSession });
  });
});

describe('INSERT with rows', () => {
  test.each([
    ['INSERT INTO t FORMAT JSONEachRow', 't', undefined, {}],
    ['insert into table d.t (a, `b`) format TSV', 'd.t', ['a', 'b'], {}],
    ['INSERT INTO `d`.`t` FORMAT CSV', 'd.t', undefined, {}],
    [
      "INSERT INTO t (a) SETTINGS async_insert = 0, x_y = 'z', b = true FORMAT JSONCompactEachRow",
      't',
      ['a'],
      { async_insert: '0', x_y: 'z', b: 'true' },
    ],
    ['INSERT INTO t (values, select) FORMAT TSV', 't', ['values', 'select'], {}],
  ])('%j', (sql, table, columns, settings) => {
    const { insert } = parseStatement(sql);
    expect(insert).toMatchObject({ table, columns, dataStart: sql.length });
    expect(Object.fromEntries(insert?.settings ?? [])).toEqual(settings);
  });

  test.each([
    ['INSERT INTO t (* EXCEPT a) FORMAT TSV', { columns: null }],
    ["INSERT INTO t SETTINGS a = 'it''s' FORMAT TSV", { settings: null }],
    ['INSERT INTO t SETTINGS a = [1] FORMAT TSV', { settings: null }],
    ["INSERT INTO FUNCTION file('x') FORMAT TSV", { table: undefined }],
    ['INSERT INTO `a b` FORMAT TSV', { table: undefined }],
  ])('%j is not plain', (sql, expected) => {
    expect(parseStatement(sql).insert).toMatchObject(expected);
  });

  test('the rows behind the format are never read as SQL', () => {
    const sql = `INSERT INTO t FORMAT JSONEachRow {"a":"it's; INTO OUTFILE /* "}`;
    expect(parseStatement(sql)).toMatchObject({
      multi: false,
      insert: { dataStart: 'INSERT INTO t FORMAT JSONEachRow'.length },
    });
  });

  test.each(['INSERT INTO t SELECT 1 FORMAT JSON', "INSERT INTO t VALUES (1, 'FORMAT TSV')"])(
    '%j carries no rows',
    (sql) => {
      expect(parseStatement(sql).insert).toBeUndefined();
    },
  );
});

test.each([
  ["SELECT 1 INTO OUTFILE '/tmp/x'", 358],
  ["SELECT 1 into/**/outfile '/tmp/x'", 358],
  ["INSERT INTO t FROM INFILE '/etc/passwd' FORMAT CSV", 48],
  ["INSERT INTO t SELECT * FROM input('a Int8') FORMAT TSV", 48],
  ["SELECT 'abc", 62],
  ["SELECT 'INTO OUTFILE'", undefined],
  ['SELECT input FROM t', undefined],
])('%j: code %s', (sql, code) => {
  expect(codeOf(sql)).toBe(code);
});
