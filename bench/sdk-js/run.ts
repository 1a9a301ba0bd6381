import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, loadavg, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { startChatSim } from '@bot-analytics/chat-sim';
import { compile } from '../../sdk-js/build/compile.mjs';
import { table, type Rows } from './table.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const DIST = fileURLToPath(new URL('../../sdk-js/dist/index.js', import.meta.url));
const NAMES = ['ours', 'floor', 'posthog-node', '@segment/analytics-node', '@sentry/node'];
const REPEATS = 3;
const NODE = ['--expose-gc', '--import', 'tsx', '--conditions=source'];

type Figures = Record<string, number>;

if (!existsSync(join(HERE, 'peers/node_modules'))) {
  execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: join(HERE, 'peers'), stdio: 'inherit' });
}

async function startSink(
  ...args: readonly string[]
): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [...NODE, join(HERE, 'sink.ts'), ...args]);
  const url = await new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
  });
  return { child, url };
}

function runScript(script: string, ...args: readonly string[]): Promise<Figures> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...NODE, join(HERE, script), ...args], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.on('close', () => {
      const line = out.trim().split('\n').at(-1) ?? '';
      try {
        resolve(JSON.parse(line) as Figures);
      } catch {
        reject(new Error(`${script} ${args.join(' ')} printed ${JSON.stringify(out)}`));
      }
    });
  });
}

function medians(runs: readonly Figures[]): Figures {
  const names = Object.keys(runs[0] ?? {});
  const middle = (name: string): number =>
    runs.map((one) => one[name] ?? Number.NaN).toSorted((a, b) => a - b)[runs.length >> 1] ??
    Number.NaN;
  return Object.fromEntries(names.map((name) => [name, middle(name)]));
}

/** Measures one SDK, each repeat in a new process. */
async function measure(name: string, sinkUrl: string, hangUrl: string): Promise<Figures> {
  const enqueue: Figures[] = [];
  const retained: Figures[] = [];
  const drain: Figures[] = [];
  for (let n = 0; n < REPEATS; n += 1) {
    enqueue.push(await runScript('worker.ts', name, 'enqueue', sinkUrl));
    retained.push(await runScript('worker.ts', name, 'retained', hangUrl));
    await fetch(`${sinkUrl}/counts`);
    const one = await runScript('worker.ts', name, 'drain', sinkUrl);
    const counts = (await (await fetch(`${sinkUrl}/counts`)).json()) as Figures;
    drain.push({ ...one, ...counts });
  }
  return { ...medians(enqueue), ...medians(retained), ...medians(drain), ...footprint(name) };
}

/** Bytes of a package with everything that it pulls in, and time to load it. */
function footprint(name: string): Figures {
  if (name === 'floor') return {};
  const peers = createRequire(join(HERE, 'peers/package.json'));
  const entry = name === 'ours' ? DIST : peers.resolve(name);
  const code = `const t = performance.now(); await import(${JSON.stringify(entry)}); console.log(performance.now() - t);`;
  const times = Array.from({ length: REPEATS }, () =>
    Number(
      execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' }),
    ),
  );
  return { importMs: times.toSorted((a, b) => a - b)[REPEATS >> 1] ?? Number.NaN };
}

function installBytes(): number {
  const root = dirname(DIST);
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file === 'index.js' || /^(api\/)?[\w-]+\.d\.ts$/.test(file))
    .map((file) => join(root, file));
  return files.reduce((sum, file) => sum + statSync(file).size, 0);
}

/** Loop delay of a client under 2,000 dispatches a second. */
async function loopDelay(sinkUrl: string): Promise<{ with: Figures; without: Figures }> {
  const PER_TICK = 20;
  const TICK_MS = 10;
  const runs = { with: [] as Figures[], without: [] as Figures[] };
  for (let n = 0; n < 3; n += 1) {
    for (const mode of ['without', 'with'] as const) {
      const sim = await startChatSim({ seed: 5, guilds: 20 });
      let sent = 0;
      const startedMs = performance.now();
      const timer = setInterval(() => {
        const due = ((performance.now() - startedMs) / TICK_MS) * PER_TICK;
        for (; sent < due; sent += 1) sim.events.messageCreate({ content: 'x' });
      }, TICK_MS);
      runs[mode].push(await runScript('client.ts', mode, sim.restUrl, sinkUrl));
      clearInterval(timer);
      await sim.stop();
    }
  }
  return { with: medians(runs.with), without: medians(runs.without) };
}

/** What the parts have measured so far. */
interface Kept {
  readonly loads: readonly number[];
  readonly bySdk: Rows;
}

/**
 * `run.ts` measures everything; `run.ts first` and then `run.ts second` do so in two parts of some
 * minutes each, for a machine that can be had to oneself only so long.
 */
const part = process.argv[2] ?? 'all';
const CACHE = fileURLToPath(new URL('../../.cache/', import.meta.url));
const KEPT = join(CACHE, 'bench-sdk-js.json');
mkdirSync(CACHE, { recursive: true });
const subject = join(CACHE, 'bench-sdk-js-ours.mjs');
writeFileSync(subject, await compile(join(HERE, 'ours.ts')));
process.env['OURS'] = subject;

const sink = await startSink();
const hanging = await startSink('--hang');
const kept: Kept =
  part === 'second' ? (JSON.parse(readFileSync(KEPT, 'utf8')) as Kept) : { loads: [], bySdk: {} };
const loads = [...kept.loads, loadavg()[0] ?? 0];
const bySdk: Rows = { ...kept.bySdk };
const wanted = { first: NAMES.slice(0, 3), second: NAMES.slice(3), all: NAMES }[part] ?? NAMES;
for (const name of wanted) {
  process.stdout.write(`${name}\n`);
  bySdk[name] = await measure(name, sink.url, hanging.url);
}
if (part === 'first') writeFileSync(KEPT, JSON.stringify({ loads, bySdk }));
else await finish();
sink.child.kill();
hanging.child.kill();

/** The figures of the client, and the page. */
async function finish(): Promise<void> {
  const dispatch = await runScript('dispatch.ts');
  const delay = await loopDelay(sink.url);
  writeFileSync(
    new URL('../results/sdk-js.md', import.meta.url),
    table({
      machine: `${cpus().length} cores ${cpus()[0]?.model ?? ''}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}`,
      date: new Date().toISOString().slice(0, 10),
      loads,
      bySdk,
      dispatch,
      delay,
      gzipBytes: gzipSync(readFileSync(DIST), { level: 9 }).length,
      installBytes: installBytes(),
    }),
  );
  process.stdout.write('bench/results/sdk-js.md written\n');
}
