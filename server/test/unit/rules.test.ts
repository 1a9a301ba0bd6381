import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HEARTBEAT_FIELDS } from '@bot-analytics/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readConfig, SETTINGS, StartError } from '../../src/config.ts';
import { lockDataDir } from '../../src/data-dir/lock.ts';
import { isDeeperThan } from '../../src/ingest/check/body-text.ts';
import { guardData } from '../../src/ingest/check/guards.ts';
import { retryAfterS } from '../../src/ingest/pressure.ts';
import { isUsedUp, quotaRetryAfterS, usageAt } from '../../src/ingest/quota.ts';
import { columnOf } from '../../src/ingest/snapshot-rows.ts';
import { cutToBytes } from '../../src/ingest/check/text-guard.ts';
import { parseIso } from '../../src/ingest/check/time.ts';
import { hashKey, makeKey, parseKey } from '../../src/keys/format.ts';
import { BadKeyCounter } from '../../src/http/sources.ts';
import { createLog, LOG_LEVELS } from '../../src/log.ts';
import { Metrics } from '../../src/metrics.ts';
import { INSERT_COLUMNS, insertStatement } from '../../src/store/inserts.ts';
import { MIGRATIONS } from '../../src/store/schema/migrations.ts';
import { testEnv } from '../harness.ts';

test('the depth scan agrees with the parsed value', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? 1 + Math.max(0, ...Object.values(value).map(depthOf))
      : 0;
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), fc.integer({ min: 0, max: 8 }), (value, max) => {
      const bytes = Buffer.from(JSON.stringify(value, null, 1));
      expect(isDeeperThan(bytes, max)).toBe(depthOf(value) > max);
    }),
  );
});

test('the depth scan survives any bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(typeof isDeeperThan(bytes, 3)).toBe('boolean');
    }),
  );
});

test('guards never throw, and what they leave is bounded and well formed', () => {
  fc.assert(
    fc.property(fc.object({ maxDepth: 4, withNullPrototype: false }), (value) => {
      const text = JSON.stringify(value);
      const data = JSON.parse(text) as Record<string, unknown>;
      guardData('error', data, true);
      const after = JSON.stringify(data);
      expect(after).not.toMatch(/\\u0000|\\ud[89a-f]/i);
      expect(after).not.toMatch(/"(?:__proto__|constructor|content|token)":/);
      expect(guardData('error', data, true)).toBe(0);
    }),
  );
});

test('a cut is the longest start that fits', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.integer({ min: 0, max: 90 }),
      (text, max) => {
        const cut = cutToBytes(text, max);
        expect(text.startsWith(cut)).toBe(true);
        expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(max);
        const next = text.codePointAt(cut.length);
        if (next !== undefined) {
          const longer = cut + String.fromCodePoint(next);
          expect(Buffer.byteLength(longer)).toBeGreaterThan(max);
        }
      },
    ),
  );
});

test('parseIso reads what toISOString writes', () => {
  const date = fc.date({
    min: new Date('1000-01-01'),
    max: new Date('9999-12-31'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(date, (value) => {
      expect(parseIso(value.toISOString())).toBe(value.getTime());
    }),
  );
});

describe('keys', () => {
  const env = testEnv();
  const random = (size: number): Buffer => env.randomBytes(size);

  test.each(['ingest', 'read', 'admin'] as const)('%s keys have their form', (kind) => {
    const key = makeKey(kind, random);
    expect(key.text).toMatch(/^ba[kra]_[0-9A-Za-z]{8}_[0-9A-Za-z]{49}$/);
    expect(parseKey(key.text)).toEqual(key);
    expect(hashKey(key.text)).toHaveLength(32);
  });

  test('any one changed character is noticed', () => {
    const { text } = makeKey('ingest', random);
    for (let i = 0; i < text.length; i++) {
      const other = text[i] === 'x' ? 'y' : 'x';
      expect(parseKey(text.slice(0, i) + other + text.slice(i + 1))).toBeUndefined();
    }
  });
});

describe('quota', () => {
  test.each([
    ['2026-01-31T23:59:50.000Z', 0.5, 10],
    ['2026-01-15T00:00:00.000Z', 0, 3_240],
    ['2026-01-15T00:00:00.000Z', 0.999999, 3_960],
    ['2026-01-31T23:59:59.999Z', 0, 1],
  ])('at %s with %d: %i s', (now, random01, expected) => {
    expect(quotaRetryAfterS(Date.parse(now), random01)).toBe(expected);
  });

  test('a new month starts at 0', () => {
    const january = { monthStartMs: Date.parse('2026-01-01'), used: 7 };
    expect(usageAt(january, Date.parse('2026-01-31T23:59:59Z')).used).toBe(7);
    expect(usageAt(january, Date.parse('2026-02-01')).used).toBe(0);
    expect([isUsedUp(january, 7), isUsedUp(january, 8), isUsedUp(january, null)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

test.each([
  ['store_down', 1, 5],
  ['overloaded', 1, 10],
  ['disk_full', 48, 72],
  ['shutting_down', 2, 2],
] as const)('Retry-After of %s is %i to %i s', (code, fromS, toS) => {
  expect([retryAfterS(code, 0), retryAfterS(code, 1)]).toEqual([fromS, toS]);
});

describe('settings', () => {
  test('every default is good', () => {
    expect(readConfig({})).toMatchObject({ port: 8_080, host: '127.0.0.1', storeUrl: null });
    expect(Object.keys(SETTINGS).toSorted()).toEqual(
      expect.arrayContaining(['DATA_DIR', 'PORT', 'TRUSTED_PROXY']),
    );
  });

  test.each([
    ['PORT', '-1'],
    ['PORT', '8080x'],
    ['HOST', 'a b'],
    ['TRUSTED_PROXY', '10.0.0.0/8,localhost'],
    ['STORE_URL', 'ftp://x'],
    ['MAX_CONNECTIONS', '0'],
  ])('%s=%s is refused in one sentence without the value', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(StartError);
    expect(() => readConfig({ [name]: value })).toThrow(/^[A-Z_]+ is not valid: expected .+\.$/);
  });

  test('the guide and the README list every log level', () => {
    const levels = LOG_LEVELS.map((level) => `\`${level}\``).join(', ');
    for (const page of ['docs/guides/running.md', 'README.md']) {
      const text = readFileSync(new URL(`../../../${page}`, import.meta.url), 'utf8');
      expect(text).toContain(`| \`LOG_LEVEL\` | \`info\` | ${levels} |`);
    }
  });
});

describe('lock', () => {
  test('a held lock refuses, a released or stale one does not', () => {
    const dir = mkdtempSync(join(tmpdir(), 'ba-lock-'));
    const release = lockDataDir(dir);
    expect(() => lockDataDir(dir)).toThrow(/in use by the server with process id/);
    release();
    lockDataDir(dir)();
    // A process of that number runs (this one), but was born at another time.
    writeFileSync(join(dir, 'server.lock'), JSON.stringify({ pid: process.pid, birth: 'other 1' }));
    lockDataDir(dir)();
    writeFileSync(join(dir, 'server.lock'), 'half a fi');
    lockDataDir(dir)();
    rmSync(dir, { recursive: true });
  });
});

test('wrong keys are counted by source and minute', () => {
  const env = testEnv();
  let clock = 0;
  const counter = new BadKeyCounter({ ...env, monotonicMs: () => clock });
  const tries = Array.from({ length: 21 }, () => counter.isTooMany('a'));
  expect([tries.at(-2), tries.at(-1), counter.isTooMany('b')]).toEqual([false, true, false]);
  clock = 60_000;
  expect(counter.isTooMany('a')).toBe(false);
});

test('a log line is one line whatever it holds', () => {
  const lines: string[] = [];
  const log = createLog('info', { nowMs: () => 0 }, (line) => lines.push(line));
  log.info('x\r\ny\u001b[31m', { long: 'z'.repeat(1e6) });
  log.debug('not shown');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^[\x20-\x7e]+\n$/);
  expect(lines[0]?.length).toBeLessThan(4_096);
});

test('metrics are Prometheus text', () => {
  const metrics = new Metrics();
  metrics.declare('x_total', 'counter', 'Things');
  metrics.add('x_total', 2, { status: '2"0' });
  metrics.add('x_total', 1, { status: '2"0' });
  expect(metrics.render()).toBe(
    '# HELP bot_analytics_x_total Things\n# TYPE bot_analytics_x_total counter\nbot_analytics_x_total{status="2\\"0"} 3\n',
  );
});

describe('schema', () => {
  test('a column for every field of a heartbeat', () => {
    const columns: readonly string[] = INSERT_COLUMNS.heartbeats;
    const missing = Object.keys(HEARTBEAT_FIELDS).filter(
      (name) => !columns.includes(columnOf(name)),
    );
    expect(missing).toEqual([]);
  });

  test('step numbers count from 1 without gaps', () => {
    expect(MIGRATIONS.map((step) => step.id)).toEqual(MIGRATIONS.map((_step, i) => i + 1));
  });

  test('on a cluster every table is replicated and distributed; alone neither', () => {
    for (const { statements } of MIGRATIONS) {
      const alone = statements({ cluster: null }).join('\n');
      expect(alone).not.toMatch(/Replicated|ON CLUSTER|Distributed/);
      for (const sql of statements({ cluster: 'main' })) {
        expect(sql).toMatch(/ON CLUSTER 'main'/);
        if (sql.startsWith('CREATE TABLE'))
          expect(sql).toMatch(/ENGINE = (?:Replicated|Distributed)/);
      }
    }
    expect(insertStatement('events', true)).toContain('insert_quorum');
  });
});
