import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { curl, openBench, type Bench, type CurlAnswer } from './fixture.ts';

let bench: Bench;

beforeAll(async () => {
  bench = await openBench();
});

afterAll(() => bench.close());

function post(address: string, body: string): Promise<CurlAnswer> {
  return curl(bench.socketPath, address, ['--data-binary', body]);
}

test('ping', async () => {
  for (const address of ['/ping', '/']) {
    expect(await curl(bench.socketPath, address)).toMatchObject({ status: 200, body: 'Ok.\n' });
  }
  expect((await curl(bench.socketPath, '/nope')).status).toBe(404);
});

test('GET reads and cannot write', async () => {
  const read = await curl(
    bench.socketPath,
    '/?query=SELECT%201%20AS%20a&default_format=JSONEachRow',
  );
  expect(read).toMatchObject({ status: 200, body: '{"a":1}\n' });
  const write = await curl(bench.socketPath, '/?query=CREATE%20DATABASE%20x');
  expect(write.status).toBe(403);
});

test('headers of an answer', async () => {
  const { headers } = await post('/?query_id=my-id-1', 'SELECT 1 FORMAT CSV');
  expect(headers.get('x-clickhouse-query-id')).toBe('my-id-1');
  expect(headers.get('x-clickhouse-format')).toBe('CSV');
  expect(headers.get('content-type')).toBe('text/csv; charset=UTF-8');
  expect(headers.get('x-clickhouse-server-display-name')).toBe('bot-analytics-engine');
  const summary: unknown = JSON.parse(headers.get('x-clickhouse-summary') ?? '');
  expect(summary).toMatchObject({ read_rows: '1', written_rows: '0' });
});

test('a query id that could break a header is replaced', async () => {
  const { headers } = await post('/?query_id=a%0d%0aX-Evil:%201', 'SELECT 1');
  expect(headers.get('x-clickhouse-query-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers.has('x-evil')).toBe(false);
});

test.each([
  ['SELECT * FROM nope', 404, '60', /^Code: 60\. DB::Exception: .*\(UNKNOWN_TABLE\) \(version /],
  ['SELEC 1', 400, '62', /\(SYNTAX_ERROR\)/],
  ['', 400, '62', /Empty query/],
  ["SELECT toUInt8('x')", 400, '6', /\(CANNOT_PARSE_TEXT\)/],
])('exception of %j', async (body, status, code, text) => {
  const answer = await post('/', body);
  expect(answer.status).toBe(status);
  expect(answer.headers.get('x-clickhouse-exception-code')).toBe(code);
  expect(answer.body).toMatch(text);
});

test('an insert from a file, and its rows back in three formats', async () => {
  await post('/', 'CREATE TABLE t (a UInt64, s String) ENGINE = MergeTree ORDER BY a');
  const file = join(bench.root, 'rows.ndjson');
  const rows = Array.from({ length: 10_000 }, (_, a) => JSON.stringify({ a, s: `it's ${a}` }));
  writeFileSync(file, rows.join('\n'));
  const address = `/?query=${encodeURIComponent('INSERT INTO t FORMAT JSONEachRow')}`;
  const insert = await post(address, `@${file}`);
  expect(insert.status).toBe(200);
  expect(insert.headers.get('x-clickhouse-summary')).toContain('"written_rows":"10000"');
  const back = await post('/', 'SELECT * FROM t ORDER BY a LIMIT 1 FORMAT JSONEachRow');
  expect(back.body).toBe('{"a":"0","s":"it\'s 0"}\n');
  expect((await post('/', 'SELECT count() FROM t')).body).toBe('10000\n');
  expect((await post('/', 'SELECT max(a) FROM t FORMAT JSONCompact')).body).toContain('["9999"]');
});

test('statement and rows together in the body', async () => {
  await post('/', 'CREATE TABLE b (a UInt64) ENGINE = Memory');
  expect((await post('/', 'INSERT INTO b FORMAT TSV\n1\n2\n')).status).toBe(200);
  expect((await post('/', 'SELECT sum(a) FROM b')).body).toBe('3\n');
});

test('settings from the address: known, unknown, unreadable', async () => {
  const sql = "SELECT getSetting('max_threads')";
  expect((await post('/?max_threads=1', sql)).body).toBe('1\n');
  expect((await post('/?max_thraeds=1', sql)).status).toBe(404);
  expect((await post('/?max_threads=many', sql)).status).toBe(400);
  expect((await post('/?session_id=s', sql)).status).toBe(501);
  expect((await post('/?database=system', 'SELECT count() > 0 FROM tables')).body).toBe('1\n');
  expect((await post('/?database=nope', sql)).status).toBe(404);
});

test('what is not supported is refused: methods, gzip bodies', async () => {
  expect((await curl(bench.socketPath, '/', ['-X', 'DELETE'])).status).toBe(501);
  const gzip = await curl(bench.socketPath, '/', ['-H', 'Content-Encoding: gzip', '-d', 'x']);
  expect(gzip.status).toBe(501);
});

test('a body over 64 MiB is refused and the engine goes on', async () => {
  const file = join(bench.root, 'large.tsv');
  writeFileSync(file, Buffer.alloc(67_108_865, '1\n'));
  const address = `/?query=${encodeURIComponent('INSERT INTO b FORMAT TSV')}`;
  const answer = await post(address, `@${file}`);
  expect(answer.status).toBe(413);
  expect((await post('/', 'SELECT 1')).body).toBe('1\n');
});
