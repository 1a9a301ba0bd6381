import {
  accessSync,
  constants,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { configXml } from './config.ts';

/** Names the directory as ours; the number changes when an older program could not read it. */
const MARKER = 'engine.json';
const FORMAT = 1;

/** A start that cannot succeed until somebody acts; the message says what to do. */
export class StartRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StartRefused';
  }
}

/** Longest Unix socket path: `sun_path` holds 108 bytes on Linux and 104 on macOS, one is the end. */
const SOCKET_PATH_BYTES = 103;

export interface Directory {
  /** chDB's own directory. */
  readonly storePath: string;
  readonly configPath: string;
}

function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

function makeWritable(path: string, what: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartRefused(
      `The ${what} ${path} cannot be written (${reasonOf(error)}): give this user write access to it or choose another directory.`,
    );
  }
}

function readMarker(path: string): number | undefined {
  let text: string;
  try {
    text = readFileSync(join(path, MARKER), 'utf8');
  } catch {
    return undefined;
  }
  try {
    const value: unknown = JSON.parse(text);
    const format = typeof value === 'object' && value !== null && 'format' in value && value.format;
    return typeof format === 'number' ? format : 0;
  } catch {
    return 0;
  }
}

/** Creates or recognises the data directory. Throws {@link StartRefused}. */
export function prepareDirectory(dataDir: string, socketPath: string): Directory {
  if (Buffer.byteLength(socketPath) > SOCKET_PATH_BYTES) {
    throw new StartRefused(
      `The socket path ${socketPath} is longer than ${SOCKET_PATH_BYTES} bytes, which is the system's limit: choose a shorter directory.`,
    );
  }
  makeWritable(dataDir, 'data directory');
  makeWritable(dirname(socketPath), 'socket directory');
  const format = readMarker(dataDir);
  const isEmpty = readdirSync(dataDir).length === 0;
  if (format === undefined && !isEmpty) {
    throw new StartRefused(
      `The data directory ${dataDir} holds files of something else: choose an empty directory or one that this program made.`,
    );
  }
  if (format !== undefined && format !== FORMAT) {
    throw new StartRefused(
      `The data directory ${dataDir} was written by another version (format ${format}, this program reads ${FORMAT}): start the version that wrote it.`,
    );
  }
  const configPath = join(dataDir, 'engine.xml');
  try {
    if (format === undefined) {
      writeFileSync(join(dataDir, MARKER), `${JSON.stringify({ format: FORMAT })}\n`);
    }
    writeFileSync(configPath, configXml());
  } catch (error) {
    throw new StartRefused(
      `The data directory ${dataDir} cannot be written (${reasonOf(error)}): free some space or give this user write access to it.`,
    );
  }
  return { storePath: join(dataDir, 'store'), configPath };
}

/** Process id in chDB's lock file; undefined when there is none. */
export function lockHolder(storePath: string): number | undefined {
  try {
    const match = /PID: (\d+)/.exec(readFileSync(join(storePath, 'status'), 'utf8'));
    return match === null ? undefined : Number(match[1]);
  } catch {
    return undefined;
  }
}
