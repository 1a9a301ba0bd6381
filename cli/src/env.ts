import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** What the CLI takes from the outside. Tests pass their own. */
export interface Env {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Wall clock, Unix ms. */
  now(): number;
  /** `count` random bytes. */
  randomBytes(count: number): Uint8Array;
  fetch: typeof globalThis.fetch;
  /** The text of a file; null when it is not there. */
  readText(path: string): Promise<string | null>;
  out(line: string): void;
  err(line: string): void;
}

/** The real outside. */
export const processEnv: Env = {
  variables: process.env,
  now: () => Date.now(),
  randomBytes: (count) => randomBytes(count),
  fetch: (...args) => globalThis.fetch(...args),
  readText: async (path) => {
    try {
      return await readFile(path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  },
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
};
