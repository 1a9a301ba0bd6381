import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Clock ticks of /proc; 100 a second on Linux. */
const TICKS_PER_SECOND = 100;

/** A child process and what it printed. */
export interface Child {
  readonly process: ChildProcess;
  readonly pid: number;
  /** Resolves with the first line of stdout that holds `text`. */
  line(text: string): Promise<string>;
  ended: Promise<number | null>;
}

/** Runs node with arguments; stderr goes to ours when it fails. */
export function runNode(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Child {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let errors = '';
  const waiting: (() => void)[] = [];
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
    for (const wake of waiting.splice(0)) wake();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-4_000);
  });
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  let over = false;
  void ended.then(() => {
    over = true;
    for (const wake of waiting.splice(0)) wake();
  });
  return {
    process: child,
    pid: child.pid ?? 0,
    ended,
    async line(text) {
      for (;;) {
        const found = out.split('\n').find((line) => line.includes(text));
        if (found !== undefined) return found;
        if (over) throw new Error(`The process ended without "${text}": ${errors}`);
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
  };
}

/** Processes below `pid`. */
export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => {
      try {
        const stat = readFileSync(`/proc/${candidate}/stat`, 'utf8');
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid;
      } catch {
        return false;
      }
    });
}

/** Resident memory in MB: now, and the most so far. */
export function memoryOf(pid: number): { nowMb: number; peakMb: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kb = (name: string): number =>
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0);
  return { nowMb: Math.round(kb('VmRSS') / 1_024), peakMb: Math.round(kb('VmHWM') / 1_024) };
}

/** MB that the processes hold together: a file of which both map pages (the node binary) counts once. */
export function memoryTogetherMb(pids: readonly number[]): number {
  const files = new Map<string, number>();
  let anonymousKb = 0;
  for (const pid of pids) {
    const own = new Map<string, number>();
    let file = '';
    for (const line of readFileSync(`/proc/${pid}/smaps`, 'utf8').split('\n')) {
      const head = /^[0-9a-f]+-[0-9a-f]+ \S+ \S+ \S+ \d+\s*(.*)$/.exec(line);
      const kb = Number(/^Rss:\s+(\d+)/.exec(line)?.[1] ?? 0);
      if (head !== null) file = head[1] ?? '';
      else if (file.startsWith('/')) own.set(file, (own.get(file) ?? 0) + kb);
      else anonymousKb += kb;
    }
    for (const [name, kb] of own) files.set(name, Math.max(files.get(name) ?? 0, kb));
  }
  const filesKb = [...files.values()].reduce((sum, kb) => sum + kb, 0);
  return Math.round((anonymousKb + filesKb) / 1_024);
}

/** CPU seconds that a process has used. */
export function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
