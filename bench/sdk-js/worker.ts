import { monitorEventLoopDelay } from 'node:perf_hooks';
import { SUBJECTS, type Subject } from './subjects.ts';

/** One measurement in a process of its own: `worker.ts SUBJECT MEASURE SINK_URL`. Prints one JSON line. */
const [name = '', measure = '', url = ''] = process.argv.slice(2);

const ENQUEUE = 100_000;
const ENQUEUE_SENTRY = 20_000;
const DRAIN = 5_000;
const NS = 1e6;

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function heapBytes(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

function warmUp(subject: Subject): void {
  for (let n = 0; n < 2_000; n += 1) subject.capture(n);
}

/** Cost of 100,000 calls in one loop, and how long the loop is blocked afterwards. */
async function enqueue(subject: Subject): Promise<object> {
  warmUp(subject);
  await subject.flush();
  const count = name === '@sentry/node' ? ENQUEUE_SENTRY : ENQUEUE;
  const cpuBefore = cpuMs();
  const startedMs = performance.now();
  for (let n = 0; n < count; n += 1) subject.capture(n);
  const syncMs = performance.now() - startedMs;
  const cpuSyncMs = cpuMs() - cpuBefore;
  let stallMs = 0;
  let lastMs = performance.now();
  const endMs = lastMs + 3_000;
  while (lastMs < endMs) {
    await turn();
    const nowMs = performance.now();
    stallMs = Math.max(stallMs, nowMs - lastMs);
    lastMs = nowMs;
  }
  return {
    syncUs: (syncMs / count) * 1_000,
    cpuUs: (cpuSyncMs / count) * 1_000,
    stallMs,
  };
}

/** Memory that 5,000 waiting events hold. */
async function retained(subject: Subject): Promise<object> {
  for (let n = 0; n < 500; n += 1) subject.capture(n);
  await turn();
  await turn();
  const before = heapBytes();
  for (let n = 0; n < 4_400; n += 1) subject.capture(n);
  return { bytesPerEvent: (heapBytes() - before) / 4_400 };
}

/** Sending 5,000 events; the heap afterwards. */
async function drain(subject: Subject): Promise<object> {
  for (let round = 0; round < 3; round += 1) {
    warmUp(subject);
    await subject.flush();
  }
  await turn();
  const before = heapBytes();
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const cpuBefore = cpuMs();
  const startedMs = performance.now();
  for (let n = 0; n < DRAIN; n += 1) subject.capture(n);
  const enqueueMs = performance.now() - startedMs;
  await subject.flush();
  const totalMs = performance.now() - startedMs;
  const cpu = cpuMs() - cpuBefore;
  delays.disable();
  await turn();
  return {
    enqueueMs,
    flushMs: totalMs - enqueueMs,
    cpuMs: cpu,
    maxStallMs: delays.max / NS,
    heapGrowthKb: (heapBytes() - before) / 1_024,
  };
}

const MEASURES: Readonly<Record<string, (subject: Subject) => Promise<object>>> = {
  enqueue,
  retained,
  drain,
};

const make = SUBJECTS[name];
const run = MEASURES[measure];
if (make === undefined || run === undefined) throw new Error(`unknown: ${name} ${measure}`);
const result = await run(make(url));
process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0));
