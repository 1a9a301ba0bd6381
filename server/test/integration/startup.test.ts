import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { adminToken, isAlive, childrenOf, spawnServer, type ServerChild } from '../children.ts';
import { tempDir, until } from '../harness.ts';

/** Mistakes at start: one clear sentence that says what to do, exit code 1, nothing damaged. */
const dirs: string[] = [];
const servers: Server[] = [];

function dir(): string {
  const path = tempDir();
  dirs.push(path);
  return path;
}

afterAll(() => {
  for (const server of servers) server.close();
  for (const path of dirs) rmSync(path, { recursive: true, force: true });
});

async function failure(child: ServerChild): Promise<string> {
  const { code, err } = await child.ended;
  expect(code).toBe(1);
  const lines = err
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('{'));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^[A-Z].*\.$/);
  return lines[0] ?? '';
}

async function listen(handler?: Parameters<typeof createServer>[1]): Promise<number> {
  const server = createServer(handler ?? (() => undefined));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

test('port in use', async () => {
  const port = await listen();
  const path = dir();
  const text = await failure(spawnServer(path, { PORT: String(port) }));
  expect(text).toContain(
    `Port ${port} on 127.0.0.1 is in use: stop the other program, or set PORT`,
  );
  const second = spawnServer(path);
  await second.ready;
  second.process.kill('SIGTERM');
  expect((await second.ended).code).toBe(0);
});

test('a first start that fails leaves no DATA_DIR behind', async () => {
  const port = await listen((_request, response) => response.end('<h1>Hello</h1>'));
  const path = join(dir(), 'data');
  expect(await failure(spawnServer(path, { PORT: String(port) }))).toContain('is in use');
  expect(existsSync(path)).toBe(false);
  const STORE_URL = `http://127.0.0.1:${port}/db`;
  expect(await failure(spawnServer(path, { STORE_URL }))).toContain('is not ClickHouse');
  expect(existsSync(path)).toBe(false);
});

test('while it starts again it knows of no bots, and says so instead of "there are none"', async () => {
  const path = dir();
  const first = spawnServer(path);
  const url = await first.ready;
  const headers = {
    authorization: `Bearer ${adminToken(path)}`,
    'content-type': 'application/json',
  };
  const body = JSON.stringify({ name: 'kept' });
  const made = await fetch(`${url}/v1/bots`, { method: 'POST', headers, body });
  expect(made.status).toBe(201);
  first.process.kill('SIGKILL');
  await first.ended;

  const second = spawnServer(path, { PORT: new URL(url).port });
  const ready = second.ready.then(() => true);
  const answers: string[] = [];
  for (let isReady = false; !isReady; isReady = await Promise.race([ready, soon()])) {
    const answer = await fetch(`${url}/v1/bots`, { headers }).catch(() => null);
    if (answer !== null) answers.push(`${answer.status} ${await answer.text()}`);
  }
  expect(answers.length).toBeGreaterThan(0);
  const wrong = answers.filter((text) => !text.includes('kept') && !text.startsWith('503'));
  expect(wrong).toEqual([]);
  second.process.kill('SIGTERM');
  await second.ended;

  function soon(): Promise<false> {
    return new Promise((resolve) => setTimeout(() => resolve(false), 5));
  }
});

test('foreign DATA_DIR: untouched', async () => {
  const path = dir();
  writeFileSync(join(path, 'thesis.txt'), 'mine');
  expect(await failure(spawnServer(path))).toContain('holds files that are not of Bot Analytics');
  expect(readdirSync(path)).toEqual(['thesis.txt']);
});

test('DATA_DIR that is a file, or is below one', async () => {
  const path = dir();
  writeFileSync(join(path, 'file'), '');
  const itself = await failure(spawnServer(join(path, 'file')));
  expect(itself).toBe(
    `DATA_DIR ${join(path, 'file')} is a file: set DATA_DIR to an empty or new folder.`,
  );
  expect(await failure(spawnServer(join(path, 'file', 'data')))).toContain(
    `cannot be written, since ${join(path, 'file')} is a file`,
  );
});

// mkdir's `recursive` of Node 20 loops for ever there.
test.skipIf(process.platform !== 'linux')('DATA_DIR below /proc cannot be written', async () => {
  expect(await failure(spawnServer('/proc/bot-analytics/data'))).toContain('cannot be written');
});

test.skipIf(process.getuid?.() === 0)('unwritable DATA_DIR', async () => {
  const path = join(dir(), 'data');
  mkdirSync(path);
  chmodSync(path, 0o500);
  expect(await failure(spawnServer(path))).toContain('cannot be written');
});

test('damaged marker and damaged admin token', async () => {
  const path = dir();
  writeFileSync(join(path, 'bot-analytics.json'), '{"format":99}');
  expect(await failure(spawnServer(path))).toContain('this version cannot read');
  writeFileSync(join(path, 'bot-analytics.json'), '{"format":1}');
  writeFileSync(join(path, 'admin-token'), 'garbled');
  expect(await failure(spawnServer(path))).toContain('delete that file');
});

test.each([
  ['PORT', '99999', 'PORT is not valid: expected a whole number from 0 to 65535.'],
  ['LOG_LEVEL', 'loud', 'LOG_LEVEL is not valid'],
  ['STORE_URL', 'localhost', 'STORE_URL is not valid'],
  ['STORE_CLUSTER', 'c1', 'STORE_CLUSTER needs STORE_URL'],
])('setting %s=%s', async (name, value, expected) => {
  expect(await failure(spawnServer(dir(), { [name]: value }))).toContain(expected);
});

describe('one folder, one server', () => {
  test('a second server is refused, the first goes on; a stale lock does not count', async () => {
    const path = dir();
    const first = spawnServer(path);
    const url = await first.ready;
    expect(statSync(join(path, 'admin-token')).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(join(path, 'server.json'), 'utf8'))).toMatchObject({ url });
    const text = await failure(spawnServer(path));
    expect(text).toContain(`in use by the server with process id ${first.pid}`);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const token = adminToken(path);
    const engines = childrenOf(first.pid);
    first.process.kill('SIGKILL');
    await first.ended;
    await until('no engine is left', () => !engines.some(isAlive));
    const next = spawnServer(path);
    await next.ready;
    expect(adminToken(path)).toBe(token);
    next.process.kill('SIGTERM');
    expect((await next.ended).code).toBe(0);
  });

  test('a long DATA_DIR works', async () => {
    const path = join(dir(), 'x'.repeat(120));
    const server = spawnServer(path);
    expect((await fetch(`${await server.ready}/healthz`)).status).toBe(200);
    server.process.kill('SIGINT');
    expect((await server.ended).code).toBe(0);
  });
});

describe('STORE_URL', () => {
  const secret = 'pa55word';

  test('nobody there', async () => {
    const url = `http://me:${secret}@127.0.0.1:1/db`;
    const text = await failure(spawnServer(dir(), { STORE_URL: url }));
    expect(text).toContain('The store at STORE_URL http://127.0.0.1:1/db does not work');
    expect(text).not.toContain(secret);
  });

  test.each([
    [200, '<html>a page</html>'],
    [200, '{"hello":"world"}'],
    [200, ''],
    [404, '<html>no page</html>'],
  ])('another web server: %i %s', async (status, body) => {
    const port = await listen((_request, response) => {
      response.writeHead(status);
      response.end(body);
    });
    const url = `http://me:${secret}@127.0.0.1:${port}/db`;
    const text = await failure(spawnServer(dir(), { STORE_URL: url }));
    expect(text).toBe(
      `The store at STORE_URL http://127.0.0.1:${port}/db answers, but is not ClickHouse: correct STORE_URL.`,
    );
  });

  test.each([
    ['516', 'me: Authentication failed', 'refuses the user or password'],
    ['81', 'Database db does not exist', 'has no such database'],
  ])('ClickHouse error %s', async (code, message, expected) => {
    const port = await listen((_request, response) => {
      response.writeHead(403, { 'x-clickhouse-exception-code': code });
      response.end(`Code: ${code}. DB::Exception: ${message}. (SOME_NAME) (version 26.1)`);
    });
    const url = `http://me:${secret}@127.0.0.1:${port}/db`;
    expect(await failure(spawnServer(dir(), { STORE_URL: url }))).toContain(expected);
  });
});
