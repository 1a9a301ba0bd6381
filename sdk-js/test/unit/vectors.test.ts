import { describe, expect, test } from 'vitest';
import {
  LIMITS,
  classifyAction,
  commandNameOf,
  gatewayTypesFor,
  normalizeRoute,
} from '@bot-analytics/protocol';
import { loadVectors } from '../../../protocol/vectors/load.ts';
import { classify429 } from '../../src/collect/rate-limits.ts';
import { guardData } from '../../src/event/guards.ts';
import { backoffMs, decide } from '../../src/core/policy.ts';
import { quietPeriodMs } from '../../src/core/retry-after.ts';
import { UuidSource } from '../../src/event/uuid.ts';
import { HandEnv } from '../support/hand-env.ts';
import { sendSized, type Sized } from '../support/sized.ts';

interface Named {
  readonly name: string;
}

/** `test.each` rows: name first, so that it is the title. */
function rows<T extends Named>(cases: readonly T[]): [string, T][] {
  expect(cases.length).toBeGreaterThan(0);
  return cases.map((one) => [one.name, one]);
}

describe('decide.json', () => {
  type Outcome =
    | { kind: 'response'; status: number; location: boolean }
    | { kind: 'network_error' | 'timeout' };
  type In = { outcome: Outcome; attempt: number; eventCount: number };
  test.each(rows(loadVectors<In, unknown>('decide', 'sdk')))('%s', (_, { in: given, out }) => {
    const { outcome, attempt, eventCount } = given;
    const [ended, location] =
      outcome.kind === 'response' ? [outcome.status, outcome.location] : [outcome.kind, false];
    const [todo, why] = decide(ended, location, attempt, eventCount);
    expect({ do: todo, why }).toEqual(out);
  });
});

describe('backoff.json', () => {
  type In = { attempt: number; random01: number };
  test.each(rows(loadVectors<In, { waitMs: number }>('backoff', 'sdk')))(
    '%s',
    (_, { in: given, out }) => {
      expect(backoffMs(given.attempt, given.random01)).toBeCloseTo(out.waitMs, 6);
    },
  );
});

describe('retry-after.json', () => {
  type In = { header: string | null; status: number; nowMs: number; dateHeader: string | null };
  test.each(rows(loadVectors<In, { quietMs: number | null }>('retry-after', 'sdk')))(
    '%s',
    (_, { in: given, out }) => {
      const [todo] = decide(given.status, false, 1, 1);
      const ms = quietPeriodMs(given.header ?? '', given.dateHeader ?? '', given.nowMs);
      expect(todo === 'quiet' ? ms : null).toBe(out.quietMs);
    },
  );
});

describe('splitting.json', () => {
  type Out = { parts: number[][]; dropped: number[] };
  test.each(rows(loadVectors<Sized, Out>('splitting', 'sdk')))(
    '%s',
    async (_, { in: given, out }) => {
      expect(await sendSized(given)).toEqual(out);
    },
  );
});

describe('guards.json', () => {
  type In = { type: string; data: object };
  type Out = { data: unknown; truncated: boolean };
  test.each(rows(loadVectors<In, Out>('guards', 'sdk')))('%s', (_, { in: given, out }) => {
    const guarded = guardData(given.data, given.type === 'error' || given.type === 'command_error');
    // As text: the order of keys counts.
    expect(guarded.json).toBe(JSON.stringify(out.data));
    expect(guarded.changed).toBe(out.truncated);
    expect(Buffer.byteLength(guarded.json)).toBeLessThanOrEqual(LIMITS.dataBytesMax);
  });
});

describe('uuid7.json', () => {
  type In = { unixMs: number; randA: number; randB: string };
  test.each(rows(loadVectors<In, string>('uuid7')))('time of %s', (_, { in: given, out }) => {
    const env = new HandEnv();
    env.wallMs = given.unixMs;
    const ids = new UuidSource(env);
    // The SDK fills the rest with counter and chance; time, version and variant are fixed.
    const id = ids.next();
    expect(id.slice(0, 15)).toBe(out.slice(0, 15));
    expect(id[19]).toMatch(/[89ab]/);
  });
});

describe('classes429.json', () => {
  type In = { status: number; headers: Record<string, string> };
  test.each(rows(loadVectors<In, string>('classes429', 'sdk')))('%s', (_, { in: given, out }) => {
    const headers = new Headers(given.headers);
    const kind = given.status === 429 ? classify429((name) => headers.get(name)) : null;
    expect(kind?.slice('restRateLimited'.length).toLowerCase() ?? null).toBe(out);
  });
});

describe('rules that the SDK takes from protocol/ as they are', () => {
  test.each(rows(loadVectors<{ bits: number }, string[]>('intents', 'sdk')))(
    'intents: %s',
    (_, { in: given, out }) => {
      expect(gatewayTypesFor(given.bits)).toEqual(out);
    },
  );
  test.each(rows(loadVectors<{ customId: string }, string>('custom-ids', 'sdk')))(
    'custom id: %s',
    (_, { in: given, out }) => {
      expect(commandNameOf(given.customId)).toBe(out);
    },
  );
  test.each(rows(loadVectors<{ url: string }, string>('routes', 'sdk')))(
    'route: %s',
    (_, { in: given, out }) => {
      expect(normalizeRoute(given.url)).toBe(out);
    },
  );
  test.each(
    rows(
      loadVectors<{ method: string; url: string; bodyKeys?: string[] }, string | null>(
        'actions',
        'sdk',
      ),
    ),
  )('action: %s', (_, { in: given, out }) => {
    expect(classifyAction(given.method, given.url, given.bodyKeys ?? [])).toBe(out);
  });
});
