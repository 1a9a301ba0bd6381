import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/** A server as users run it: built code in a child process. */
export interface ServerChild {
  readonly process: ChildProcess;
  readonly pid: number;
  /** Exit code, what it printed. */
  readonly ended: Promise<{ readonly code: number | null; readonly err: string }>;
  /** Address, once it is ready; rejects when it ends before. */
  readonly ready: Promise<string>;
}

export function spawnServer(
  dataDir: string,
  variables: Readonly<Record<string, string>> = {},
): ServerChild {
  const env = { ...process.env, PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn', ...variables };
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let err = '';
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const ended = new Promise<{ code: number | null; err: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, err }));
  });
  const ready = new Promise<string>((resolve, reject) => {
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
      const url = /^ready (\S+)$/m.exec(out)?.[1];
      if (url !== undefined) resolve(url);
    });
    void ended.then(({ code }) => reject(new Error(`ended with ${code}: ${err}`)));
  });
  ready.catch(() => undefined);
  return { process: child, pid: child.pid ?? 0, ended, ready };
}

export function adminToken(dataDir: string): string {
  return readFileSync(join(dataDir, 'admin-token'), 'utf8').trim();
}

/** Live processes below `pid`. */
export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => {
      try {
        const stat = readFileSync(`/proc/${candidate}/stat`, 'utf8');
        const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return Number(parent) === pid && state !== 'Z';
      } catch {
        return false;
      }
    });
}

export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[0] !== 'Z';
  } catch {
    return false;
  }
}
