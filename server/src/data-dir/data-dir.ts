import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { StartError } from '../config.ts';
import type { Env } from '../env.ts';
import { makeKey, parseKey } from '../keys/format.ts';
import { lockDataDir } from './lock.ts';

const MARKER_FILE = 'bot-analytics.json';
const FORMAT = 1;
const TOKEN_FILE = 'admin-token';
const ADDRESS_FILE = 'server.json';
/** Unix sockets have names of at most 107 bytes; a few are left for the engine's own use. */
const SOCKET_PATH_BYTES_MAX = 100;

/** The server's folder, taken for this process. */
export interface DataDir {
  readonly path: string;
  /** Folder of the embedded store. */
  readonly storeDir: string;
  /** Where the embedded store listens. */
  readonly socketPath: string;
  /** Token of the operator's command line; whoever can read the folder is the operator. */
  readonly adminToken: string;
  /** Writes where the server listens, for the command line. */
  publish(url: string): void;
  release(): void;
}

/** True when no server ever ran on this folder, so that opening it would write its first files. */
export function isNewDataDir(dataDir: string): boolean {
  return !existsSync(join(resolve(dataDir), MARKER_FILE));
}

/**
 * Makes or opens the folder and locks it.
 * @throws StartError, one sentence, with nothing changed, when it cannot be used.
 */
export function openDataDir(dataDir: string, env: Pick<Env, 'randomBytes' | 'nowMs'>): DataDir {
  const path = resolve(dataDir);
  makeDir(path);
  checkOwn(path);
  const release = lockDataDir(path);
  try {
    writeMarker(path, env.nowMs());
    const adminToken = readOrMakeToken(path, env);
    const address = join(path, ADDRESS_FILE);
    return {
      path,
      storeDir: join(path, 'store'),
      socketPath: socketPathFor(path),
      adminToken,
      publish: (url) => {
        writeFileSync(address, `${JSON.stringify({ url, pid: process.pid })}\n`, { mode: 0o600 });
      },
      release,
    };
  } catch (error) {
    release();
    throw error;
  }
}

function makeDir(path: string): void {
  try {
    makeParents(path);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    readdirSync(path);
  } catch {
    const file = fileOnTheWay(path);
    if (file === path) {
      throw new StartError(`DATA_DIR ${path} is a file: set DATA_DIR to an empty or new folder.`);
    }
    if (file !== undefined) {
      throw new StartError(
        `DATA_DIR ${path} cannot be written, since ${file} is a file: set another DATA_DIR.`,
      );
    }
    throw new StartError(
      `DATA_DIR ${path} cannot be written: give this user the right to write there, or set another DATA_DIR.`,
    );
  }
}

/** The path itself, or the nearest thing above it that is there, when that is no folder. */
function fileOnTheWay(path: string): string | undefined {
  try {
    return statSync(path).isDirectory() ? undefined : path;
  } catch {
    const parent = dirname(path);
    return parent === path ? undefined : fileOnTheWay(parent);
  }
}

/** Not mkdir's own `recursive`: on Node 20 it never comes back from a folder below /proc. */
function makeParents(path: string): void {
  if (existsSync(path)) return;
  makeParents(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** A folder with other people's files in it is not ours to write in. */
function checkOwn(path: string): void {
  const marker = join(path, MARKER_FILE);
  if (!existsSync(marker)) {
    // A server that was killed in its first milliseconds leaves at most its lock.
    const others = readdirSync(path).filter((name) => !name.startsWith('server.lock'));
    if (others.length === 0) return;
    throw new StartError(
      `DATA_DIR ${path} holds files that are not of Bot Analytics: set DATA_DIR to an empty or new folder.`,
    );
  }
  let format: unknown;
  try {
    ({ format } = JSON.parse(readFileSync(marker, 'utf8')) as { format?: unknown });
  } catch {
    format = undefined;
  }
  if (format === FORMAT) return;
  throw new StartError(
    `DATA_DIR ${path} has a ${MARKER_FILE} that this version cannot read: start the version that wrote it, or set another DATA_DIR.`,
  );
}

function writeMarker(path: string, nowMs: number): void {
  const marker = join(path, MARKER_FILE);
  if (existsSync(marker)) return;
  const createdAt = new Date(nowMs).toISOString();
  writeFileSync(marker, `${JSON.stringify({ format: FORMAT, createdAt })}\n`);
}

function readOrMakeToken(path: string, env: Pick<Env, 'randomBytes'>): string {
  const file = join(path, TOKEN_FILE);
  if (!existsSync(file)) {
    const token = makeKey('admin', (size) => env.randomBytes(size)).text;
    writeFileSync(file, `${token}\n`, { mode: 0o600 });
    return token;
  }
  const token = readFileSync(file, 'utf8').trim();
  if (parseKey(token)?.kind === 'admin') return token;
  throw new StartError(
    `The admin token in ${file} is damaged: delete that file, and the server makes a new one.`,
  );
}

/** Inside the folder where the name is short enough, else in the system's folder for such things. */
function socketPathFor(path: string): string {
  const inside = join(path, 'store.sock');
  if (Buffer.byteLength(inside) <= SOCKET_PATH_BYTES_MAX) return inside;
  const name = createHash('sha256').update(path).digest('hex').slice(0, 16);
  return join(tmpdir(), `bot-analytics-${name}.sock`);
}
