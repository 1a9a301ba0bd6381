import { expect, test } from 'vitest';
import { exceptionText, fromChdb, httpStatus, raise } from '../src/sql/exception.ts';

test.each([
  [
    'Code: 60. DB::Exception: Unknown table nope. (UNKNOWN_TABLE)',
    { code: 60, codeName: 'UNKNOWN_TABLE', message: 'Unknown table nope.' },
    404,
  ],
  [
    "Code: 164. DB::Exception: Code: 164. DB::Exception: Cannot modify 'x' (really). (READONLY) (version 26.7.2.1). (READONLY)",
    { code: 164, codeName: 'READONLY', message: "Cannot modify 'x' (really)." },
    403,
  ],
  [
    'Code: 25. DB::Exception: Cannot parse: (at row 1)\n: While executing X. (CANNOT_PARSE_ESCAPE_SEQUENCE)\n',
    { code: 25, codeName: 'CANNOT_PARSE_ESCAPE_SEQUENCE' },
    400,
  ],
  ['std::bad_alloc', { code: 1002, codeName: 'UNKNOWN_EXCEPTION', message: 'std::bad_alloc' }, 500],
  ['Code: 241. DB::Exception: Memory. (MEMORY_LIMIT_EXCEEDED)', { code: 241 }, 500],
])('%j', (text, expected, status) => {
  const exception = fromChdb(text);
  expect(exception).toMatchObject(expected);
  expect(httpStatus(exception)).toBe(status);
});

test('the text is what the client reads', () => {
  const text = exceptionText(raise('TOO_MANY_SIMULTANEOUS_QUERIES', 'Too many'), '26.7.2.1');
  expect(text).toBe(
    'Code: 202. DB::Exception: Too many. (TOO_MANY_SIMULTANEOUS_QUERIES) (version 26.7.2.1)\n',
  );
  expect(fromChdb(text)).toMatchObject({ code: 202, message: 'Too many.' });
});

test.each([
  ['READONLY', 403],
  ['TOO_MANY_SIMULTANEOUS_QUERIES', 429],
  ['NOT_IMPLEMENTED', 501],
  ['QUERY_IS_TOO_LARGE', 413],
  ['UNKNOWN_SETTING', 404],
  ['ABORTED', 503],
] as const)('%s: %i', (name, status) => {
  expect(httpStatus(raise(name, 'x'))).toBe(status);
});
