import { expect, test } from 'vitest';
import { BODIES_BYTES_MAX, BodyBudget, multipartFields } from '../src/http/body.ts';
import { EngineException } from '../src/sql/exception.ts';

test('fields of a multipart body', () => {
  const part = (name: string, value: string): string =>
    `--X\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const body = Buffer.from(`${part('query', 'SELECT 1')}${part('param_a', 'é\r\n--x')}--X--\r\n`);
  const fields = multipartFields(body, 'multipart/form-data; boundary=X');
  expect(Object.fromEntries(fields)).toEqual({ query: 'SELECT 1', param_a: 'é\r\n--x' });
});

test.each(['multipart/form-data', 'multipart/form-data; boundary=X'])('broken: %s', (type) => {
  expect(() => multipartFields(Buffer.from('--X no head --X--'), type)).toThrow(EngineException);
});

test('the budget refuses what would not fit and takes it again later', () => {
  const budget = new BodyBudget();
  expect(budget.take(BODIES_BYTES_MAX)).toBe(true);
  expect(budget.take(1)).toBe(false);
  budget.giveBack(1);
  expect(budget.take(1)).toBe(true);
  expect(budget.held).toBe(BODIES_BYTES_MAX);
});
