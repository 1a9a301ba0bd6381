import { expect, test } from 'vitest';
import { UuidSource } from '../../src/event/uuid.ts';
import { HandEnv } from '../support/hand-env.ts';

const UUID7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Unix ms that an id carries. */
function timeOf(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}

test('B74: 100,000 ids in a loop increase, are unique and well formed', () => {
  const ids = new UuidSource(new HandEnv());
  const made = Array.from({ length: 100_000 }, () => ids.next());
  expect(new Set(made).size).toBe(100_000);
  expect(made.every((id, at) => at === 0 || id > (made[at - 1] ?? ''))).toBe(true);
  expect(made.every((id) => UUID7.test(id))).toBe(true);
});

test('B75: a clock 5 s back: ids still increase', () => {
  const env = new HandEnv();
  const ids = new UuidSource(env);
  const before = ids.next();
  env.wallMs -= 5_000;
  expect(ids.next() > before).toBe(true);
});

test('B76: a clock 1 h back is believed; ids stay unique', () => {
  const env = new HandEnv();
  const ids = new UuidSource(env);
  const before = Array.from({ length: 1_000 }, () => ids.next());
  env.wallMs -= 3_600_000;
  const after = Array.from({ length: 1_000 }, () => ids.next());
  expect(timeOf(after[0] ?? '')).toBe(env.wallMs);
  expect(new Set([...before, ...after]).size).toBe(2_000);
});

test('a millisecond has 4,096 ids; those after it carry the next one, and the clock catches up', () => {
  const env = new HandEnv();
  const ids = new UuidSource(env);
  const made = Array.from({ length: 4_097 }, () => ids.next());
  expect(timeOf(made[4_095] ?? '')).toBe(env.wallMs);
  expect(timeOf(made[4_096] ?? '')).toBe(env.wallMs + 1);
  env.wallMs += 1;
  made.push(ids.next());
  env.wallMs += 1;
  made.push(ids.next());
  expect(timeOf(made.at(-1) ?? '')).toBe(env.wallMs);
  expect(made).toEqual(made.toSorted());
  expect(new Set(made).size).toBe(made.length);
});

test('two sources at the same time share no id', () => {
  const env = new HandEnv();
  const one = new UuidSource(env);
  const other = new UuidSource(env);
  expect(one.next().slice(0, 18)).toBe(other.next().slice(0, 18));
  expect(one.next()).not.toBe(other.next());
});
