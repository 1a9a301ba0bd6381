import type { AddressInfo } from 'node:net';
import { StartError, type Config } from './config.ts';
import { isNewDataDir, openDataDir, type DataDir } from './data-dir/data-dir.ts';
import { systemEnv, type Env } from './env.ts';
import { buildHttp } from './http/build.ts';
import { checkPort, listenErrorOf } from './listen.ts';
import { createLog, type Log } from './log.ts';
import { createParts, type Parts } from './parts.ts';
import { createReading, type Reading } from './reading.ts';
import { ping, startErrorOf } from './store/connect.ts';
import { migrate } from './store/migrate.ts';
import { Store, type StoreAddress } from './store/store.ts';

/** The embedded store as main.ts starts it. */
export interface EmbeddedStore {
  state(): string;
  onState(listener: (state: string) => void): () => void;
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly config: Config;
  /** Clock, dice and timers; default the real ones. */
  readonly env?: Env;
  /** Takes the log, one JSON line a call; default nowhere. */
  readonly writeLog?: (line: string) => void;
  /** Starts the embedded store. Needed unless `config.storeUrl` or `store` is set. */
  readonly embed?: (options: {
    readonly dataDir: string;
    readonly socketPath: string;
    readonly log: Log;
  }) => Promise<EmbeddedStore>;
  /** A store that runs already; for tests and benchmarks. */
  readonly store?: StoreAddress;
}

export interface RunningServer {
  /** `http://HOST:PORT`. */
  readonly address: string;
  /** Token of the command line, as in DATA_DIR/admin-token. */
  readonly adminToken: string;
  /** The parts, for tests and for the read routes. */
  readonly parts: Parts;
  /** An address that logs a browser in once, within a day. @throws StoreDownError */
  loginLink(): Promise<string>;
  /** Finishes what is in flight and ends everything within 10 s. */
  stop(): Promise<void>;
}

const DRAIN_MS_MAX = 3_000;

/** Everything that has to be ended, in the order in which it was begun. */
type Undo = (() => Promise<void> | void)[];

/**
 * Starts the server and resolves when it can accept events.
 * @throws StartError, one sentence that says what to do; then nothing is left behind.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { config, env = systemEnv, writeLog = () => undefined } = options;
  const log = createLog(config.logLevel, env, writeLog);
  const undo: Undo = [];
  const end = async (): Promise<void> => {
    for (const step of undo.splice(0).toReversed()) await step();
  };
  try {
    if (isNewDataDir(config.dataDir)) await checkBeforeWriting(options);
    const dataDir = openDataDir(config.dataDir, env);
    undo.push(() => dataDir.release());
    const address = options.store ?? storeAddress(config, dataDir);
    const store = new Store(address);
    undo.push(() => store.close());
    const embedded = options.store === undefined && config.storeUrl === null;
    const parts = createParts({ config, env, log, store, dataDir, embedded });
    const reading = createReading(parts);
    const app = await buildHttp(parts, reading);
    const url = await listen(app, config);
    undo.push(() => closeApp(app, env));
    if (embedded) await startEmbedded(options, { dataDir, log, parts, undo });
    await openStore(parts, reading, url);
    undo.push(() => reading.stop());
    undo.push(() => parts.stop());
    await parts.start();
    dataDir.publish(url);
    log.info('ready', { url });
    const loginLink = async (): Promise<string> => (await reading.loginLink()).url;
    return { address: url, adminToken: dataDir.adminToken, parts, loginLink, stop: end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** A first start that cannot succeed leaves no folder behind; later ones find theirs in place. */
async function checkBeforeWriting({ config, store: given }: ServerOptions): Promise<void> {
  const { host, port, storeUrl: url, storeCluster: cluster } = config;
  if (port !== 0) await checkPort(host, port);
  if (url === null || given !== undefined) return;
  const store = new Store({ kind: 'url', url, cluster });
  try {
    await ping(store);
  } catch (error) {
    throw startErrorOf(error, url);
  } finally {
    await store.close();
  }
}

function storeAddress(config: Config, dataDir: DataDir): StoreAddress {
  return config.storeUrl === null
    ? { kind: 'socket', path: dataDir.socketPath }
    : { kind: 'url', url: config.storeUrl, cluster: config.storeCluster };
}

async function listen(
  app: Awaited<ReturnType<typeof buildHttp>>,
  { host, port }: Config,
): Promise<string> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw listenErrorOf(error, { host, port });
  }
  const { port: bound } = app.server.address() as AddressInfo; // It listens on TCP.
  return `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
}

async function startEmbedded(
  options: ServerOptions,
  own: {
    readonly dataDir: DataDir;
    readonly log: Log;
    readonly parts: Parts;
    readonly undo: Undo;
  },
): Promise<void> {
  if (options.embed === undefined) throw new StartError('STORE_URL is empty: set it.');
  const { dataDir, log, parts, undo } = own;
  const { storeDir, socketPath } = dataDir;
  let engine: EmbeddedStore;
  try {
    engine = await options.embed({ dataDir: storeDir, socketPath, log });
  } catch (error) {
    throw new StartError(error instanceof Error ? error.message : String(error));
  }
  undo.push(() => engine.stop());
  const cancel = engine.onState((state) => parts.pressure.engineChanged(state === 'up'));
  undo.push(cancel);
}

async function openStore(parts: Parts, reading: Reading, url: string): Promise<void> {
  const { store, env, log, config } = parts;
  try {
    await ping(store);
    await migrate(store, env, log);
  } catch (error) {
    throw config.storeUrl === null ? error : startErrorOf(error, config.storeUrl);
  }
  await parts.registry.start();
  await reading.start(url);
}

async function closeApp(app: Awaited<ReturnType<typeof buildHttp>>, env: Env): Promise<void> {
  const cancel = env.after(DRAIN_MS_MAX, () => app.server.closeAllConnections());
  await app.close();
  cancel();
}
