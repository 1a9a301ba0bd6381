import { spawn, execFileSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/**
 * The bots of the soak: one folder per language under `bots/`. A bot is a small program as a user
 * would write it, on the packed SDK, outside the repository. Its contract:
 *
 * - Environment: `CHAT_SIM_REST`, `CHAT_SIM_GATEWAY`, `SOAK_SHARDS`, and the SDK's own
 *   `BOT_ANALYTICS_ENDPOINT`, `BOT_ANALYTICS_API_KEY`. Any token is let in.
 * - All intents of the gateway counters, and message content. The SDK flushes every
 *   {@link FLUSH_INTERVAL_MS} and snapshots every {@link SNAPSHOT_INTERVAL_MS}.
 * - Every interaction is answered once. The slash command `act` has the text options `what` (an
 *   {@link Act}), `target` (id of a member), `role` (id of a role) and `note` (text to be used as
 *   content, name or nickname): the bot does that one thing through its library and then replies
 *   `done`, or `failed: ...`. `form` shows a modal with the custom id `form` and a text field
 *   `text`; everything else gets an answer of its kind that makes no further calls.
 * - A line `finish` on standard input: shut the SDK down (20 s at most), print one line
 *   `{"delivered":1,"dropped":{"overflow":0},"lost":{"heartbeat":1}}` (from `stats()` and `onDrop`,
 *   by reason and by type), end with exit code 0. It may add `"fired"`: how often handlers of its own
 *   ran, by the kind of event that each must equal, and `"received"`: dispatches by name, counted by
 *   the library itself.
 */
export interface Language {
  /** Puts the packed SDK, its host library and the bot into `folder`, outside the repository. */
  prepare(folder: string): void;
  /** The command that runs the bot in that folder. */
  readonly command: readonly [string, ...string[]];
}

export const FLUSH_INTERVAL_MS = 1_000;
export const SNAPSHOT_INTERVAL_MS = 5_000;

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const BOTS = fileURLToPath(new URL('bots/', import.meta.url));
const PYTHON = join(ROOT, '.venv/bin/python');

const js: Language = {
  prepare: (folder) => {
    const packed = run('npm', [
      'pack',
      '--json',
      '--ignore-scripts',
      '-w',
      '@vendor/chat.js',
      '--pack-destination',
      folder,
    ]);
    const [{ filename } = { filename: '' }] = JSON.parse(packed) as { filename: string }[];
    const installed = join(folder, 'node_modules/@vendor/chat.js');
    mkdirSync(installed, { recursive: true });
    run('tar', ['-xzf', join(folder, filename), '-C', installed, '--strip-components=1']);
    symlinkSync(join(ROOT, 'node_modules/discord.js'), join(folder, 'node_modules/discord.js'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    cpSync(join(BOTS, 'js'), folder, { recursive: true });
  },
  command: [process.execPath, 'bot.mjs'],
};

const py: Language = {
  prepare: (folder) => {
    run(PYTHON, ['-m', 'build', '--wheel', '--no-isolation', '-o', folder, join(ROOT, 'sdk-py')]);
    const [wheel = ''] = readdirSync(folder).filter((name) => name.endsWith('.whl'));
    const installed = join(folder, 'venv');
    run(PYTHON, ['-m', 'venv', installed]);
    const python = join(installed, 'bin/python');
    const flags = ['--no-deps', '--no-index', '--quiet', '--disable-pip-version-check'];
    run(python, ['-m', 'pip', 'install', ...flags, join(folder, wheel)]);
    // discord.py comes from the repository's environment: no test may need the internet.
    const site = 'import sysconfig; print(sysconfig.get_paths()["purelib"])';
    const [own = '', host = ''] = [python, PYTHON].map((one) => run(one, ['-c', site]).trim());
    writeFileSync(join(own, 'host.pth'), `${host}\n`);
    cpSync(join(BOTS, 'py'), folder, { recursive: true });
  },
  command: ['venv/bin/python', 'bot.py'],
};

export const LANGUAGES = { js, py } as const satisfies Record<string, Language>;
export type LanguageName = keyof typeof LANGUAGES;

function run(command: string, args: readonly string[]): string {
  return execFileSync(command, args, {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** What the bot said at its end. */
export interface BotReport {
  readonly delivered: number;
  readonly dropped: Readonly<Record<string, number>>;
  /** Events that its SDK counted as lost, by type. */
  readonly lost: Readonly<Record<string, number>>;
  /** Dispatches by name as the client library counted them, where it does. */
  readonly received?: Readonly<Record<string, number>>;
  /** Runs of the bot's own handlers: by the kind that they must equal, by handler. */
  readonly fired?: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** A bot in a process of its own. */
export class SoakBot {
  readonly #child: ChildProcess;
  readonly #exited: Promise<readonly unknown[]>;
  #last = '';

  constructor(language: Language, folder: string, env: Readonly<Record<string, string>>) {
    const [command, ...args] = language.command;
    this.#child = spawn(resolve(folder, command), args, {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#exited = once(this.#child, 'exit');
    if (this.#child.stdout !== null) {
      createInterface(this.#child.stdout).on('line', (line) => (this.#last = line));
    }
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Lets it deliver what it has and end. */
  async finish(): Promise<BotReport> {
    if (!this.running) throw new Error('the bot ended too soon');
    this.#child.stdin?.end('finish\n');
    const [code] = await this.#exited;
    if (code !== 0) throw new Error(`the bot ended with ${String(code)}`);
    return JSON.parse(this.#last) as BotReport;
  }

  async kill(): Promise<void> {
    if (!this.running) return;
    this.#child.kill('SIGKILL');
    await this.#exited;
  }
}
