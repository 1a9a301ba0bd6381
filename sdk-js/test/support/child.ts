import { spawn, type ChildProcess } from 'node:child_process';

/** Address of the built package, for import in a child. */
export const DIST = new URL('../../dist/index.js', import.meta.url).href;
const DEADLINE_MS = 20_000;

/** How a child ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  /** From the last mark (start, or `kill`) to the end, ms. */
  readonly tookMs: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A bot process. */
export interface Child {
  readonly process: ChildProcess;
  /** Waits for a line on standard output. */
  line(text: string): Promise<void>;
  /** Sends a signal; the time to the end counts from the first one. */
  kill(signal: 'SIGINT' | 'SIGTERM'): void;
  readonly ended: Promise<Ended>;
}

/** What a child may be given. */
export interface ChildOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly commonJs?: boolean;
  /** Arguments of the script itself. */
  readonly scriptArgs?: readonly string[];
}

/**
 * Runs a script in a new Node process. `Analytics` is imported and `say(text)` prints a line;
 * `ENDPOINT` comes from the environment.
 */
export function runBot(script: string, options: ChildOptions = {}): Child {
  const head =
    options.commonJs === true
      ? `const { Analytics } = require(${JSON.stringify(new URL(DIST).pathname)});`
      : `import { Analytics } from ${JSON.stringify(DIST)};`;
  const code = `${head}
    const say = (text) => process.stdout.write(text + '\\n');
    const endpoint = process.env.ENDPOINT;
    const fill = (analytics, count) => {
      for (let n = 0; n < count; n += 1) analytics.captureError('e' + n);
    };
    ${script}`;
  const type = options.commonJs === true ? 'commonjs' : 'module';
  const args = [...(options.args ?? []), `--input-type=${type}`, '-e', code];
  return follow(spawn(process.execPath, args, { env: { ...process.env, ...options.env } }));
}

/** Runs a file. */
export function runFile(file: string, options: ChildOptions = {}): Child {
  const args = [...(options.args ?? []), file, ...(options.scriptArgs ?? [])];
  return follow(spawn(process.execPath, args, { env: { ...process.env, ...options.env } }));
}

function follow(child: ChildProcess): Child {
  let stdout = '';
  let stderr = '';
  let fromMs = performance.now();
  let marked = false;
  const listeners = new Set<() => void>();
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    for (const listener of listeners) listener();
  });
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<Ended>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`the child did not end; stdout: ${stdout}; stderr: ${stderr}`));
    }, DEADLINE_MS);
    child.on('exit', (code, signal) => {
      const tookMs = performance.now() - fromMs;
      clearTimeout(timer);
      child.on('close', () => resolve({ code, signal, tookMs, stdout, stderr }));
    });
  });
  return {
    process: child,
    ended,
    line: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!stdout.split('\n').includes(text)) return;
          listeners.delete(look);
          resolve();
        };
        listeners.add(look);
        look();
        void ended.then(
          () => reject(new Error(`ended before "${text}": ${stdout} ${stderr}`)),
          reject,
        );
      }),
    kill: (signal) => {
      if (!marked) fromMs = performance.now();
      marked = true;
      child.kill(signal);
    },
  };
}
