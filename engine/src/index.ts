import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemEnv, type Env } from './env.ts';
import { pingSocket, spawnEngine } from './supervise/spawn.ts';
import { Supervisor, type EngineLog, type EngineState } from './supervise/supervisor.ts';

export type { Env } from './env.ts';
export type { EngineLog, EngineState } from './supervise/supervisor.ts';

export interface EngineOptions {
  /** The engine's own directory; empty, absent or made by the engine. */
  readonly dataDir: string;
  /** Unix socket to listen on, at most 103 bytes. Only this user can connect. */
  readonly socketPath: string;
  /** Reads that run at once, 1 to 16. Default 2. */
  readonly readers?: number;
  readonly log: EngineLog;
  readonly env?: Env;
}

export interface Engine {
  readonly socketPath: string;
  /** `down`: the process ended or hangs and is being restarted; it is back within 3 s. */
  state(): EngineState;
  /** Calls `listener` at every change; returns the way to end that. */
  onState(listener: (state: EngineState) => void): () => void;
  /** Process id of the engine; undefined while there is none. */
  pid(): number | undefined;
  /** Ends what runs, at most 5 s, then by force; resolves when no process is left. */
  stop(): Promise<void>;
}

const READERS = { initial: 2, min: 1, max: 16 } as const;

/** The built child, whether this module runs from `dist/` or, under a test runner, from `src/`. */
function mainPath(): string {
  const path = fileURLToPath(new URL('../dist/main.js', import.meta.url));
  if (existsSync(path)) return path;
  throw new Error('The engine is not built: run `npm run build`.');
}

/**
 * Starts the embedded store in a child process and resolves when it answers. Rejects with one sentence
 * that says what to do when it cannot start: the directory is not writable, foreign or in use, or the
 * library does not load.
 */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { log, env = systemEnv, readers = READERS.initial } = options;
  if (!Number.isInteger(readers) || readers < READERS.min || readers > READERS.max) {
    throw new Error(
      `Expected \`readers\` to be a whole number from ${READERS.min} to ${READERS.max}, got \`${readers}\`.`,
    );
  }
  const socketPath = resolve(options.socketPath);
  const config = { dataDir: resolve(options.dataDir), socketPath, readers };
  const path = mainPath();
  const supervisor = new Supervisor({
    env,
    log,
    spawn: (events) => spawnEngine(path, config, events, log),
    ping: (timeoutMs) => pingSocket(socketPath, timeoutMs),
  });
  await supervisor.start();
  return {
    socketPath,
    state: () => supervisor.state(),
    onState: (listener) => supervisor.onState(listener),
    pid: () => supervisor.pid(),
    stop: () => supervisor.stop(),
  };
}
