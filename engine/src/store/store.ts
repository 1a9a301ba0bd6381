import type { Env } from '../env.ts';
import { connectionArgs } from '../sql/settings.ts';
import {
  keyText,
  openSession,
  type Connection,
  type Opener,
  type SessionClass,
  type SessionKey,
} from './chdb.ts';

import { lockHolder, StartRefused, type Directory } from './directory.ts';
import { Lane } from './lane.ts';

export type { SessionClass } from './chdb.ts';

/** The sessions of one data directory. */
export interface Store {
  readonly writer: Lane<Connection>;
  readonly readers: Lane<Connection>;
  /** Every name in system.settings. */
  readonly knownSettings: ReadonlySet<string>;
  /** ClickHouse's version. */
  readonly version: string;
  close(): Promise<void>;
}

export interface StoreOptions {
  readonly directory: Directory;
  readonly sessionClass: SessionClass;
  readonly readers: number;
  readonly env: Env;
  /** A read outlived every limit: only a new process helps. */
  readonly onStuck: () => void;
}

/**
 * 64 waiting reads of 5 s at most each on two sessions would be minutes; 10 s of waiting is what a page
 * can use. An insert takes 10-40 ms, so the writer's queue only grows behind a long mutation.
 */
const QUEUES = {
  reader: { waitingMax: 64, waitMaxMs: 10_000 },
  writer: { waitingMax: 256, waitMaxMs: 30_000 },
} as const;

/** Twice the longest read that settings allow (60 s). */
const STUCK_READ_MS = 120_000;

/** A killed process gives its lock back a moment after its exit was seen. */
const LOCK_WAIT_MS = 2_000;
const LOCK_POLL_MS = 100;

const WRITER_KEY: SessionKey = { args: connectionArgs('writer', new Map()), database: undefined };

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function pause(env: Env, ms: number): Promise<void> {
  return new Promise((resolve) => {
    env.after(ms, resolve);
  });
}

function refusal(options: StoreOptions): StartRefused {
  const holder = lockHolder(options.directory.storePath);
  const where = options.directory.storePath;
  if (holder !== undefined && holder !== process.pid && isAlive(holder)) {
    return new StartRefused(
      `The data directory of ${where} is in use by process ${holder}: stop that server or choose another data directory.`,
    );
  }
  return new StartRefused(
    `The embedded store cannot open ${where}: see the lines above for the reason; free some space, or restore the directory from a backup.`,
  );
}

/** The first session takes the directory's lock and loads the tables. */
async function openFirst(options: StoreOptions, opener: Opener): Promise<void> {
  const { env } = options;
  const giveUpAtMs = env.nowMs() + LOCK_WAIT_MS;
  for (;;) {
    try {
      const first = await openSession(opener, WRITER_KEY);
      first.close();
      return;
    } catch {
      if (env.nowMs() >= giveUpAtMs) throw refusal(options);
      await pause(env, LOCK_POLL_MS);
    }
  }
}

interface Facts {
  readonly version: string;
  readonly knownSettings: ReadonlySet<string>;
}

async function readFacts(writer: Lane<Connection>): Promise<Facts> {
  const never = new AbortController().signal;
  return writer.use(keyText(WRITER_KEY), never, async (session) => {
    const names = await session.run('SELECT name FROM system.settings', 'TabSeparated');
    const version = await session.run('SELECT version()', 'TabSeparated');
    const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8').trim();
    return {
      version: text(version.bytes),
      knownSettings: new Set(text(names.bytes).split('\n')),
    };
  });
}

/** Opens the directory. Throws {@link StartRefused}. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { env, directory } = options;
  const opener = { ...directory, sessionClass: options.sessionClass };
  await openFirst(options, opener);
  const open = (key: string): ReturnType<typeof openSession> => openSession(opener, parseKey(key));
  const writer = new Lane<Connection>({
    name: 'writer',
    slots: 1,
    ...QUEUES.writer,
    stuckAfterMs: undefined,
    onStuck: options.onStuck,
    open,
    env,
  });
  const readers = new Lane<Connection>({
    name: 'reader',
    slots: options.readers,
    ...QUEUES.reader,
    stuckAfterMs: STUCK_READ_MS,
    onStuck: options.onStuck,
    open,
    env,
  });
  const facts = await readFacts(writer);
  return {
    writer,
    readers,
    ...facts,
    close: async () => {
      await Promise.all([writer.close(), readers.close()]);
    },
  };
}

/** The reverse of keyText. */
function parseKey(text: string): SessionKey {
  const [args, database] = JSON.parse(text) as [readonly string[], string | null];
  return { args, database: database ?? undefined };
}
