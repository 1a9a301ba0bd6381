import { describe, expect, test } from 'vitest';
import { planCall, type Call, type Plan } from '../src/http/plan.ts';
import { EngineException } from '../src/sql/exception.ts';

const KNOWN = new Set(['max_threads', 'max_execution_time', 'async_insert', 'readonly']);

function call(address: string, body: string | Uint8Array = '', method = 'POST'): Call {
  const query = new URLSearchParams(address);
  return { method, query, body: Buffer.from(body), formatHeader: undefined };
}

function plan(address: string, body: string | Uint8Array = '', method = 'POST'): Plan {
  return planCall(call(address, body, method), KNOWN);
}

function codeOf(address: string, body = '', method = 'POST'): number {
  try {
    plan(address, body, method);
  } catch (error) {
    if (error instanceof EngineException) return error.code;
  }
  return 0;
}

test.each([
  ['', 'SELECT 1', 'POST', 'writer'],
  ['readonly=1', 'SELECT 1', 'POST', 'reader'],
  ['readonly=2', 'SELECT 1', 'POST', 'reader'],
  ['readonly=0', 'SELECT 1', 'POST', 'writer'],
  ['query=SELECT 1', '', 'GET', 'reader'],
  ['query=INSERT INTO t FORMAT TSV', '1', 'POST', 'writer'],
])('%j %j by %s goes to the %s', (address, body, method, lane) => {
  expect(plan(address, body, method).lane).toBe(lane);
});

test('a reader session is readonly and bounded, whatever the address says', () => {
  expect(plan('readonly=2&max_execution_time=9', 'SELECT 1').args).toEqual(
    expect.arrayContaining([
      '--readonly=1',
      '--max_execution_time=9',
      '--max_memory_usage=536870912',
      '--output_format_json_quote_64bit_integers=1',
    ]),
  );
  expect(plan('', 'SELECT 1').args).toEqual([
    '--async_insert=0',
    '--output_format_json_quote_64bit_integers=1',
  ]);
});

test('the same settings in another order share a session', () => {
  const one = plan('readonly=1&max_threads=1&max_execution_time=2', 'SELECT 1');
  const two = plan('max_execution_time=2&readonly=1&max_threads=1', 'SELECT 2');
  expect(one.args).toEqual(two.args);
});

test.each([
  ['readonly=1', 'INSERT INTO t VALUES (1)', 164],
  ['readonly=1', 'DROP TABLE t', 164],
  ['readonly=1', 'SELECT 1; DROP TABLE t', 164],
  ['readonly=1', 'SET readonly = 0', 164],
  ['query=DROP TABLE t', '', 164],
  ['readonly=1&max_execution_time=61', 'SELECT 1', 452],
  ['readonly=1&max_execution_time=0', 'SELECT 1', 452],
  ['async_insert=1', 'SELECT 1', 452],
  ['nope=1', 'SELECT 1', 115],
  ['--path=x', 'SELECT 1', 115],
  ['max_threads=1%00', 'SELECT 1', 36],
  ['session_id=a', 'SELECT 1', 48],
  ['compress=1', 'SELECT 1', 48],
  ['', 'KILL QUERY WHERE 1 SYNC', 48],
  ['', 'SELECT {a:Int8}', 456],
  ['param_a-b=1', 'SELECT 1', 408],
  ['default_format=a b', 'SELECT 1', 36],
  ['', ' -- nothing', 62],
])('%j %j is refused with %i', (address, body, code) => {
  const method = address.startsWith('query=') ? 'GET' : 'POST';
  expect(codeOf(address, body, method)).toBe(code);
});

describe('rows of an insert', () => {
  test.each([
    ['query=INSERT INTO t FORMAT TSV', 'a\tb\n', 'a\tb\n'],
    ['query=INSERT INTO t FORMAT TSV\n1\n', '2\n', '1\n2\n'],
    ['', 'INSERT INTO t FORMAT TSV\n1\n2\n', '1\n2\n'],
    ['', 'INSERT INTO t FORMAT JSONEachRow {"a":";"}', '{"a":";"}'],
    ['query=INSERT INTO t', ' FORMAT TSV\n1\n', '1\n'],
  ])('%j %j', (address, body, rows) => {
    expect(plan(address, body).rows?.data.toString()).toBe(rows);
  });

  test('a large body is not decoded, and multi-byte text in the head does not shift the rows', () => {
    const rows = Buffer.alloc(200_000, 'x');
    const head = 'INSERT INTO t /* käse ✓ */ FORMAT TSV\n';
    const planned = plan('', Buffer.concat([Buffer.from(head), rows]));
    expect(planned.rows?.data.equals(rows)).toBe(true);
    expect(planned.sql).toBe(head.trimEnd());
  });

  test('a statement longer than the searched head is still read', () => {
    const planned = plan('', `INSERT INTO t /*${'x'.repeat(70_000)}*/ FORMAT TSV\n1\n`);
    expect(planned.rows?.data.toString()).toBe('1\n');
  });
});

test.each([
  ['readonly=1', 'SELECT 1', 'TabSeparated', true],
  ['readonly=1&default_format=JSON', 'SELECT 1', 'JSON', false],
  ['readonly=1&default_format=JSON', 'SELECT 1 FORMAT JSONEachRow', 'JSONEachRow', true],
  ['readonly=1&wait_end_of_query=1', 'SELECT 1', 'TabSeparated', false],
  ['readonly=1', 'SHOW TABLES', 'TabSeparated', false],
  ['', 'SELECT 1', 'TabSeparated', false],
])('%j %j: format %s, streams %s', (address, body, format, streams) => {
  expect(plan(address, body)).toMatchObject({ format, streams });
});

test('parameters are taken as they are', () => {
  const planned = plan("param_a=['x\\'y']&param_b=%00", 'SELECT {a:Array(String)}, {b:String}');
  expect(Object.fromEntries(planned.parameters)).toEqual({ a: "['x\\'y']", b: '\0' });
});
