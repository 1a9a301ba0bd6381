import { readFileSync } from 'node:fs';
import { format } from 'oxfmt';
import { expect, expectTypeOf, test } from 'vitest';
import type { EventData as WireData, EventType as WireType } from '@bot-analytics/protocol';
import { eventTypesText } from '../../build/event-types.ts';
import type { EventData, EventType } from '../../src/api/events.ts';

test('the published event types are what the generator writes from protocol/', async () => {
  const file = new URL('../../src/api/events.ts', import.meta.url);
  const { code } = await format('events.ts', eventTypesText(), {
    printWidth: 100,
    singleQuote: true,
  });
  expect(readFileSync(file, 'utf8')).toBe(code);
});

test('and the compiler agrees', () => {
  expectTypeOf<EventType>().toEqualTypeOf<WireType>();
  expectTypeOf<EventData>().toExtend<WireData>();
  expectTypeOf<WireData>().toExtend<EventData>();
});
