import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Store } from '../../server/src/store/store.ts';
import { query } from '../../server/src/store/query.ts';
import { childrenOf, cpuOf, memoryOf, memoryTogetherMb, runNode, type Child } from './processes.ts';

/** `npx tsx bench/ingest/run.ts [seconds]`: prints a table and writes bench/results/ingest.md. */
const SECONDS = Number(process.argv[2] ?? 10);
const CONNECTIONS = [1, 4, 16, 64];
const EVENTS = 500;
const TSX = ['--import', 'tsx'];
const STORED_AT_RESTART = 1_000_000;

interface LoadResult {
  readonly acknowledged: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly statuses: Record<string, number>;
  readonly cpuSeconds: number;
}

const work = mkdtempSync(join(tmpdir(), 'bench-ingest-'));
let dataDir = join(work, 'data');
let worker = 0;

interface Running {
  readonly child: Child;
  readonly url: string;
  readonly readyMs: number;
  readonly pids: { readonly server: number; readonly engine: number };
}

async function startServer(): Promise<Running> {
  const startedAtMs = performance.now();
  const env = { PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn' };
  const child = runNode(['server/dist/main.js'], env);
  const url = (await child.line('ready ')).slice('ready '.length);
  const readyMs = performance.now() - startedAtMs;
  const engine = childrenOf(child.pid)[0] ?? 0;
  return { child, url, readyMs, pids: { server: child.pid, engine } };
}

async function createBot(url: string): Promise<{ botId: string; apiKey: string }> {
  const token = readFileSync(join(dataDir, 'admin-token'), 'utf8').trim();
  const answer = await fetch(`${url}/v1/bots`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'bench' }),
  });
  return (await answer.json()) as { botId: string; apiKey: string };
}

async function load(url: string, apiKey: string, connections: number): Promise<LoadResult> {
  const job = {
    url,
    apiKey,
    connections,
    seconds: SECONDS,
    warmupSeconds: 2,
    events: EVENTS,
    worker: worker++,
  };
  const child = runNode([...TSX, 'bench/ingest/load.ts', JSON.stringify(job)]);
  return JSON.parse(await child.line('"acknowledged"')) as LoadResult;
}

const countEvents = query<{ botId: string }, { rows: string; ids: string }>(
  'count_events',
  'SELECT count() AS rows, uniqExact(id) AS ids FROM events FINAL WHERE bot_id = {botId:UUID}',
);

async function storedEvents(botId: string): Promise<{ rows: number; ids: number }> {
  const store = new Store({ kind: 'socket', path: join(dataDir, 'store.sock') });
  const [row] = await store.readAsWriter(countEvents, { botId });
  await store.close();
  return { rows: Number(row?.rows), ids: Number(row?.ids) };
}

/** Exactness is part of every row: what was acknowledged is stored, once. */
async function checkStored(botId: string, acknowledged: number): Promise<void> {
  const { rows, ids } = await storedEvents(botId);
  if (rows !== acknowledged || ids !== acknowledged) {
    throw new Error(`${acknowledged} acknowledged, ${rows} rows stored, ${ids} ids`);
  }
}

const whole = (value: number): string => Math.round(value).toLocaleString('en');

async function main(): Promise<void> {
  const lines: string[] = [];
  /** Over 0.5 other work takes part of the two cores, and the figures are too low. */
  const loadBefore = loadavg()[0] ?? 0;
  let server = await startServer();
  const freshReadyMs = server.readyMs;
  let { botId, apiKey } = await createBot(server.url);
  await sleep(3_000);
  const idle = { server: memoryOf(server.pids.server), engine: memoryOf(server.pids.engine) };
  const idleMb = memoryTogetherMb([server.pids.server, server.pids.engine]);
  let acknowledged = 0;
  const rates = new Map<number, LoadResult>();
  for (const connections of CONNECTIONS) {
    if (acknowledged > 0) {
      // A folder of its own for each row: what one leaves to be merged and deleted is not the next one's.
      await checkStored(botId, acknowledged);
      server.child.process.kill('SIGTERM');
      await server.child.ended;
      dataDir = join(work, `data-${connections}`);
      server = await startServer();
      ({ botId, apiKey } = await createBot(server.url));
      acknowledged = 0;
    }
    const before = { server: cpuOf(server.pids.server), engine: cpuOf(server.pids.engine) };
    const result = await load(server.url, apiKey, connections);
    acknowledged += result.acknowledged;
    rates.set(connections, result);
    const cpuServer = cpuOf(server.pids.server) - before.server;
    const cpuEngine = cpuOf(server.pids.engine) - before.engine;
    const us = (seconds: number): string => ((seconds / result.acknowledged) * 1e6).toFixed(2);
    const line = `| ${connections} | ${whole(result.perSecond)} | ${result.p50Ms.toFixed(1)} | ${result.p99Ms.toFixed(1)} | ${result.maxMs.toFixed(1)} | ${us(cpuServer)} | ${us(cpuEngine)} | ${us(result.cpuSeconds)} | ${JSON.stringify(result.statuses)} |`;
    console.log(line);
    lines.push(line);
  }
  const loaded = { server: memoryOf(server.pids.server), engine: memoryOf(server.pids.engine) };
  const stored = await storedEvents(botId);
  const socket = join(dataDir, 'store.sock');
  const bare = JSON.parse(
    await runNode([...TSX, 'bench/ingest/yardsticks.ts', 'bare-engine', socket, botId]).line(
      'perSecond',
    ),
  ) as { perSecond: number };
  const reader = runNode([...TSX, 'bench/ingest/yardsticks.ts', 'read-body']);
  const readUrl = (await reader.line('listening ')).slice('listening '.length);
  const readOnly = await load(readUrl, apiKey, 16);
  reader.process.kill();
  server.child.process.kill('SIGKILL');
  await server.child.ended;
  server = await startServer();
  const killedReadyMs = server.readyMs;
  const after = await storedEvents(botId);
  server.child.process.kill('SIGTERM');
  const exitCode = await server.child.ended;
  const at16 = rates.get(16)?.perSecond ?? 0;
  const text = [
    '# Ingest: acknowledged events a second',
    '',
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Linux, Node ${process.version}, built code, everything on the same cores: load generator, server, engine.`,
    `Batches of ${EVENTS} events, 150 KB, fsync before each acknowledgement, ${SECONDS} s after 2 s of warm-up, each row on a fresh folder. \`npx tsx bench/ingest/run.ts\`.`,
    `Load average of the machine before the run: ${loadBefore.toFixed(2)}${loadBefore > 0.5 ? ' (busy with other work: rates are too low, CPU times too high; run again when it is quiet)' : ''}.`,
    '',
    '| connections | events/s | p50 ms | p99 ms | max ms | server CPU us/event | engine CPU us/event | generator CPU us/event | answers |',
    '|---|---|---|---|---|---|---|---|---|',
    ...lines,
    '',
    '| yardstick or bound | figure |',
    '|---|---|',
    `| bare engine, blocks of 8,000 of the same rows, one writer | ${whole(bare.perSecond)} rows/s |`,
    `| share of the bare engine at 16 connections | ${(at16 / bare.perSecond).toFixed(2)} |`,
    `| read the body and answer, same HTTP layer, 16 connections | ${whole(readOnly.perSecond)} events/s |`,
    `| acknowledged / rows stored / distinct ids (64 connections; the other rows were checked too) | ${whole(acknowledged)} / ${whole(stored.rows)} / ${whole(stored.ids)} |`,
    `| memory of both processes idle, pages that both map counted once | ${idleMb} MB |`,
    `| resident memory idle, each for itself: server, engine | ${idle.server.nowMb}, ${idle.engine.nowMb} MB |`,
    `| resident memory, most under load (64 connections): server + engine | ${loaded.server.peakMb} + ${loaded.engine.peakMb} = ${loaded.server.peakMb + loaded.engine.peakMb} MB |`,
    `| start to ready, fresh folder | ${whole(freshReadyMs)} ms |`,
    `| start to ready after kill -9 with ${whole(after.rows)} events stored (at least ${whole(STORED_AT_RESTART)}) | ${whole(killedReadyMs)} ms |`,
    `| exit code after SIGTERM | ${String(exitCode)} |`,
    '',
  ].join('\n');
  console.log(text);
  writeFileSync(new URL('../results/ingest.md', import.meta.url), text);
  rmSync(work, { recursive: true, force: true });
  if (stored.rows !== acknowledged || stored.ids !== acknowledged) {
    throw new Error('Acknowledged and stored events differ.');
  }
}

await main();
