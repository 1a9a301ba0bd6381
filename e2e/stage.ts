import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser } from 'playwright-core';

const root = fileURLToPath(new URL('..', import.meta.url));

const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The real browser. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: '/usr/bin/chromium', args: CHROMIUM_ARGS });
}

/** A folder that goes away with `remove()`. */
export function tempFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'ba-e2e-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Asks until the answer is not undefined, every 50 ms, at most `withinMs`. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined> | T | undefined,
  withinMs = 20_000,
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > deadline) throw new Error(`${what}: not within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export interface BotKeys {
  readonly botId: string;
  readonly apiKey: string;
  readonly readKey: string;
}

export interface StoredEvent {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What a user's script does with a server: makes bots, sends, reads. */
export class Api {
  readonly url: string;
  readonly adminToken: string;

  constructor(url: string, adminToken: string) {
    this.url = url;
    this.adminToken = adminToken;
  }

  async createBot(name: string): Promise<BotKeys> {
    const response = await fetch(`${this.url}/v1/bots`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
    });
    if (response.status !== 201) throw new Error(await response.text());
    return (await response.json()) as BotKeys;
  }

  /** Every stored event, by the export. */
  async events(bot: BotKeys, query = ''): Promise<readonly StoredEvent[]> {
    const from = new Date(Date.now() - 86_400_000).toISOString();
    const response = await fetch(
      `${this.url}/v1/bots/${bot.botId}/events?format=ndjson&from=${from}${query}`,
      { headers: { authorization: `Bearer ${bot.readKey}` } },
    );
    if (response.status !== 200) throw new Error(await response.text());
    const lines = (await response.text()).split('\n').filter((line) => line !== '');
    return lines.map((line) => JSON.parse(line) as StoredEvent);
  }
}

/** The server as `npm start` runs it, in a process of its own. */
export class ServerProcess {
  readonly dataDir: string;
  readonly #script: string;
  #child: ChildProcess | undefined;
  #port = 0;
  #output = '';

  /** @param script `tools/start.mjs` builds what is stale first, which takes time */
  constructor(dataDir: string, script = 'tools/start.mjs') {
    this.dataDir = dataDir;
    this.#script = script;
  }

  /** Starts it and waits for its `ready` line; a second start takes the same port. */
  async start(): Promise<Api> {
    const child = spawn(process.execPath, [this.#script], {
      cwd: root,
      env: { ...process.env, DATA_DIR: this.dataDir, PORT: String(this.#port), LOG_LEVEL: 'warn' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    this.#output = '';
    child.stdout.on('data', (chunk: Buffer) => (this.#output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (this.#output += chunk.toString()));
    const url = await until('the server is ready', () => {
      if (child.exitCode !== null) throw new Error(`The server ended:\n${this.#output}`);
      return /^ready (http:\S+)$/m.exec(this.#output)?.[1];
    });
    this.#port = Number(new URL(url).port);
    return new Api(url, readFileSync(join(this.dataDir, 'admin-token'), 'utf8').trim());
  }

  /** Ends it by a signal. @returns its exit code and the signal that ended it */
  async end(
    signal: 'SIGTERM' | 'SIGKILL',
  ): Promise<{ readonly code: number | null; readonly signal: string | null }> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) {
      return { code: child?.exitCode ?? null, signal: child?.signalCode ?? null };
    }
    const exited = once(child, 'exit');
    child.kill(signal);
    const [code, by] = (await exited) as [number | null, string | null];
    return { code, signal: by };
  }
}

/** The bot of `bot.mjs`, in a process of its own. */
export class BotProcess {
  readonly #child: ChildProcess;
  #errors = '';

  constructor(options: {
    readonly restUrl: string;
    readonly endpoint: string;
    readonly apiKey: string;
    readonly thinkMs: number;
  }) {
    this.#child = spawn(process.execPath, [join(root, 'e2e/bot.mjs')], {
      cwd: root,
      env: {
        ...process.env,
        CHAT_SIM_REST: options.restUrl,
        BOT_ANALYTICS_ENDPOINT: options.endpoint,
        BOT_ANALYTICS_API_KEY: options.apiKey,
        THINK_MS: String(options.thinkMs),
      },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child.stderr?.on('data', (chunk: Buffer) => (this.#errors += chunk.toString()));
  }

  /** Lets it deliver what it has and end. @returns the SDK's `stats()` */
  async finish(): Promise<{
    readonly delivered: number;
    readonly dropped: Record<string, number>;
  }> {
    const answered = once(this.#child, 'message');
    const exited = once(this.#child, 'exit');
    this.#child.send('finish');
    const [stats] = (await Promise.race([
      answered,
      exited.then(() => {
        throw new Error(`The bot ended:\n${this.#errors}`);
      }),
    ])) as [{ delivered: number; dropped: Record<string, number> }];
    await exited;
    return stats;
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }
}
