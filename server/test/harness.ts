import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEngine, type Engine } from '@bot-analytics/engine';
import { readConfig, type Config } from '../src/config.ts';
import { systemEnv, type Env } from '../src/env.ts';
import { startServer, type RunningServer } from '../src/start.ts';
import { query } from '../src/store/query.ts';

export interface BotKeys {
  readonly botId: string;
  readonly apiKey: string;
  readonly readKey: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // eslint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly body: any;
}

type Json = Record<string, unknown>;

/** A clock that adds `offsetMs` to the real one, and free disk space that a test sets. */
export interface TestEnv extends Env {
  offsetMs: number;
  freeBytesNow: number;
}

export function testEnv(): TestEnv {
  const env: TestEnv = {
    ...systemEnv,
    offsetMs: 0,
    freeBytesNow: 2 ** 40,
    nowMs: () => Date.now() + env.offsetMs,
    freeBytes: async () => env.freeBytesNow,
  };
  return env;
}

export function tempDir(): string {
  return mkdtempSync(join(tmpdir(), 'ba-server-'));
}

let counter = 0;

/** A UUIDv7 of a time. */
export function uuid(timeMs = Date.now()): string {
  const hex = timeMs.toString(16).padStart(12, '0');
  const tail = (counter++).toString(16).padStart(8, '0') + randomBytes(2).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${randomBytes(2).toString('hex').slice(1)}-8${randomBytes(2).toString('hex').slice(1)}-${tail}`;
}

export function event(change: Json = {}): Json {
  const data = { commandName: 'ping', interactionKind: 'slash', success: true, latencyMs: 12.5 };
  const ids = { guildId: '123456789012345678', userId: '18446744073709551615' };
  const ts = new Date().toISOString();
  return { id: uuid(), type: 'interaction_slash', ts, ...ids, data, ...change };
}

export function heartbeat(shardId: number, change: Json = {}): Json {
  const data = {
    shardId,
    shardCount: 4,
    clusterId: null,
    wsPingMs: 41.5,
    memoryMb: 120,
    ...change,
  };
  return event({ type: 'heartbeat', data, guildId: undefined, userId: undefined });
}

export function batch(events: readonly unknown[], change: Json = {}): Json {
  const sdk = { name: '@vendor/chat.js', version: '0.5.0' };
  return { batchId: uuid(), sdk, sentAt: new Date().toISOString(), events, ...change };
}

/** A server in this process over a real engine in a child, and calls over real sockets. */
export class TestServer {
  readonly env = testEnv();
  readonly dataDir = tempDir();
  readonly lines: string[] = [];
  engine!: Engine;
  server!: RunningServer;

  async start(change: Partial<Config> = {}): Promise<this> {
    const variables = { PORT: '0', DATA_DIR: this.dataDir, LOG_LEVEL: 'debug' };
    const config = { ...readConfig(variables), ...change };
    const { env } = this;
    this.server = await startServer({
      config,
      env,
      writeLog: (line) => this.lines.push(line),
      embed: async ({ dataDir, socketPath }) => {
        const nothing = (): void => undefined;
        const log = { info: nothing, warn: nothing, error: nothing };
        this.engine = await startEngine({ dataDir, socketPath, log });
        return this.engine;
      },
    });
    return this;
  }

  async stop(): Promise<void> {
    await this.server.stop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  async call(
    method: string,
    path: string,
    options: {
      readonly key?: string;
      readonly body?: unknown;
      readonly headers?: Record<string, string>;
    } = {},
  ): Promise<Answer> {
    const { key = this.server.adminToken, body } = options;
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(this.server.address + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body: raw ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(text) : text,
    };
  }

  /** Sends a batch. */
  send(key: string, events: readonly unknown[], change: Json = {}): Promise<Answer> {
    return this.call('POST', '/v1/events', { key, body: batch(events, change) });
  }

  async createBot(change: Json = {}): Promise<BotKeys> {
    const { body } = await this.call('POST', '/v1/bots', { body: { name: 'Tester' } });
    if (Object.keys(change).length > 0) {
      await this.call('PATCH', `/v1/bots/${body.botId}`, { body: change });
    }
    return body;
  }

  /** Rows of the store, by the test's own SQL. */
  rows(sql: string): Promise<Record<string, string | number | null>[]> {
    return this.server.parts.store.readAsWriter(query('test', sql), {});
  }

  async storedIds(botId: string): Promise<string[]> {
    const rows = await this.rows(
      `SELECT event_id FROM events FINAL WHERE bot_id = '${botId}' ORDER BY id`,
    );
    return rows.map((row) => String(row['event_id']));
  }
}

/** Waits until `check` holds; fails after `deadlineMs`. */
export async function until(
  what: string,
  check: () => boolean | Promise<boolean>,
  deadlineMs = 15_000,
): Promise<void> {
  const endMs = performance.now() + deadlineMs;
  while (!(await check())) {
    if (performance.now() > endMs) throw new Error(`Not within ${deadlineMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
