import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { DATA_FIELDS, EVENT_TYPES, type EventType, type Field } from '../src/index.ts';

const read = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL(`../generated/${name}`, import.meta.url), 'utf8')) as Record<
    string,
    unknown
  >;
const formats = { uuid: true, 'date-time': true } as const;
const ajv = new Ajv2020({ strict: true, allErrors: false, formats });
const validate = ajv.compile(read('schema.json'));

const UUID = '019bc186-de00-7abc-8def-0123456789ab';
const ISO = '2026-01-15T12:00:00.000Z';
const PLAIN: Readonly<Record<Field['kind'], unknown>> = {
  string: 'x',
  boolean: true,
  integer: 3,
  number: 2.5,
  iso: ISO,
  uuid: UUID,
  code: 50_013,
  strings: ['nick'],
  routes: [{ method: 'GET', route: '/gateway/bot', count: 2 }],
  object: { any: ['thing'] },
};

function data(type: EventType, change: Readonly<Record<string, unknown>> = {}): object {
  const fields: Readonly<Record<string, Field>> = DATA_FIELDS[type];
  const values = Object.entries(fields)
    .filter(([, field]) => field.optional !== true)
    .map(([name, field]) => [name, field.values?.[0] ?? PLAIN[field.kind]]);
  return { ...Object.fromEntries(values), ...change };
}

function batch(...events: readonly object[]): object {
  return { batchId: UUID, sdk: { name: '@vendor/chat.js', version: '0.5.0' }, sentAt: ISO, events };
}

const event = (type: EventType, change: object = {}): object => ({
  id: UUID,
  type,
  ts: ISO,
  guildId: '112233445566778899',
  data: data(type),
  ...change,
});

describe('schema.json', () => {
  test.each(EVENT_TYPES)('accepts %s with every required field', (type) => {
    expect(validate(batch(event(type))), JSON.stringify(validate.errors)).toBe(true);
  });

  test.each(EVENT_TYPES)('%s: accepts null where it stands for unknown, and only there', (type) => {
    for (const [name, field] of Object.entries(DATA_FIELDS[type] as Record<string, Field>)) {
      const withNull = batch(event(type, { data: data(type, { [name]: null }) }));
      expect(validate(withNull), name).toBe(field.nullable === true);
    }
  });

  test.each(EVENT_TYPES)('%s: refuses data without a required field', (type) => {
    for (const [name, field] of Object.entries(DATA_FIELDS[type] as Record<string, Field>)) {
      const short = { ...data(type) } as Record<string, unknown>;
      delete short[name];
      expect(validate(batch(event(type, { data: short }))), name).toBe(field.optional === true);
    }
  });

  test('accepts no events, 500 events, unknown fields, optional ids', () => {
    expect(validate(batch())).toBe(true);
    const many = Array.from({ length: 500 }, () => event('guild_join'));
    expect(validate(batch(...many))).toBe(true);
    expect(validate(batch({ ...event('error'), extra: 1 }))).toBe(true);
    const { guildId: _, ...without } = event('error') as { guildId: string };
    expect(validate(batch(without))).toBe(true);
  });

  test.each([
    ['no batchId', { ...batch(), batchId: undefined }],
    ['no events', { ...batch(), events: undefined }],
    ['501 events', batch(...Array.from({ length: 501 }, () => event('guild_join')))],
    ['an unknown type', batch(event('error', { type: 'interaction_dance' }))],
    ['an id that is no UUID', batch(event('error', { id: 'x' }))],
    ['a date alone', batch(event('error', { ts: '2026-01-15' }))],
    ['a number as snowflake', batch(event('error', { guildId: 112_233_445 }))],
    ['a leading zero', batch(event('error', { guildId: '0112233445566778899' }))],
    ['data that is an array', batch(event('error', { data: [] }))],
    ['data of another type', batch(event('heartbeat', { data: data('guild_join') }))],
    [
      'a kind outside the closed set',
      batch(
        event('interaction_slash', {
          data: data('interaction_slash', { interactionKind: 'wave' }),
        }),
      ),
    ],
    [
      'a negative latency',
      batch(event('interaction_slash', { data: data('interaction_slash', { latencyMs: -1 }) })),
    ],
    [
      'a guild_snapshot without guild',
      batch({ id: UUID, type: 'guild_snapshot', ts: ISO, data: data('guild_snapshot') }),
    ],
    [
      'eleven routes',
      batch(
        event('api_routes_snapshot', {
          data: data('api_routes_snapshot', {
            routes: Array.from({ length: 11 }, () => ({ method: 'GET', route: '/', count: 1 })),
          }),
        }),
      ),
    ],
  ])('refuses %s', (_, body) => {
    expect(validate(JSON.parse(JSON.stringify(body)))).toBe(false);
  });
});

describe('openapi.json', () => {
  const api = read('openapi.json');
  const { schemas } = api['components'] as { schemas: Record<string, object> };

  test('every schema compiles in strict mode', () => {
    const all = new Ajv2020({ strict: true, strictTuples: false, formats });
    // The document around the schemas is no schema, so it is added without being checked as one.
    const document = { $id: 'https://openapi.invalid/', components: { schemas } };
    all.addKeyword('components').addSchema(document, document.$id, false, false);
    for (const name of Object.keys(schemas)) {
      const compiled = all.compile({
        $ref: `https://openapi.invalid/#/components/schemas/${name}`,
      });
      expect(typeof compiled, name).toBe('function');
    }
  });

  test('every reference leads to a schema, every schema is used', () => {
    const text = JSON.stringify(api);
    const used = new Set(
      [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name),
    );
    for (const name of used) expect(Object.keys(schemas)).toContain(name);
    const spare = Object.keys(schemas).filter((name) => !used.has(name));
    // Sent in the status stream, whose events OpenAPI cannot describe.
    expect(spare).toEqual(['StatusDelta']);
  });

  test('path parameters in the address and in the list are the same', () => {
    const paths = api['paths'] as Record<
      string,
      Record<string, { parameters?: { name: string; in: string }[] }>
    >;
    expect(Object.keys(paths).length).toBeGreaterThan(15);
    for (const [path, operations] of Object.entries(paths)) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const { parameters = [] } of Object.values(operations)) {
        const listed = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
        expect(listed, path).toEqual(inPath);
      }
    }
  });
});
