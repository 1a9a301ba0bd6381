import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { curl, failure, insertRaw, openBench, rowsOf, type Bench } from './fixture.ts';

let bench: Bench;

beforeAll(async () => {
  bench = await openBench();
  await bench.writer.command({
    query: 'CREATE TABLE t (a UInt64) ENGINE = MergeTree ORDER BY a',
  });
});

afterAll(() => bench.close());

test.each([
  ['INSERT INTO t VALUES (1)', '164'],
  ['INSERT INTO t SELECT 1', '164'],
  ['DROP TABLE t', '164'],
  ['SELECT 1; DROP TABLE t', '164'],
  ["SELECT * FROM file('/etc/passwd')", '164'],
  ["SELECT * FROM url('http://127.0.0.1:1/', 'CSV', 'a String')", '164'],
  ["SELECT * FROM (SELECT * FROM file('/etc/passwd') SETTINGS readonly = 0)", '164'],
  ['SELECT 1 SETTINGS max_execution_time = 100', '164'],
  ['SELECT 1 SETTINGS readonly = 0', '164'],
  ["SELECT * FROM (SELECT * FROM file('/etc/passwd') settings `readonly` = 0)", '164'],
  ["WITH (SELECT count() FROM file('/etc/passwd') SETTINGS readonly=0) AS c SELECT c", '164'],
  ['SELECT * FROM view(SELECT 1 SETTINGS readonly = 0)', '164'],
  ["SELECT file('/etc/passwd')", '164'],
  ["SELECT `file` /* */ ('/etc/passwd')", '164'],
  ["SELECT `fi\\x6ce`('/etc/passwd')", '164'],
  ["SELECT \u201cfile\u201d('/etc/passwd')", '62'],
  ["SELECT * FROM '/etc/passwd'", '164'],
  ['SELECT * FROM `/etc/passwd`', '164'],
  ["DESCRIBE TABLE file('/etc/passwd')", '164'],
  ["EXPLAIN SELECT * FROM file('/etc/passwd')", '164'],
  ["SELECT * FROM executable('id', 'TSV', 'a String')", '164'],
  ['WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x', '36'],
  ['SELECT * FROM nope', '60'],
  ['SELECT nope FROM t', '47'],
  ['SELECT nope(1)', '46'],
  ['SELECT 1 +', '62'],
  ["SELECT 'abc", '62'],
])('%j through the reader: code %s', async (query, code) => {
  expect((await failure(bench.reader.exec({ query }))).code).toBe(code);
  expect(await rowsOf(bench.reader, 'SELECT count() AS n FROM t')).toEqual([{ n: '0' }]);
});

test.each(['reader', 'writer'] as const)(
  'INTO OUTFILE writes nothing through the %s',
  async (who) => {
    const path = join(bench.root, `out-${who}.txt`);
    const query = `SELECT 1 INTO OUTFILE '${path}'`;
    expect((await failure(bench[who].exec({ query }))).code).toBe('358');
    expect(existsSync(path)).toBe(false);
  },
);

test('limits of a read may be tightened, not lifted', async () => {
  const query = 'SELECT sum(sipHash64(number)) AS n FROM numbers(100000000000)';
  const limit = (seconds: number): Promise<unknown> =>
    bench.reader.query({
      query,
      clickhouse_settings: { readonly: '1', max_execution_time: seconds },
    });
  expect((await failure(limit(1))).code).toBe('159');
  expect((await failure(limit(3_600))).code).toBe('452');
});

test('an insert does not wait behind reads, and a read over the pool waits for its turn', async () => {
  const order: string[] = [];
  const heavy = (name: string): Promise<unknown> =>
    failure(
      bench.reader.query({
        query: `SELECT sum(sipHash64(number)) AS n FROM numbers(100000000000) -- ${name}`,
        clickhouse_settings: { readonly: '1', max_execution_time: 2, max_threads: 1 },
      }),
    ).then(({ code }) => order.push(`${name} ${code}`));
  const reads = [heavy('first'), heavy('second')];
  const light = rowsOf(bench.reader, 'SELECT 1 AS n').then(() => order.push('light'));
  for (let n = 0; n < 5; n += 1) {
    await insertRaw(bench.writer, 'INSERT INTO t FORMAT JSONEachRow', `{"a":${n}}`);
    order.push(`insert ${n}`);
  }
  await Promise.all([...reads, light]);
  expect(order.slice(0, 5)).toEqual([0, 1, 2, 3, 4].map((n) => `insert ${n}`));
  expect(order.slice(5, 7).toSorted()[0]).toMatch(/159$|light/);
  expect(order.indexOf('light')).toBeGreaterThan(5);
});

test('reads beyond the queue are refused with code 202 and status 429', async () => {
  const query = encodeURIComponent('SELECT sleepEachRow(0.5), number FROM numbers(3)');
  const answers = await Promise.all(
    Array.from({ length: 70 }, () => curl(bench.socketPath, `/?max_block_size=1&query=${query}`)),
  );
  const refused = answers.filter((answer) => answer.status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]?.headers.get('x-clickhouse-exception-code')).toBe('202');
  expect(answers.every(({ status }) => status === 200 || status === 429)).toBe(true);
});
