import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { startServer, type RunningServer } from '../../src/start.ts';
import { INSERT_COLUMNS } from '../../src/store/inserts.ts';
import { migrate } from '../../src/store/migrate.ts';
import { createLog } from '../../src/log.ts';
import { batch, event, heartbeat, tempDir, TestServer, testEnv, until, uuid } from '../harness.ts';

/** What the server keeps in the store and finds again: dedupe, keys, presence, schema; bad rows; outages. */
const t = new TestServer();
const dirs: string[] = [];
beforeAll(() => t.start());
afterAll(async () => {
  await t.stop();
  for (const path of dirs) rmSync(path, { recursive: true, force: true });
});

/** Another server process over the same store, as on a cluster. */
async function neighbour(): Promise<RunningServer> {
  const dataDir = tempDir();
  dirs.push(dataDir);
  const config = readConfig({ PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
  const path = t.engine.socketPath;
  return startServer({ config, env: testEnv(), store: { kind: 'socket', path } });
}

async function sendTo(url: string, key: string, events: readonly unknown[]) {
  const response = await fetch(`${url}/v1/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(batch(events)),
  });
  return { status: response.status, body: await response.json() };
}

test('every column that is written exists, and every step of the schema may run twice', async () => {
  const columns = await t.rows(
    "SELECT table, name FROM system.columns WHERE database = currentDatabase() AND default_kind = ''",
  );
  const have = new Set(columns.map((row) => `${row['table']}.${row['name']}`));
  for (const [table, names] of Object.entries(INSERT_COLUMNS)) {
    expect(names.filter((name) => !have.has(`${table}.${name}`))).toEqual([]);
  }
  const { store } = t.server.parts;
  const before = await t.rows('SELECT id FROM migrations FINAL ORDER BY id');
  const log = createLog('silent', t.env, () => undefined);
  await Promise.all([migrate(store, t.env, log), migrate(store, t.env, log)]);
  expect(await t.rows('SELECT id FROM migrations FINAL ORDER BY id')).toEqual(before);
});

describe('a second process over the same store', () => {
  test('exact duplicates whatever process stored the id, whatever its clock said', async () => {
    const { botId, apiKey } = await t.createBot();
    const old = event();
    const ahead = event({ id: uuid(Date.now() + 3_600_000) });
    const farAhead = event({ id: uuid(Date.now() + 400 * 86_400_000) });
    const random = event({ id: randomUUID() });
    const all = [old, ahead, farAhead, random, heartbeat(2)];
    expect((await t.send(apiKey, all)).body.accepted).toBe(5);
    const other = await neighbour();
    const again = await sendTo(other.address, apiKey, [...all, event()]);
    expect(again.body).toMatchObject({ accepted: 1, duplicates: 5 });
    const twice = await sendTo(other.address, apiKey, all);
    expect(twice.body).toMatchObject({ accepted: 0, duplicates: 5 });
    expect(other.parts.presence.shards(botId)).toMatchObject([
      { shardId: 2, heartbeat: { wsPingMs: 41.5, shardCount: 4 } },
    ]);
    expect(await t.storedIds(botId)).toHaveLength(5);
    await other.stop();
  });

  test('a key made here works there; revoked here it ends there within 5 s', async () => {
    const other = await neighbour();
    const { botId, apiKey } = await t.createBot();
    await until('the new key works', async () => {
      const { status } = await sendTo(other.address, apiKey, [event()]);
      return status === 200;
    });
    const [keyId] = /(?<=bak_).{8}/.exec(apiKey) ?? [];
    expect((await t.call('DELETE', `/v1/keys/${keyId}`)).status).toBe(204);
    expect((await t.send(apiKey, [event()])).status).toBe(401);
    // Without events nothing waits for a disk that is busy with the files of other tests.
    await until(
      'the key is refused there',
      async () => (await sendTo(other.address, apiKey, [])).status === 401,
      5_000,
    );
    const { body } = await t.call('GET', `/v1/bots/${botId}/keys`);
    expect(body.keys.find((key: { keyId: string }) => key.keyId === keyId).revokedAt).toBeTruthy();
    await other.stop();
  });
});

describe('keys', () => {
  test('rotation: both keys live until the overlap ends; the last use is shown', async () => {
    const { botId, apiKey } = await t.createBot();
    const { body: made } = await t.call('POST', `/v1/bots/${botId}/keys/rotate`, {
      body: { overlapS: 60 },
    });
    expect(made).toMatchObject({ scope: 'ingest', oldKeysExpireAt: expect.any(String) });
    expect((await t.send(apiKey, [event()])).status).toBe(200);
    expect((await t.send(made.key, [event()])).status).toBe(200);
    t.env.offsetMs = 61_000;
    expect((await t.send(apiKey, [event()])).status).toBe(401);
    expect((await t.send(made.key, [event()])).status).toBe(200);
    t.env.offsetMs = 0;
    const { body } = await t.call('GET', `/v1/bots/${botId}/keys`);
    const shown = body.keys.find((key: { keyId: string }) => key.keyId === made.keyId);
    expect(shown).toMatchObject({
      lastSdk: '@vendor/chat.js@0.5.0',
      lastUsedAt: expect.any(String),
    });
    expect(JSON.stringify(body)).not.toContain(made.key);
    const stored = JSON.stringify(await t.rows('SELECT * FROM api_keys'));
    expect(stored).not.toContain(made.key.slice(-20));
  });

  test('a read key sees its own bot and no other', async () => {
    const mine = await t.createBot();
    const other = await t.createBot();
    const { body } = await t.call('GET', '/v1/bots', { key: mine.readKey });
    expect(body.bots.map((bot: { botId: string }) => bot.botId)).toEqual([mine.botId]);
    const foreign = await t.call('GET', `/v1/bots/${other.botId}`, { key: mine.readKey });
    const missing = await t.call('GET', `/v1/bots/${randomUUID()}`, { key: mine.readKey });
    expect([foreign.status, foreign.body.code]).toEqual([404, 'not_found']);
    expect(foreign.body.detail).toBe(missing.body.detail);
    const patch = { key: mine.readKey, body: { name: 'x' } };
    expect((await t.call('PATCH', `/v1/bots/${mine.botId}`, patch)).status).toBe(403);
  });
});

test('a row that the store refuses costs only itself', async () => {
  const mine = await t.createBot();
  const other = await t.createBot();
  await t.server.parts.store.run(
    'ALTER TABLE events ADD CONSTRAINT poison CHECK channel_id != 666',
  );
  try {
    const good = Array.from({ length: 60 }, () => event());
    const poison = event({ channelId: '666' });
    const [answer, neighbours] = await Promise.all([
      t.send(mine.apiKey, [...good.slice(0, 31), poison, ...good.slice(31)]),
      t.send(other.apiKey, [event(), event()]),
    ]);
    expect(answer.body).toMatchObject({
      accepted: 60,
      rejected: [{ index: 31, code: 'invalid_data', pointer: '/events/31/data' }],
    });
    expect(neighbours.body.accepted).toBe(2);
    expect(await t.storedIds(mine.botId)).toHaveLength(60);
    const alone = await t.send(mine.apiKey, [event({ channelId: '666' })]);
    expect([alone.status, alone.body.code]).toEqual([400, 'all_events_rejected']);
  } finally {
    await t.server.parts.store.run('ALTER TABLE events DROP CONSTRAINT poison');
  }
});

test('ids of many months land in few partitions', async () => {
  const { apiKey } = await t.createBot();
  const years = Array.from({ length: 400 }, (_, i) => event({ id: uuid(i * 30 * 86_400_000) }));
  expect((await t.send(apiKey, years)).body.accepted).toBe(400);
  const [row] = await t.rows(
    "SELECT uniqExact(partition) AS n FROM system.parts WHERE table = 'events' AND active",
  );
  expect(Number(row?.['n'])).toBeLessThanOrEqual(121);
});

test('ingestion health is counted by reason', async () => {
  const { botId, apiKey } = await t.createBot();
  const known = event({ data: { content: 'x' } });
  await t.send(apiKey, [known, known, event({ type: 'nope' })]);
  await t.call('POST', '/v1/events', { key: apiKey, body: '{' });
  await t.server.parts.health.flush();
  await t.server.parts.health.flush();
  const rows = await t.rows(
    `SELECT kind, code, toUInt32(sum(total)) AS n FROM ingest_health FINAL WHERE bot_id = '${botId}' AND kind NOT IN ('skew') GROUP BY kind, code ORDER BY kind, code`,
  );
  expect(rows.map((row) => [row['kind'], row['code'], row['n']])).toEqual(
    expect.arrayContaining([
      ['event', 'accepted', 1],
      ['event', 'duplicate', 1],
      ['event', 'received', 3],
      ['refused', 'invalid_json', 1],
      ['rejected', 'unknown_type', 1],
      ['sdk', '@vendor/chat.js@0.5.0', 1],
      ['warning', 'content_stripped', 2],
    ]),
  );
});

test('the engine hangs: 429 at once for those who come, never 401 or 5xx, and nothing is lost', async () => {
  const { botId, apiKey } = await t.createBot();
  const pid = t.engine.pid() ?? 0;
  process.kill(pid, 'SIGSTOP');
  const first = t.send(apiKey, [event(), heartbeat(1)]);
  try {
    await until(
      'new requests are refused at once',
      async () => {
        const startedAtMs = performance.now();
        const { status, body } = await t.send(apiKey, [event()]);
        expect(status).toBe(429);
        expect(body.code).toBe('store_down');
        return performance.now() - startedAtMs < 500;
      },
      25_000,
    );
    expect((await first).status).toBe(429);
    expect(t.server.parts.presence.shards(botId)).toHaveLength(1);
    expect((await t.call('GET', '/readyz')).status).toBe(503);
  } finally {
    try {
      process.kill(pid, 'SIGCONT');
    } catch {
      // The supervisor may have replaced it meanwhile.
    }
  }
  const after = event();
  await until('events are taken again', async () => (await t.send(apiKey, [after])).status === 200);
  expect(await t.storedIds(botId)).toContain(after['id']);
});
