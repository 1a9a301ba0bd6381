import fc from 'fast-check';
import { expect, test } from 'vitest';
import { identifierLiteral, setParameters, stringLiteral } from '../src/sql/literal.ts';
import { tokens } from '../src/sql/tokens.ts';

test.each([
  ['', "''"],
  ["it's", "'it\\'s'"],
  ["' OR 1=1 --", "'\\' OR 1=1 --'"],
  ['\\', "'\\\\'"],
  ["\\'", "'\\\\\\''"],
  ['\0\n\t', "'\\0\\n\\t'"],
  ['$$', "'$$'"],
  ['{a:String}', "'{a:String}'"],
])('%j', (text, literal) => {
  expect(stringLiteral(text)).toBe(literal);
});

test('whatever the text, it stays one string token', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
      const found = [...tokens(`SELECT ${stringLiteral(text)} AS a`)];
      expect(found.map((token) => token.kind)).toEqual(['word', 'string', 'word', 'word']);
    }),
  );
});

test('an identifier cannot leave its backticks', () => {
  const found = [...tokens(`USE ${identifierLiteral('a`; DROP TABLE t --')}`)];
  expect(found.map((token) => token.kind)).toEqual(['word', 'quoted']);
});

test('parameters become one SET statement', () => {
  expect(setParameters(new Map())).toBeUndefined();
  const values = new Map([
    ['a', "x'y"],
    ['b', "['q']"],
  ]);
  expect(setParameters(values)).toBe("SET param_a = 'x\\'y', param_b = '[\\'q\\']'");
});
