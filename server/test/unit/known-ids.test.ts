import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KnownIds } from '../../src/ingest/known-ids.ts';
import { decimalOf, readUuid, timeOf, wordsOfDecimal } from '../../src/ingest/check/ids.ts';

/** A few ids and times, so that repeats and turns of the generations are frequent. */
const step = fc.record({
  bot: fc.integer({ min: 1, max: 2 }),
  time: fc.integer({ min: 0, max: 60 }),
  tail: fc.integer({ min: 0, max: 3 }),
});

function wordsOf({ time, tail }: { readonly time: number; readonly tail: number }): Uint32Array {
  return Uint32Array.from([0, time << 16, 0, tail]);
}

test('memory never calls a stored id new, nor a new id known', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), fc.integer(), (steps, seed) => {
      // 16 slots hold 9 ids, so generations turn every few steps.
      const known = new KnownIds(seed, 16);
      const stored = new Set<string>();
      known.raiseFloor(1, 0);
      known.raiseFloor(2, 0);
      for (const one of steps) {
        const words = wordsOf(one);
        const name = `${one.bot} ${one.time} ${one.tail}`;
        const word = known.look(one.bot, words, 0, timeOf(words, 0));
        if (word === 'new') expect(stored.has(name)).toBe(false);
        if (word === 'known') expect(stored.has(name)).toBe(true);
        if (!stored.has(name)) {
          known.add(one.bot, words, 0, timeOf(words, 0));
          stored.add(name);
        }
      }
    }),
  );
});

test('without a floor memory asks the store; a doubt raises the floor', () => {
  const known = new KnownIds(1, 16);
  const words = wordsOf({ time: 9, tail: 0 });
  expect(known.look(1, words, 0, 9)).toBe('ask-store');
  known.raiseFloor(1, 5);
  expect(known.look(1, words, 0, 9)).toBe('new');
  known.raiseFloor(1, 9);
  known.raiseFloor(1, 3);
  expect(known.look(1, words, 0, 9)).toBe('ask-store');
});

test('ids in recent time stay in memory: two turns later only the old ones ask', () => {
  const known = new KnownIds(7, 1_024);
  known.raiseFloor(1, 0);
  for (let time = 1; time <= 1_500; time++)
    known.add(1, Uint32Array.from([0, time << 16, 0, 1]), 0, time);
  expect(known.look(1, Uint32Array.from([0, 1_600 << 16, 0, 1]), 0, 1_600)).toBe('new');
  expect(known.look(1, Uint32Array.from([0, 1_500 << 16, 0, 1]), 0, 1_500)).toBe('known');
  expect(known.look(1, Uint32Array.from([0, 1 << 16, 0, 1]), 0, 1)).toBe('ask-store');
});

test('a UUID, its words and its decimal digits are the same number', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.boolean(), (uuid, upper) => {
      const words = new Uint32Array(8);
      expect(readUuid(upper ? uuid.toUpperCase() : uuid, words, 4)).toBe(true);
      const decimal = BigInt(`0x${uuid.replaceAll('-', '')}`).toString();
      expect(decimalOf(words, 4)).toBe(decimal);
      expect([...wordsOfDecimal(decimal)]).toEqual([...words.subarray(4)]);
    }),
  );
});

test.each([
  '',
  'x',
  '019bc186-de00-7abc-8def-0123456789a',
  '019bc186-de00-7abc-8def-0123456789ag',
  '{019bc186-de00-7abc-8def-0123456789}',
  '019bc186de00-7abc-8def-01234567-89ab',
  '019bc186-de00-7abc-8def-０123456789a',
])('no UUID: %s', (text) => {
  expect(readUuid(text, new Uint32Array(4), 0)).toBe(false);
});
