import { rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { systemEnv } from './env.ts';
import { listen } from './http/server.ts';
import { prepareDirectory, StartRefused } from './store/directory.ts';
import { openStore, type SessionClass, type Store } from './store/store.ts';
import {
  isStop,
  parseChildConfig,
  type ChildConfig,
  type ChildMessage,
} from './supervise/child-protocol.ts';

/** Exit codes of this process, for its supervisor's log. sysexits: EX_SOFTWARE, EX_CONFIG. */
const EXIT = { stuck: 70, refused: 78 } as const;

/** The parent kills after its own bound; running statements get this long to end, ms. */
const DRAIN_MS = 4_000;

const CLOSE_POLL_MS = 10;

function send(message: ChildMessage): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined) resolve();
    else process.send(message, undefined, undefined, () => resolve());
  });
}

async function loadSessionClass(): Promise<SessionClass> {
  try {
    return (await import('chdb')).Session;
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new StartRefused(
      `The embedded store cannot be loaded on this machine (${process.platform} ${process.arch}: ${reason}): run \`npm ci\`, or set STORE_URL to a ClickHouse server.`,
    );
  }
}

/** A crash of this process loses nothing that was answered, so the hard way is a safe way. */
function die(): void {
  process.kill(process.pid, 'SIGKILL');
}

/** Answers that are still on their way out are sent before the process ends. */
async function closeServer(server: Server, drained: Promise<void>): Promise<void> {
  let isClosed = false;
  server.close(() => {
    isClosed = true;
  });
  await drained;
  while (!isClosed) {
    server.closeIdleConnections();
    await new Promise<void>((resolve) => {
      systemEnv.after(CLOSE_POLL_MS, resolve);
    });
  }
}

async function stop(server: Server, store: Store, socketPath: string): Promise<void> {
  systemEnv.after(DRAIN_MS, die);
  rmSync(socketPath, { force: true });
  await closeServer(server, store.close());
  process.exit(0);
}

async function start(config: ChildConfig): Promise<void> {
  const sessionClass = await loadSessionClass();
  const directory = prepareDirectory(config.dataDir, config.socketPath);
  const store = await openStore({
    directory,
    sessionClass,
    readers: config.readers,
    env: systemEnv,
    onStuck: () => process.exit(EXIT.stuck),
  });
  const server = await listen({ store, socketPath: config.socketPath, env: systemEnv });
  process.on('message', (message) => {
    if (isStop(message)) void stop(server, store, config.socketPath);
  });
  await send({ type: 'ready' });
}

/** Ctrl-C and service managers signal the whole group; the parent finishes its requests first. */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', die);
process.umask(0o077);

try {
  await start(parseChildConfig(process.argv[2] ?? ''));
} catch (error) {
  const sentence =
    error instanceof StartRefused ? error.message : `The engine failed: ${String(error)}`;
  await send({ type: 'refused', sentence });
  process.exit(EXIT.refused);
}
