import { expect, test } from 'vitest';
import { readerRefusal } from '../src/sql/reader-guard.ts';
import { tokens } from '../src/sql/tokens.ts';

test.each([
  'SELECT * FROM (SELECT 1 SETTINGS readonly = 0)',
  'SELECT * FROM (SELECT 1 settings/**/`readonly` = 0)',
  'SELECT 1 SETTINGS max_threads = 1',
  'SELECT t.1 SETTINGS a = 1',
  'SELECT 1.SETTINGS readonly=0',
  "SELECT file('/etc/passwd')",
  "SELECT 1, FILE  -- x\n ('/etc/passwd')",
  "SELECT `file`('/etc/passwd')",
  'SELECT "anything"(1)',
  "SELECT catboostEvaluate('x', 1)",
  "SELECT aiGenerate('x')",
  "DESCRIBE TABLE url('http://127.0.0.1/')",
  'desc (SELECT 1)',
])('%j is refused', (sql) => {
  expect(readerRefusal([...tokens(sql)])).toBeTypeOf('string');
});

test.each([
  'SELECT name FROM system.settings',
  "SELECT 'SETTINGS readonly = 0', 'file(1)'",
  'SELECT file FROM t WHERE `file` IN (1)',
  'SELECT max(a) FROM t GROUP BY file ORDER BY ai',
  'DESCRIBE TABLE t',
  'SELECT airport(1)',
])('%j is not', (sql) => {
  expect(readerRefusal([...tokens(sql)])).toBeUndefined();
});
