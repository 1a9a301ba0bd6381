import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { ClickHouseLogLevel, createClient, type ClickHouseClient } from '@clickhouse/client';
import { startEngine, type Engine, type EngineLog, type EngineState } from '../../src/index.ts';

export const quiet: EngineLog = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

export interface Bench {
  readonly root: string;
  readonly dataDir: string;
  readonly socketPath: string;
  readonly engine: Engine;
  /** Plain client: its statements go to the writer. */
  readonly writer: ClickHouseClient;
  /** Every request carries `readonly=1`. */
  readonly reader: ClickHouseClient;
  close(): Promise<void>;
}

export function temporaryRoot(): string {
  return mkdtempSync(join(tmpdir(), 'engine-'));
}

/** The unmodified client over a Unix socket. */
export function client(socketPath: string, readonly: boolean): ClickHouseClient {
  // Node's agent takes `socketPath`, its types do not say so.
  const options: object = { socketPath, keepAlive: true, maxSockets: 16 };
  return createClient({
    url: 'http://localhost',
    http_agent: new Agent(options),
    max_open_connections: 16,
    log: { level: ClickHouseLogLevel.OFF },
    use_multipart_params_auto: true,
    ...(readonly ? { clickhouse_settings: { readonly: '1' as const } } : {}),
  });
}

export async function openBench(readers = 2): Promise<Bench> {
  const root = temporaryRoot();
  const dataDir = join(root, 'data');
  const socketPath = join(root, 'engine.sock');
  const engine = await startEngine({ dataDir, socketPath, readers, log: quiet });
  const writer = client(socketPath, false);
  const reader = client(socketPath, true);
  return {
    root,
    dataDir,
    socketPath,
    engine,
    writer,
    reader,
    close: async () => {
      await Promise.all([writer.close(), reader.close()]);
      await engine.stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

export async function rowsOf(
  from: ClickHouseClient,
  query: string,
  params: Record<string, unknown> = {},
): Promise<Record<string, unknown>[]> {
  const result = await from.query({ query, query_params: params, format: 'JSONEachRow' });
  return result.json<Record<string, unknown>>();
}

/** Raw rows through `exec`, as the server sends them; resolves when the answer is complete. */
export async function insertRaw(to: ClickHouseClient, query: string, rows: string): Promise<void> {
  const values = Readable.from([Buffer.from(rows)], { objectMode: false });
  const { stream } = await to.exec({ query, values });
  for await (const _chunk of stream);
}

/** `{ code, type }` of the client's typed error; throws when there was none. */
export async function failure(work: Promise<unknown>): Promise<{ code: string; type: string }> {
  const outcome = await work.then(
    () => 'no error',
    (error: unknown) => error,
  );
  const isTyped = outcome instanceof Error && 'code' in outcome && 'type' in outcome;
  if (!isTyped) throw new Error(`not a typed error: ${String(outcome)}`);
  return { code: String(outcome.code), type: String(outcome.type) };
}

export function reached(engine: Engine, wanted: EngineState): Promise<void> {
  return new Promise((resolve) => {
    const off = engine.onState((state) => {
      if (state !== wanted) return;
      off();
      resolve();
    });
  });
}

export function pidOf(engine: Engine): number {
  const pid = engine.pid();
  if (pid === undefined) throw new Error('the engine has no process');
  return pid;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits for a condition, polled each 20 ms; rejects after `withinMs`. */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  withinMs: number,
): Promise<void> {
  const until = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > until) throw new Error(`not within ${withinMs} ms`);
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
}

export interface CurlAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

export async function curl(
  socketPath: string,
  address: string,
  args: readonly string[] = [],
): Promise<CurlAnswer> {
  const { stdout } = await promisify(execFile)(
    'curl',
    [
      '-sS',
      '-i',
      '-H',
      'Expect:',
      '--unix-socket',
      socketPath,
      ...args,
      `http://localhost${address}`,
    ],
    { maxBuffer: 50_000_000 },
  );
  const end = stdout.indexOf('\r\n\r\n');
  const [first = '', ...lines] = stdout.slice(0, end).split('\r\n');
  const headers = new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { status: Number(first.split(' ')[1]), headers, body: stdout.slice(end + 4) };
}
