import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Store } from '../../src/store/store.ts';
import type { BoundValue, Query } from '../../src/store/query.ts';
import { openStage, type Stage } from './read-fixture.ts';

const FOLDER = new URL('../../src/store/queries/', import.meta.url);
const BOT = '0193f0a0-0000-7000-8000-0000000000b0';
const NOW = Date.UTC(2026, 10, 21, 12, 34);

/** A value for every name that a query binds. */
const VALUES: Readonly<Record<string, BoundValue>> = {
  botId: BOT,
  botIds: [BOT],
  ids: ['1', '340282366920938463463374607431768211455'],
  types: ['interaction_slash'],
  shardId: 0,
  primaryId: 0,
  fromMs: NOW - 86_400_000,
  toMs: NOW,
  nowMs: NOW,
  sinceMs: NOW - 86_400_000,
  stepMs: 3_600_000,
  hour: Math.floor(NOW / 3_600_000) * 3_600,
  limit: 10,
  afterMs: NOW - 86_400_001,
  afterId: '340282366920938463463374607431768211455',
};

async function allQueries(): Promise<Query<Record<string, BoundValue>, unknown>[]> {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.ts'));
  const modules = await Promise.all(
    files.map((name) => import(new URL(name, FOLDER).href) as Promise<Record<string, unknown>>),
  );
  return modules.flatMap((exported) =>
    Object.values(exported).filter(
      (value): value is Query<Record<string, BoundValue>, unknown> =>
        typeof value === 'object' && value !== null && 'sql' in value && 'name' in value,
    ),
  );
}

const queries = await allQueries();
let stage: Stage;
let store: Store;

beforeAll(async () => {
  stage = await openStage();
  await stage.serve();
  store = new Store({ kind: 'socket', path: stage.engine.socketPath });
});

afterAll(async () => {
  await store.close();
  await stage.close();
});

const boundNames = (sql: string): string[] => [
  ...new Set([...sql.matchAll(/\{(\w+):/g)].map((match) => match[1] ?? '')),
];

const cases = queries.map((query) => {
  const names = boundNames(query.sql);
  const params = names.map((name) => [name, VALUES[name] ?? `no value for ${name}`] as const);
  return [query.name, query, Object.fromEntries(params)] as const;
});

// Only an aggregate without GROUP BY has a row to give.
test.each(cases)('%s runs on empty tables', async (_name, query, params) => {
  expect((await store.read(query, params)).length).toBeLessThanOrEqual(1);
});

describe('on small data', () => {
  beforeAll(insertRows);

  test.each(cases)('%s runs', async (_name, query, params) => {
    expect(Array.isArray(await store.read(query, params))).toBe(true);
  });
});

test.each(cases)('%s holds no text from outside', (name, query) => {
  expect(query.sql).not.toContain('${');
  expect(name).toMatch(/^[a-z_]+$/);
});

test('names are unique', () => {
  expect(new Set(queries.map((query) => query.name)).size).toBe(queries.length);
});

/** One row or two in every table that the queries read. */
async function insertRows(): Promise<void> {
  const line = (values: unknown[]) => `${JSON.stringify(values)}\n`;
  const at = NOW - 3_600_000;
  const heartbeat = (shard: number, primary: boolean, id: string) =>
    line(
      [
        [BOT, id, at, at, '2027-01-01', shard, 2, 'c', 'ready', 84.5, 10, 1, 120, 3, 4, 60_000],
        [100, 1, 2, 0, 0, 3, 4, 5, BOT, primary, 1_000, 'discord.js', '14', 'node', '20', 0, 0],
      ].flat(),
    );
  await store.insert('heartbeats', heartbeat(0, true, '5') + heartbeat(1, false, '6'));
  const event = [BOT, '7', 'shard_ready', at, at, 1, 0, 2, '{"shardId":0}', '2027-01-01'];
  await store.insert('events', line(event));
  await store.insert(
    'api_routes',
    line([BOT, '8', 0, at, at, 0, BOT, 300_000, 50, 3, 'GET', '/x', 40, '2027-01-01']),
  );
  await store.insert(
    'ingest_health',
    line([BOT, at / 1_000, 'event', 'received', BOT, 3, at, null]),
  );
}
