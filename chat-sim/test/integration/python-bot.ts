import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ChatSim } from '../../src/index.ts';

const PYTHON = fileURLToPath(new URL('../../../.venv/bin/python', import.meta.url));
const SCRIPT = fileURLToPath(new URL('../py/bot.py', import.meta.url));

/** discord.py sleeps 5 s before it identifies anew: a wait must be longer. */
const PATIENCE_MS = 15_000;

/** Throws with what to do when discord.py is missing: these tests must not be passed over. */
export function requireDiscordPy(): void {
  const found = existsSync(PYTHON) && spawnSync(PYTHON, ['-c', 'import discord']).status === 0;
  if (found) return;
  throw new Error(
    'discord.py is missing. In the repository folder run: ' +
      'python3 -m venv .venv && .venv/bin/pip install discord.py',
  );
}

/** One line that the script printed. */
export type Line = Readonly<Record<string, unknown>>;

/** A discord.py client in a child process. */
export class PythonBot {
  readonly lines: Line[] = [];
  readonly #child: ChildProcess;
  readonly #arrived = new EventEmitter();
  readonly #exited: Promise<number | null>;
  #errors = '';

  constructor(sim: ChatSim, kind: 'plain' | 'sharded') {
    const child = spawn(PYTHON, ['-u', SCRIPT, sim.restUrl, sim.gatewayUrl, kind], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    this.#exited = new Promise((resolve) => {
      child.once('exit', resolve);
    });
    createInterface({ input: child.stdout }).on('line', (text) => {
      this.lines.push(JSON.parse(text) as Line); // the script prints JSON objects only
      this.#arrived.emit('line');
    });
    child.stderr.on('data', (part: Buffer) => {
      this.#errors += part.toString();
    });
  }

  /** Lines of one event that hold these facts. */
  seen(event: string, facts: Line = {}): Line[] {
    const wanted = Object.entries({ event, ...facts });
    return this.lines.filter((line) =>
      wanted.every(([key, value]) => JSON.stringify(line[key]) === JSON.stringify(value)),
    );
  }

  /** Resolves once `count` such lines were seen; rejects with the script's own errors. */
  async until(event: string, facts: Line = {}, count = 1): Promise<void> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    while (this.seen(event, facts).length < count) {
      try {
        await once(this.#arrived, 'line', { signal });
      } catch (cause) {
        const wanted = JSON.stringify({ event, ...facts });
        const got = this.lines.slice(-5).map((one) => JSON.stringify(one));
        const told = `${got.join('\n')}\n${this.#errors.slice(-2000)}`;
        throw new Error(`No ${wanted} within ${PATIENCE_MS} ms. The script said:\n${told}`, {
          cause,
        });
      }
    }
  }

  /** What the script wrote to stderr. */
  get errors(): string {
    return this.#errors;
  }

  /** SIGTERM; resolves to the exit code. */
  stop(): Promise<number | null> {
    this.#child.kill('SIGTERM');
    return this.#exited;
  }
}
