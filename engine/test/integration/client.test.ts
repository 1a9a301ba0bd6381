import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failure, insertRaw, openBench, rowsOf, type Bench } from './fixture.ts';

let bench: Bench;

beforeAll(async () => {
  bench = await openBench();
  await bench.writer.command({
    query: 'CREATE TABLE t (a UInt128, s String) ENGINE = ReplacingMergeTree ORDER BY a',
  });
});

afterAll(() => bench.close());

const HOSTILE = [
  "' OR 1=1 --",
  "\\'; DROP TABLE t; --",
  '\\',
  '\\N',
  '{a:String}',
  '$$ FORMAT Null $$',
  '/* */ -- #',
  '`"',
  'tab\tline\nreturn\r',
  'nul\0nul',
  '\u2028 😀 é',
  '',
  "['x']",
  'NULL',
];

describe('parameters', () => {
  test.each(HOSTILE)('%j comes back as it went', async (text) => {
    const sql = `SELECT {s:String} AS s, {l:Array(String)} AS l, {n:Nullable(String)} AS n,
      {m:Map(String, String)} AS m`;
    const params = { s: text, l: [text, text], n: text, m: new Map([['k', text]]) };
    const expected = [{ s: text, l: [text, text], n: text, m: { k: text } }];
    expect(await rowsOf(bench.reader, sql, params)).toEqual(expected);
    expect(await rowsOf(bench.writer, sql, params)).toEqual(expected);
  });

  test('of every type the server uses', async () => {
    const sql = `SELECT {u:UInt64} AS u, {w:UInt128} AS w, {i:UUID} AS i, {f:Float64} AS f,
      {b:Bool} AS b, {n:Nullable(UInt8)} AS n, {d:DateTime64(3, 'UTC')} AS d,
      {a:Array(UInt64)} AS a, {e:Array(String)} AS e, {c:LowCardinality(String)} AS c`;
    const params = {
      u: '18446744073709551615',
      w: '340282366920938463463374607431768211455',
      i: '01890000-0000-7000-8000-000000000001',
      f: 0.5,
      b: true,
      n: null,
      d: new Date('2026-01-02T03:04:05.678Z'),
      a: [1n, 18446744073709551615n],
      e: [],
      c: 'x',
    };
    expect(await rowsOf(bench.reader, sql, params)).toEqual([
      { ...params, d: '2026-01-02 03:04:05.678', a: ['1', '18446744073709551615'] },
    ]);
  });

  test('in LIMIT, IN and as an identifier', async () => {
    const sql = `SELECT number AS n FROM {t:Identifier} WHERE number IN {l:Array(UInt64)}
      ORDER BY n DESC LIMIT {k:UInt32}`;
    const params = { t: 'system.numbers', l: [1, 2, 3], k: 2 };
    const one = rowsOf(bench.reader, sql.replace('{t:Identifier}', 'numbers(10)'), params);
    expect(await one).toEqual([{ n: '3' }, { n: '2' }]);
    const named = 'SELECT count() AS n FROM {t:Identifier}';
    expect(await rowsOf(bench.reader, named, { t: 't' })).toEqual([{ n: '0' }]);
  });

  test('of 20,000 values go as multipart', async () => {
    const ids = Array.from({ length: 20_000 }, (_, n) => BigInt(n));
    const sql = 'SELECT length({ids:Array(UInt64)}) AS n';
    expect(await rowsOf(bench.reader, sql, { ids })).toEqual([{ n: '20000' }]);
  });

  test('of concurrent reads never mix', async () => {
    const reads = Array.from({ length: 60 }, (_, n) =>
      rowsOf(bench.reader, 'SELECT {x:String} AS x, sum(number) AS n FROM numbers(200000)', {
        x: `v${n}`,
      }),
    );
    const all = await Promise.all(reads);
    expect(all.map((rows) => rows[0]?.['x'])).toEqual(reads.map((_, n) => `v${n}`));
  });

  test('that are missing are an error, even when an earlier request had them', async () => {
    await rowsOf(bench.reader, 'SELECT {once:String} AS x', { once: 'secret' });
    expect(await failure(rowsOf(bench.reader, 'SELECT {once:String} AS x'))).toEqual({
      code: '456',
      type: 'UNKNOWN_QUERY_PARAMETER',
    });
  });
});

describe('inserts', () => {
  test('10,000 raw rows in one statement, settings in its text', async () => {
    const lines = Array.from({ length: 10_000 }, (_, n) => JSON.stringify([`${n}`, `row ${n}`]));
    const query = `INSERT INTO t (a, s) SETTINGS async_insert = 0, max_partitions_per_insert_block = 7
      FORMAT JSONCompactEachRow`;
    await insertRaw(bench.writer, query, `${lines.join('\n')}\n`);
    expect(await rowsOf(bench.reader, 'SELECT count() AS n, uniqExact(s) AS u FROM t')).toEqual([
      { n: '10000', u: '10000' },
    ]);
    const stays = "SELECT getSetting('max_partitions_per_insert_block') AS n";
    expect(await rowsOf(bench.writer, stays)).toEqual([{ n: 100 }]);
  });

  test('hostile strings through every raw format, and the written rows in the summary', async () => {
    await bench.writer.command({ query: 'CREATE TABLE h (a UInt32, s String) ENGINE = Memory' });
    const json = HOSTILE.map((s, a) => JSON.stringify({ a, s })).join('\n');
    await insertRaw(bench.writer, 'INSERT INTO h FORMAT JSONEachRow', json);
    const compact = HOSTILE.map((s, a) => JSON.stringify([a, s])).join('\n');
    await insertRaw(bench.writer, 'INSERT INTO h FORMAT JSONCompactEachRow', compact);
    const values = HOSTILE.map((s, a) => ({ a, s }));
    const { summary } = await bench.writer.insert({ table: 'h', values, format: 'JSONEachRow' });
    expect(summary?.written_rows).toBe(`${HOSTILE.length}`);
    const rows = await rowsOf(
      bench.reader,
      'SELECT a, groupArray(s) AS l FROM h GROUP BY a ORDER BY a',
    );
    expect(rows).toEqual(HOSTILE.map((s, a) => ({ a, l: [s, s, s] })));
  });

  test.each([
    ['a lone surrogate', '{"a":1,"s":"\\ud800"}', '25'],
    ['half a row', '{"a":1', '33'],
    ['a wrong type', '{"a":"x","s":"y"}', '27'],
  ])('%s fails the statement cleanly and stores nothing of it', async (_, bad, code) => {
    await bench.writer.command({
      query: 'CREATE OR REPLACE TABLE one (a UInt32, s String) ENGINE = Memory',
    });
    const rows = `{"a":0,"s":"good"}\n${bad}\n`;
    const insert = insertRaw(bench.writer, 'INSERT INTO one FORMAT JSONEachRow', rows);
    expect((await failure(insert)).code).toBe(code);
    await insertRaw(bench.writer, 'INSERT INTO one FORMAT JSONEachRow', '{"a":9,"s":"next"}');
    expect(await rowsOf(bench.reader, 'SELECT a FROM one')).toEqual([{ a: 9 }]);
  });

  test('binary rows are refused, not damaged', async () => {
    const insert = insertRaw(bench.writer, 'INSERT INTO t FORMAT RowBinary', 'x'.repeat(20));
    expect(await failure(insert)).toEqual({ code: '48', type: 'NOT_IMPLEMENTED' });
  });

  test('INSERT ... VALUES with parameters', async () => {
    await bench.writer.command({ query: 'CREATE TABLE v (a UInt32, s String) ENGINE = Memory' });
    await bench.writer.command({
      query: 'INSERT INTO v VALUES ({a:UInt32}, {s:String})',
      query_params: { a: 1, s: "it's" },
    });
    expect(await rowsOf(bench.reader, 'SELECT * FROM v')).toEqual([{ a: 1, s: "it's" }]);
  });
});

test('tables are fsynced by default, async inserts are off, 64-bit numbers are text', async () => {
  const sql = `SELECT name, value FROM system.merge_tree_settings
    WHERE name IN ('fsync_after_insert', 'fsync_part_directory') ORDER BY name`;
  expect(await rowsOf(bench.reader, sql)).toEqual([
    { name: 'fsync_after_insert', value: '1' },
    { name: 'fsync_part_directory', value: '1' },
  ]);
  const settings = `SELECT getSetting('async_insert') AS a, 9007199254740993::UInt64 AS n`;
  expect(await rowsOf(bench.writer, settings)).toEqual([{ a: false, n: '9007199254740993' }]);
});

test('DDL, ALTER, OPTIMIZE, DELETE, several statements in one', async () => {
  const { writer, reader } = bench;
  for (const query of [
    'CREATE DATABASE other',
    'CREATE TABLE other.d (a UInt32) ENGINE = MergeTree ORDER BY a',
    "ALTER TABLE other.d ADD COLUMN b String DEFAULT 'x'",
    'INSERT INTO other.d (a) SELECT number FROM numbers(10)',
    'ALTER TABLE other.d UPDATE b = toString(a) WHERE a > 5 SETTINGS mutations_sync = 1',
    'ALTER TABLE other.d DELETE WHERE a < 2 SETTINGS mutations_sync = 1',
    'DELETE FROM other.d WHERE a = 2',
    'OPTIMIZE TABLE other.d FINAL',
    'INSERT INTO other.d (a) VALUES (100); INSERT INTO other.d (a) VALUES (101)',
  ]) {
    await writer.command({ query });
  }
  const rows = await rowsOf(reader, 'SELECT a, b FROM other.d WHERE a > 4 ORDER BY a');
  expect(rows.map((row) => [row['a'], row['b']].join(''))).toEqual([
    '5x',
    '66',
    '77',
    '88',
    '99',
    '100x',
    '101x',
  ]);
});

test('nothing of one request is left for the next', async () => {
  const { writer, reader } = bench;
  const threads = "SELECT getSetting('max_threads') AS n";
  await writer.query({ query: threads, clickhouse_settings: { max_threads: 1 } });
  await writer.command({ query: 'SET max_threads = 1' });
  await writer.command({ query: 'USE system' });
  await reader.query({ query: threads, clickhouse_settings: { readonly: '1', max_threads: 1 } });
  const after = [...(await rowsOf(writer, threads)), ...(await rowsOf(reader, threads))];
  expect(after.every((row) => row['n'] !== '1')).toBe(true);
  expect(await rowsOf(writer, 'SELECT currentDatabase() AS d')).toEqual([{ d: 'default' }]);
});

describe('results', () => {
  test('200,000 rows arrive whole and in order, as a stream', async () => {
    const result = await bench.reader.query({
      query: "SELECT number AS n, repeat('x', 100) AS s FROM numbers(200000) ORDER BY n",
      format: 'JSONEachRow',
    });
    let next = 0;
    for await (const rows of result.stream<{ n: string }>()) {
      for (const row of rows) {
        if (row.json().n !== `${next}`) throw new Error(`expected ${next}`);
        next += 1;
      }
    }
    expect(next).toBe(200_000);
  });

  test('an error behind the first rows cuts the answer, it never looks complete', async () => {
    const result = await bench.reader.query({
      query: 'SELECT throwIf(number = 400000) AS n FROM numbers(500000)',
      format: 'JSONEachRow',
    });
    await expect(result.text()).rejects.toThrow(/abort|terminated|hang up|closed/i);
  });

  test('a whole result over the bound is refused', async () => {
    const read = bench.reader.query({
      query: "SELECT repeat('x', 1000 + number % 2) AS s FROM numbers(100000)",
      format: 'JSON',
    });
    expect(['241', '396']).toContain((await failure(read)).code);
  });
});
