import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  classifyAction,
  commandNameOf,
  EVENT_TYPES,
  gatewayTypesFor,
  normalizeRoute,
  REJECT_CODES,
  WARNING_CODES,
} from '../src/index.ts';
import { loadVectors } from '../vectors/load.ts';

const folder = new URL('../vectors/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));

const text = z.string();
const index = z.int().min(0);
const eventType = z.enum(EVENT_TYPES as [string, ...string[]]);
const warnings = z
  .array(z.enum(Object.keys(WARNING_CODES) as [string, ...string[]]))
  .refine((codes) => codes.join() === [...new Set(codes)].toSorted().join(), 'sorted, each once');
const object = z.record(text, z.unknown());
const guarded = z.strictObject({ data: object, truncated: z.boolean(), warnings });
const outcome = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('response'), status: z.int(), location: z.boolean() }),
  z.strictObject({ kind: z.literal('network_error'), code: text.nullable() }),
  z.strictObject({ kind: z.literal('timeout') }),
]);

/** Shape of `in` and `out` of every file, notation resolved. */
const SHAPES: Readonly<Record<string, { in: z.ZodType; out: z.ZodType }>> = {
  'actions.json': {
    in: z.strictObject({ method: text, url: text, bodyKeys: z.array(text) }),
    out: eventType.nullable(),
  },
  'routes.json': { in: z.strictObject({ url: text, secrets: z.array(text) }), out: text },
  'custom-ids.json': { in: z.strictObject({ customId: text }), out: text },
  'intents.json': { in: z.strictObject({ bits: index }), out: z.array(eventType) },
  'classes429.json': {
    in: z.strictObject({ status: z.int(), headers: z.record(text, text) }),
    out: z.enum(['global', 'bucket', 'shared', 'edge']).nullable(),
  },
  'retry-after.json': {
    in: z.strictObject({
      header: text.nullable(),
      status: z.int(),
      nowMs: index,
      dateHeader: text.nullable(),
    }),
    out: z.strictObject({ quietMs: z.int().min(1_000).max(86_400_000).nullable() }),
  },
  'backoff.json': {
    in: z.strictObject({ attempt: z.int().min(1), random01: z.number().min(0).lt(1) }),
    out: z.strictObject({ waitMs: z.number().min(0).lt(30_000) }),
  },
  'decide.json': {
    in: z.strictObject({ outcome, attempt: z.int().min(1), eventCount: z.int().min(1) }),
    out: z.discriminatedUnion('do', [
      z.strictObject({ do: z.literal('deliver'), why: z.literal('accepted') }),
      z.strictObject({
        do: z.literal('drop'),
        why: z.enum([
          'bad_request',
          'wrong_endpoint',
          'unusable_redirect',
          'retries_exhausted',
          'too_large',
        ]),
      }),
      z.strictObject({
        do: z.literal('retry'),
        why: z.enum(['forbidden', 'try_again', 'server_error', 'network_error', 'timeout']),
      }),
      z.strictObject({ do: z.literal('quiet'), why: z.literal('rate_limited') }),
      z.strictObject({ do: z.literal('disable'), why: z.enum(['bad_key', 'redirect']) }),
      z.strictObject({ do: z.literal('split'), why: z.literal('too_large') }),
    ]),
  },
  'splitting.json': {
    in: z.strictObject({
      eventBytes: z.array(index),
      envelopeBytes: index,
      limit: index,
      maxEvents: z.int().min(1),
    }),
    out: z.strictObject({ parts: z.array(z.array(index).min(1)), dropped: z.array(index) }),
  },
  'uuid7.json': {
    in: z.strictObject({
      unixMs: index,
      randA: z.int().min(0).max(4_095),
      randB: text.regex(/^[0-3][0-9a-f]{15}$/),
    }),
    out: z.uuidv7(),
  },
  'guards.json': {
    in: z.strictObject({ type: eventType, data: object }),
    out: z.union([
      guarded,
      guarded.omit({ warnings: true }),
      guarded.omit({ truncated: true }),
      z.strictObject({ reject: z.literal('data_too_large'), warnings }),
    ]),
  },
  'events.json': {
    in: z.strictObject({
      event: z.unknown(),
      receivedAt: text,
      sentAt: text.optional(),
      retentionDays: z.int().min(1),
    }),
    out: z.union([
      z.strictObject({ accepted: object, warnings }),
      z.strictObject({
        reject: z.strictObject({
          code: z.enum(Object.keys(REJECT_CODES) as [string, ...string[]]),
          pointer: text.regex(/^(\/[a-zA-Z]+)?$/),
        }),
        warnings,
      }),
    ]),
  },
};

describe('shape', () => {
  test('every file is described here and in the README', () => {
    expect(files.toSorted()).toEqual(Object.keys(SHAPES).toSorted());
    const readme = readFileSync(new URL('README.md', folder), 'utf8');
    const rows = [...readme.matchAll(/^\| `([a-z0-9-]+\.json)` \|/gm)].map(([, name]) => name);
    expect(new Set(rows)).toEqual(new Set(files));
  });

  test.each(Object.keys(SHAPES))('%s', (file) => {
    const raw = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Record<string, unknown>;
    expect(Object.keys(raw)).toEqual(['rule', 'cases']);
    expect(raw['rule']).toMatch(/Source: \S.*\.$/);
    const cases = loadVectors(file.replace('.json', ''));
    expect(cases.length).toBeGreaterThan(0);
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
    for (const { name, in: input, out, for: runners } of cases) {
      expect(SHAPES[file]?.in.safeParse(input), `${name}: in`).toMatchObject({ success: true });
      expect(SHAPES[file]?.out.safeParse(out), `${name}: out`).toMatchObject({ success: true });
      expect(['sdk', 'server']).toEqual(expect.arrayContaining([...(runners ?? [])]));
    }
  });

  test('a case of guards.json says what its runners look at', () => {
    for (const one of loadVectors<unknown, object>('guards')) {
      const forServer = one.for === undefined || one.for.includes('server');
      const forSdk = one.for === undefined || one.for.includes('sdk');
      expect('warnings' in one.out, one.name).toBe(forServer);
      expect('truncated' in one.out, one.name).toBe(forSdk);
    }
  });

  test('every reject and data warning stands in a case', () => {
    const rejects = loadVectors<unknown, { reject?: { code: string } }>('events');
    const found = new Set(rejects.flatMap(({ out }) => out.reject?.code ?? []));
    expect(found).toEqual(new Set(Object.keys(REJECT_CODES)));
    const warned = loadVectors<unknown, { warnings: string[] }>('events').concat(
      loadVectors('guards', 'server'),
    );
    const envelope = ['invalid_batch_id', 'invalid_sdk', 'invalid_sent_at'];
    expect(new Set(warned.flatMap(({ out }) => out.warnings))).toEqual(
      new Set(Object.keys(WARNING_CODES).filter((code) => !envelope.includes(code))),
    );
  });
});

describe('notation', () => {
  const data = new Map(
    loadVectors<{ data: Record<string, unknown> }, unknown>('guards').map((one) => [
      one.name,
      one.in.data,
    ]),
  );
  test('resolves to what the README says', () => {
    expect(data.get('NaN')).toEqual({ a: Number.NaN, b: 1 });
    expect(data.get('integer over 2^53')).toEqual({ a: 123_456_789_012_345_678_901n });
    expect(data.get('lone high surrogate')).toEqual({ a: 'x\ud83dy' });
    expect(data.get('10 MB string')?.['a']).toHaveLength(10_000_000);
    const self = data.get('circular');
    expect(self?.['self']).toBe(self);
    const list = data.get('circular array')?.['a'] as unknown[];
    expect(list[1]).toBe(list);
    expect(Object.keys(data.get('__proto__') ?? {})).toEqual(['__proto__', 'a']);
    expect(Object.keys(data.get('200,000 keys') ?? {})).toHaveLength(200_000);
    expect(JSON.stringify(data.get('21 levels of arrays')).match(/\[/g)).toHaveLength(20);
    expect(JSON.stringify(data.get('20 levels')).match(/\{/g)).toHaveLength(20);
  });
});

describe('the functions of protocol/src', () => {
  test.each(
    loadVectors<{ method: string; url: string; bodyKeys: string[] }, string | null>('actions'),
  )('action: $name', ({ in: { method, url, bodyKeys }, out }) => {
    expect(classifyAction(method, url, bodyKeys)).toBe(out);
  });

  test.each(loadVectors<{ url: string; secrets: string[] }, string>('routes'))(
    'route: $name',
    ({ in: { url, secrets }, out }) => {
      const route = normalizeRoute(url);
      expect(route).toBe(out);
      for (const secret of secrets) expect(route).not.toContain(secret);
      expect(normalizeRoute(route)).toBe(route);
    },
  );

  test.each(loadVectors<{ customId: string }, string>('custom-ids'))(
    'custom id: $name',
    ({ in: { customId }, out }) => {
      expect(commandNameOf(customId)).toBe(out);
    },
  );

  test.each(loadVectors<{ bits: number }, string[]>('intents'))(
    'intents: $name',
    ({ in: { bits }, out }) => {
      expect(gatewayTypesFor(bits)).toEqual(out);
    },
  );
});
