import { rmSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { adminToken, childrenOf, isAlive, spawnServer, type ServerChild } from '../children.ts';
import { batch, event, heartbeat, tempDir, until } from '../harness.ts';

/**
 * What a crash must not do: lose what was acknowledged, or store anything twice. Real child processes,
 * kill -9 in the middle of ingest; the clients send again with the same ids until they hear 200.
 */
const dirs: string[] = [];
const started: ServerChild[] = [];

function dir(): string {
  const path = tempDir();
  dirs.push(path);
  return path;
}

function start(dataDir: string, variables: Record<string, string> = {}): ServerChild {
  const child = spawnServer(dataDir, variables);
  started.push(child);
  return child;
}

afterAll(async () => {
  for (const child of started) child.process.kill('SIGKILL');
  await Promise.all(started.map((child) => child.ended));
  for (const path of dirs) rmSync(path, { recursive: true, force: true });
});

interface Sender {
  /** Ids whose batch heard 200. */
  readonly acknowledged: Set<string>;
  readonly statuses: Map<number | string, number>;
  accepted: number;
  stop(): Promise<void>;
}

/** Keeps `clients` clients sending batches of 40, each again and again until it is acknowledged. */
function keepSending(target: { url: string }, apiKey: string, clients: number): Sender {
  let running = true;
  const acknowledged = new Set<string>();
  const statuses = new Map<number | string, number>();
  const sender = { acknowledged, statuses, accepted: 0 };
  const note = (status: number | string): void => {
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  };
  const client = async (): Promise<void> => {
    while (running) {
      const events = Array.from({ length: 40 }, () => event());
      for (let done = false; !done;) {
        try {
          const response = await fetch(`${target.url}/v1/events`, {
            method: 'POST',
            headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
            body: JSON.stringify(batch([...events, heartbeat(1)])),
          });
          note(response.status);
          const answer = (await response.json()) as { accepted: number; duplicates: number };
          if (response.status !== 200) throw new Error('not now');
          sender.accepted += answer.accepted;
          for (const { id } of events) acknowledged.add(String(id));
          done = true;
        } catch (error) {
          if (error instanceof TypeError) note('no connection');
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      }
    }
  };
  const all = Array.from({ length: clients }, client);
  return {
    ...sender,
    get accepted() {
      return sender.accepted;
    },
    set accepted(value) {
      sender.accepted = value;
    },
    async stop() {
      running = false;
      await Promise.all(all);
    },
  };
}

async function createBot(url: string, dataDir: string): Promise<{ botId: string; apiKey: string }> {
  const response = await fetch(`${url}/v1/bots`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${adminToken(dataDir)}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name: 'crash' }),
  });
  return (await response.json()) as { botId: string; apiKey: string };
}

async function storedIds(url: string, dataDir: string, botId: string): Promise<string[]> {
  const { Store } = await import('../../src/store/store.ts');
  const { query } = await import('../../src/store/query.ts');
  const store = new Store({ kind: 'socket', path: `${dataDir}/store.sock` });
  const sql = `SELECT event_id AS id FROM events FINAL WHERE bot_id = '${botId}'`;
  const rows = await store.readAsWriter(query<Record<string, never>, { id: string }>('t', sql), {});
  await store.close();
  expect(url).toContain('http');
  return rows.map((row) => row.id);
}

test('kill -9 of the server, four times during ingest', { timeout: 90_000 }, async () => {
  const dataDir = dir();
  let server = start(dataDir);
  const target = { url: await server.ready };
  const { botId, apiKey } = await createBot(target.url, dataDir);
  const sender = keepSending(target, apiKey, 6);
  for (let round = 0; round < 4; round++) {
    const before = sender.acknowledged.size;
    await until('some batches are acknowledged', () => sender.acknowledged.size > before + 400);
    const engines = childrenOf(server.pid);
    server.process.kill('SIGKILL');
    await server.ended;
    await until('no engine is left', () => !engines.some(isAlive));
    server = start(dataDir);
    target.url = await server.ready;
  }
  await sender.stop();
  const stored = await storedIds(target.url, dataDir, botId);
  expect(new Set(stored).size).toBe(stored.length);
  expect([...sender.acknowledged].filter((id) => !stored.includes(id))).toEqual([]);
  // The clients sent every batch until it was acknowledged, so nothing else may be there either.
  expect(stored.length).toBe(sender.acknowledged.size);
  const seen = [...sender.statuses.keys()].filter((status) => status !== 'no connection');
  expect(seen.filter((status) => status !== 200 && status !== 429)).toEqual([]);
});

test(
  'kill -9 of the engine, four times: only 200 and 429, no lost connection',
  { timeout: 90_000 },
  async () => {
    const dataDir = dir();
    const server = start(dataDir);
    const target = { url: await server.ready };
    const { botId, apiKey } = await createBot(target.url, dataDir);
    const sender = keepSending(target, apiKey, 6);
    for (let round = 0; round < 4; round++) {
      const before = sender.acknowledged.size;
      await until('batches are acknowledged again', () => sender.acknowledged.size > before + 400);
      const [engine = 0] = childrenOf(server.pid);
      process.kill(engine, 'SIGKILL');
      await until('the engine is gone', () => !isAlive(engine));
    }
    const before = sender.acknowledged.size;
    await until('the last restart works', () => sender.acknowledged.size > before + 200);
    await sender.stop();
    const stored = await storedIds(target.url, dataDir, botId);
    expect(stored.length).toBe(new Set(stored).size);
    expect(new Set(stored)).toEqual(sender.acknowledged);
    expect(new Set(sender.statuses.keys())).toEqual(new Set([200, 429]));
  },
);

test(
  'SIGTERM under load: 200 or 429, exit 0, no engine left, the next server goes on',
  { timeout: 60_000 },
  async () => {
    const dataDir = dir();
    let server = start(dataDir);
    const target = { url: await server.ready };
    const { botId, apiKey } = await createBot(target.url, dataDir);
    const sender = keepSending(target, apiKey, 6);
    await until('batches are acknowledged', () => sender.acknowledged.size > 400);
    const engines = childrenOf(server.pid);
    const startedAtMs = performance.now();
    server.process.kill('SIGTERM');
    expect((await server.ended).code).toBe(0);
    expect(performance.now() - startedAtMs).toBeLessThan(10_000);
    expect(engines.filter(isAlive)).toEqual([]);
    server = start(dataDir);
    target.url = await server.ready;
    await until('batches are acknowledged again', () => sender.acknowledged.size > 800);
    await sender.stop();
    const stored = await storedIds(target.url, dataDir, botId);
    expect(new Set(stored)).toEqual(sender.acknowledged);
    expect(sender.accepted).toBeGreaterThan(0);
    const seen = [...sender.statuses.keys()].filter((status) => status !== 'no connection');
    expect(seen.filter((status) => status !== 200 && status !== 429)).toEqual([]);
  },
);
