import { fork, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { startEngine } from '../../src/index.ts';
import {
  client,
  eventually,
  insertRaw,
  isAlive,
  openBench,
  pidOf,
  quiet,
  reached,
  rowsOf,
  temporaryRoot,
  type Bench,
} from './fixture.ts';

const closers: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function bench(): Promise<Bench> {
  const opened = await openBench();
  closers.push(() => opened.close());
  return opened;
}

function root(): string {
  const path = temporaryRoot();
  closers.push(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test('kill -9 during inserts: back within 3 s, nothing acknowledged is lost or doubled', async () => {
  const { engine, writer, reader } = await bench();
  await writer.command({
    query: 'CREATE TABLE t (a UInt64) ENGINE = ReplacingMergeTree ORDER BY a',
  });
  const acknowledged = new Set<number>();
  let next = 0;
  let stopped = false;
  const load = async (): Promise<void> => {
    while (!stopped) {
      const first = next;
      next += 100;
      const rows = Array.from({ length: 100 }, (_, n) => `[${first + n}]`).join('\n');
      try {
        await insertRaw(writer, 'INSERT INTO t FORMAT JSONCompactEachRow', rows);
        for (let n = first; n < first + 100; n += 1) acknowledged.add(n);
      } catch {
        // Not acknowledged: the rows may be stored or not; wait for the engine.
        await eventually(() => engine.state() === 'up', 3_000);
      }
    }
  };
  const loads = [load(), load()];
  for (let kill = 0; kill < 3; kill += 1) {
    const before = acknowledged.size;
    await eventually(() => acknowledged.size >= before + 1_000, 10_000);
    const up = reached(engine, 'down').then(() => reached(engine, 'up'));
    const killedAt = performance.now();
    process.kill(pidOf(engine), 'SIGKILL');
    await up;
    expect(performance.now() - killedAt).toBeLessThan(3_000);
  }
  stopped = true;
  await Promise.all(loads);
  const rows = await rowsOf(reader, 'SELECT a FROM t FINAL ORDER BY a');
  const stored = new Set(rows.map((row) => Number(row['a'])));
  expect(stored.size).toBe(rows.length);
  expect([...acknowledged].filter((a) => !stored.has(a))).toEqual([]);
});

test('a hung engine is replaced within 3 s', async () => {
  const { engine, reader } = await bench();
  const hung = pidOf(engine);
  const back = reached(engine, 'down').then(() => reached(engine, 'up'));
  const stoppedAt = performance.now();
  process.kill(hung, 'SIGSTOP');
  await back;
  expect(performance.now() - stoppedAt).toBeLessThan(3_000);
  expect(isAlive(hung)).toBe(false);
  expect(await rowsOf(reader, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
});

test('stop leaves neither process nor socket, ends what runs, and may be called twice', async () => {
  const { engine, reader, socketPath } = await bench();
  const pid = pidOf(engine);
  const running = rowsOf(reader, "SELECT sleep(0.5) AS n, repeat('x', 1000000) AS s");
  const arrived = rowsOf(reader, 'SELECT 1 AS n');
  await arrived;
  await Promise.all([engine.stop(), engine.stop()]);
  expect(await running).toEqual([{ n: 0, s: 'x'.repeat(1_000_000) }]);
  expect(engine.state()).toBe('stopped');
  expect(isAlive(pid)).toBe(false);
  expect(existsSync(socketPath)).toBe(false);
});

test('signals to the whole group do not end the engine; the parent decides', async () => {
  const { engine, reader } = await bench();
  const pid = pidOf(engine);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid, signal);
  expect(await rowsOf(reader, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
  expect(engine.pid()).toBe(pid);
});

/** A process of its own that starts an engine and prints its pid. */
function parentProcess(dir: string): ChildProcess {
  const index = fileURLToPath(new URL('../../dist/index.js', import.meta.url));
  const log = '{ info() {}, warn() {}, error() {} }';
  const script = `import { startEngine } from ${JSON.stringify(index)};
    const engine = await startEngine({ dataDir: ${JSON.stringify(join(dir, 'data'))},
      socketPath: ${JSON.stringify(join(dir, 'e.sock'))}, log: ${log} });
    console.log(engine.pid());`;
  return spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

test('kill -9 of the parent leaves no engine, and the directory can be opened at once', async () => {
  const dir = root();
  const parent = parentProcess(dir);
  const pid = await new Promise<number>((resolve) => {
    parent.stdout?.once('data', (text: Buffer) => resolve(Number(text.toString())));
  });
  expect(isAlive(pid)).toBe(true);
  parent.kill('SIGKILL');
  const options = { dataDir: join(dir, 'data'), socketPath: join(dir, 'e.sock'), log: quiet };
  const engine = await startEngine(options);
  closers.push(() => engine.stop());
  await eventually(() => !isAlive(pid), 3_000);
});

test('two engines on one directory: the second says who has it, the first goes on', async () => {
  const { engine, dataDir, root: dir, reader } = await bench();
  const second = startEngine({ dataDir, socketPath: join(dir, 'second.sock'), log: quiet });
  await expect(second).rejects.toThrow(
    new RegExp(`is in use by process ${pidOf(engine)}: stop that server or choose another`),
  );
  expect(await rowsOf(reader, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
});

test('a foreign directory is refused in one sentence', async () => {
  const dir = root();
  mkdirSync(join(dir, 'data'));
  writeFileSync(join(dir, 'data', 'notes.txt'), 'mine');
  const options = { dataDir: join(dir, 'data'), socketPath: join(dir, 'e.sock'), log: quiet };
  await expect(startEngine(options)).rejects.toThrow(/holds files of something else: choose/);
});

test('a damaged directory is refused in one sentence', async () => {
  const dir = root();
  const options = { dataDir: join(dir, 'data'), socketPath: join(dir, 'e.sock'), log: quiet };
  const engine = await startEngine(options);
  await engine.stop();
  rmSync(join(dir, 'data', 'store'), { recursive: true });
  writeFileSync(join(dir, 'data', 'store'), 'not a directory');
  await expect(startEngine(options)).rejects.toThrow(/cannot open .*store: see the lines above/);
});

test('a number of readers that cannot be', async () => {
  const options = { dataDir: '/nowhere', socketPath: '/nowhere/e.sock', log: quiet };
  await expect(startEngine({ ...options, readers: 0 })).rejects.toThrow(
    'Expected `readers` to be a whole number from 1 to 16, got `0`.',
  );
});

test('data and settings are there after a restart', async () => {
  const dir = root();
  const options = { dataDir: join(dir, 'data'), socketPath: join(dir, 'e.sock'), log: quiet };
  const first = await startEngine(options);
  const writer = client(options.socketPath, false);
  await writer.command({ query: 'CREATE TABLE t (a UInt64) ENGINE = MergeTree ORDER BY a' });
  await insertRaw(writer, 'INSERT INTO t FORMAT TSV', '7\n');
  await first.stop();
  const second = await startEngine(options);
  closers.push(() => second.stop());
  expect(await rowsOf(writer, 'SELECT a FROM t')).toEqual([{ a: '7' }]);
  await writer.close();
});

test('a child without its parent ends by itself', async () => {
  const dir = root();
  const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
  const config = { dataDir: join(dir, 'data'), socketPath: join(dir, 'e.sock'), readers: 1 };
  const child = fork(main, [JSON.stringify(config)], { execArgv: [], stdio: 'ignore' });
  await new Promise((resolve) => {
    child.once('message', resolve);
  });
  const ended = new Promise((resolve) => {
    child.once('exit', resolve);
  });
  child.disconnect();
  await ended;
});
