import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { childrenOf, cpuOf, runNode } from '../ingest/processes.ts';

/** `npx tsx bench/status/run.ts`: the status answer of a bot of 2,000 shards; writes bench/results/status.md. */
const SHARDS = 2_000;
const A_BATCH = 500;
const READS = 200;
const WARM_UP = 20;

function heartbeat(shardId: number, nowMs: number): object {
  const time = nowMs.toString(16).padStart(12, '0');
  const data = {
    shardId,
    shardCount: SHARDS,
    clusterId: String(Math.floor(shardId / 16)),
    shardStatus: 'ready',
    wsPingMs: 40 + (shardId % 37),
    guildCount: 900 + (shardId % 200),
    memoryMb: 300 + (shardId % 90),
    cpuPercent: shardId % 60,
    eventLoopDelayP95Ms: 11.5,
    intervalMs: 60_000,
    uptimeMs: 86_400_000,
    library: 'discord.js',
    libraryVersion: '14.0.0',
  };
  const id = `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${shardId.toString(16).padStart(12, '0')}`;
  return { id, type: 'heartbeat', ts: new Date(nowMs).toISOString(), data };
}

async function post(url: string, key: string, body: object): Promise<Record<string, string>> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Record<string, string>;
}

const work = mkdtempSync(join(tmpdir(), 'bench-status-'));
const dataDir = join(work, 'data');
const loadBefore = loadavg()[0] ?? 0;
const child = runNode(['server/dist/main.js'], { PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn' });
const url = (await child.line('ready ')).slice('ready '.length);
const token = readFileSync(join(dataDir, 'admin-token'), 'utf8').trim();
const { botId = '', apiKey = '' } = await post(`${url}/v1/bots`, token, { name: 'bench' });
const sdk = { name: '@vendor/chat.js', version: '0.5.0' };
for (let first = 0; first < SHARDS; first += A_BATCH) {
  const nowMs = Date.now();
  const events = Array.from({ length: A_BATCH }, (_, i) => heartbeat(first + i, nowMs));
  await post(`${url}/v1/events`, apiKey, { sdk, sentAt: new Date(nowMs).toISOString(), events });
}
const times: number[] = [];
let bytes = 0;
let cpuBefore = 0;
const pids = [child.pid, ...childrenOf(child.pid)];
const cpuNow = (): number => pids.reduce((sum, pid) => sum + cpuOf(pid), 0);
for (let i = 0; i < WARM_UP + READS; i++) {
  if (i === WARM_UP) cpuBefore = cpuNow();
  const startedAtMs = performance.now();
  const answer = await fetch(`${url}/v1/bots/${botId}/status`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const text = await answer.text();
  if (i >= WARM_UP) times.push(performance.now() - startedAtMs);
  bytes = text.length;
  const { total } = JSON.parse(text) as { readonly total: number };
  if (total !== SHARDS) throw new Error(`${total} shards: ${text.slice(0, 200)}`);
}
const cpuMs = ((cpuNow() - cpuBefore) * 1_000) / READS;
times.sort((a, b) => a - b);
const at = (share: number): string => (times[Math.floor(READS * share)] ?? 0).toFixed(1);
const text = [
  '# Status answer of 2,000 shards',
  '',
  `${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores ${cpus()[0]?.model.trim()}, Node ${process.version}, built code, load average before ${loadBefore.toFixed(2)}. \`npx tsx bench/status/run.ts\`.`,
  `${READS} reads of \`/v1/bots/:botId/status\` one after the other, the time until the last byte of ${Math.round(bytes / 1_024)} KiB.`,
  '',
  '| figure | measured | to reach |',
  '|---|---|---|',
  `| p50 / p99, ms | ${at(0.5)} / ${at(0.99)} | 30 |`,
  `| CPU of server and engine a read, ms | ${cpuMs.toFixed(1)} | |`,
  '',
].join('\n');
console.log(text);
writeFileSync(new URL('../results/status.md', import.meta.url), text);
child.process.kill('SIGTERM');
await child.ended;
rmSync(work, { recursive: true, force: true });
