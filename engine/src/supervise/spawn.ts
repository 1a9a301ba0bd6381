import { fork } from 'node:child_process';
import { get } from 'node:http';
import { parseChildMessage, STOP, type ChildConfig } from './child-protocol.ts';
import type { Child, ChildEvents, EngineLog } from './supervisor.ts';

/** Lines of the child's stderr kept in the log, characters each; chDB writes why a connect failed. */
const LINE_CHARS_MAX = 500;

/**
 * Each running statement takes one libuv thread, and so does each fetch of a stream: readers, the
 * writer, and three for file and pipe work.
 */
function threadPoolSize(readers: number): number {
  return readers + 4;
}

function childEnv(readers: number): NodeJS.ProcessEnv {
  return {
    ...process.env,
    // Options meant for the parent (inspectors, loaders, heap sizes) are not the child's.
    NODE_OPTIONS: '',
    UV_THREADPOOL_SIZE: `${threadPoolSize(readers)}`,
    TZ: 'UTC',
  };
}

/** Starts `mainPath` as the engine process. */
export function spawnEngine(
  mainPath: string,
  config: ChildConfig,
  events: ChildEvents,
  log: EngineLog,
): Child {
  const child = fork(mainPath, [JSON.stringify(config)], {
    execArgv: [],
    env: childEnv(config.readers),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log.warn({ line: text.trim().slice(0, LINE_CHARS_MAX) }, 'engine stderr');
  });
  child.on('message', (value) => {
    const message = parseChildMessage(value);
    if (message?.type === 'ready') events.onReady();
    if (message?.type === 'refused') events.onRefused(message.sentence);
  });
  let ended = false;
  const end = (why: string): void => {
    if (ended) return;
    ended = true;
    events.onExit(why);
  };
  child.on('error', (error) => end(error.message));
  child.on('exit', (code, signal) => end(signal ?? `exit code ${code}`));
  return {
    pid: child.pid,
    kill: () => void child.kill('SIGKILL'),
    askToStop: () => {
      if (child.connected) child.send(STOP, () => undefined);
    },
  };
}

/** GET /ping over the socket. */
export function pingSocket(socketPath: string, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const request = get({ socketPath, path: '/ping', agent: false, signal }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode === 200));
      response.on('error', () => resolve(false));
    });
    request.on('error', () => resolve(false));
  });
}
