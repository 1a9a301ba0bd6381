import { connect, type Socket } from 'node:net';
import { makeBatch } from './batches.ts';

/**
 * Load generator, a process of its own: `connections` sockets, each with one request in flight, raw
 * HTTP so that it takes as little of the shared cores as it can. Prints one JSON line.
 */
interface Job {
  readonly url: string;
  readonly apiKey: string;
  readonly connections: number;
  readonly seconds: number;
  readonly warmupSeconds: number;
  readonly events: number;
  readonly worker: number;
}

interface Tally {
  acknowledged: number;
  measured: number;
  latencies: number[];
  statuses: Record<string, number>;
}

const job = JSON.parse(process.argv[2] ?? '{}') as Job;
const { hostname, port, host } = new URL(job.url);
const tally: Tally = { acknowledged: 0, measured: 0, latencies: [], statuses: {} };
const startedAtMs = performance.now();
const measureFromMs = startedAtMs + job.warmupSeconds * 1_000;
const endAtMs = measureFromMs + job.seconds * 1_000;
let counter = 0;

function bodyOf(text: string): { status: string; body: string } | undefined {
  const split = text.indexOf('\r\n\r\n');
  if (split < 0) return undefined;
  const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
  const body = text.slice(split + 4);
  return body.length < length ? undefined : { status: text.slice(9, 12), body };
}

function count(answer: { status: string; body: string }, sentAtMs: number): void {
  const nowMs = performance.now();
  tally.statuses[answer.status] = (tally.statuses[answer.status] ?? 0) + 1;
  if (answer.status !== '200') return;
  const accepted = Number(/"accepted":(\d+)/.exec(answer.body)?.[1] ?? job.events);
  tally.acknowledged += accepted;
  if (sentAtMs < measureFromMs || nowMs > endAtMs) return;
  tally.measured += accepted;
  tally.latencies.push(nowMs - sentAtMs);
}

async function runConnection(): Promise<void> {
  const batch = makeBatch(job.events, Date.now(), job.worker);
  const head = Buffer.from(
    `POST /v1/events HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${job.apiKey}\r\n` +
      `content-type: application/json\r\ncontent-length: ${batch.bytes.length}\r\n\r\n`,
  );
  const socket: Socket = connect(Number(port), hostname).setNoDelay(true);
  await new Promise<void>((resolve, reject) => {
    let sentAtMs = 0;
    let text = '';
    const send = (): void => {
      sentAtMs = performance.now();
      if (sentAtMs >= endAtMs) {
        socket.end();
        resolve();
        return;
      }
      batch.renew(Date.now(), counter++);
      socket.cork();
      socket.write(head);
      socket.write(batch.bytes);
      socket.uncork();
    };
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const answer = bodyOf(text);
      if (answer === undefined) return;
      text = '';
      count(answer, sentAtMs);
      send();
    });
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('close', () => resolve());
  });
}

await Promise.all(Array.from({ length: job.connections }, runConnection));
const sorted = tally.latencies.toSorted((a, b) => a - b);
const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
const cpu = process.cpuUsage();
console.log(
  JSON.stringify({
    acknowledged: tally.acknowledged,
    perSecond: Math.round(tally.measured / job.seconds),
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: at(1),
    statuses: tally.statuses,
    cpuSeconds: (cpu.user + cpu.system) / 1e6,
  }),
);
