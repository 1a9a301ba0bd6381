import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEngine, type Engine } from '@bot-analytics/engine';
import {
  readConfig,
  startServer,
  systemEnv,
  type Env,
  type RunningServer,
} from '../../src/index.ts';

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

export interface Stage {
  readonly engine: Engine;
  readonly folder: string;
  /** Starts a server on the engine of this stage; several may run one after the other. */
  serve(options?: {
    readonly env?: Env;
    readonly variables?: Readonly<Record<string, string>>;
  }): Promise<RunningServer>;
  close(): Promise<void>;
}

/** One engine in a folder of its own. */
export async function openStage(): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'server-read-'));
  const socketPath = join(folder, 'engine.sock');
  const engine = await startEngine({ dataDir: join(folder, 'store'), socketPath, log: quiet });
  const servers: RunningServer[] = [];
  return {
    engine,
    folder,
    async serve({ env = systemEnv, variables = {} } = {}) {
      const server = await startServer({
        config: readConfig({ PORT: '0', DATA_DIR: join(folder, 'data'), ...variables }),
        env,
        store: { kind: 'socket', path: socketPath },
      });
      servers.push(server);
      return server;
    },
    async close() {
      for (const server of servers) await server.stop();
      await engine.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
