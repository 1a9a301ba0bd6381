import {
  closeSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../config.ts';

const LOCK_FILE = 'server.lock';

/** A process, told apart from a later one with the same number. */
interface Owner {
  readonly pid: number;
  /** Start time of the process and id of the boot; empty where the system does not tell. */
  readonly birth: string;
}

/** Field 22 of /proc/PID/stat is the start time in ticks since boot; the name may hold blanks. */
function birthOf(pid: number | 'self'): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${ticks}`;
  } catch {
    return '';
  }
}

function isRunning(owner: Owner): boolean {
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    // EPERM: it runs, under another user.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  return owner.birth === '' || birthOf(owner.pid) === owner.birth;
}

function readOwner(path: string): Owner | undefined {
  try {
    const { pid, birth } = JSON.parse(readFileSync(path, 'utf8')) as Partial<Owner>;
    return typeof pid === 'number' && typeof birth === 'string' ? { pid, birth } : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the lock completely and then gives it its name, which only one process can do. */
function tryCreate(path: string): boolean {
  const draft = `${path}.${process.pid}`;
  const file = openSync(draft, 'w', 0o600);
  writeSync(file, JSON.stringify({ pid: process.pid, birth: birthOf('self') }));
  closeSync(file);
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Takes the folder for this process; a lock left by a killed process does not count. Returns release.
 * @throws StartError when a running server has it.
 */
export function lockDataDir(dataDir: string): () => void {
  const path = join(dataDir, LOCK_FILE);
  for (let attempt = 0; attempt < 3; attempt++) {
    if (tryCreate(path)) return () => rmSync(path, { force: true });
    const owner = readOwner(path);
    if (owner !== undefined && isRunning(owner)) {
      throw new StartError(
        `DATA_DIR ${dataDir} is in use by the server with process id ${owner.pid}: stop it, or set another DATA_DIR.`,
      );
    }
    // Only one of several starters gets to move the stale file away, and only if it still is that file.
    const aside = `${path}.stale.${process.pid}`;
    try {
      renameSync(path, aside);
    } catch {
      continue;
    }
    const moved = readOwner(aside);
    if (moved !== undefined && isRunning(moved)) linkBack(aside, path);
    rmSync(aside, { force: true });
  }
  throw new StartError(`DATA_DIR ${dataDir} is being taken by another server: try again.`);
}

/** A new owner came between look and move: the lock is its own again. */
function linkBack(aside: string, path: string): void {
  try {
    linkSync(aside, path);
  } catch {
    // A third starter has the name; the new owner's server is refused the store by the engine's lock.
  }
}
