import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Root of the repository, with a trailing slash. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** A command that ended with a status other than 0. */
export class CommandFailed extends Error {}

/**
 * Runs a command in the repository and waits for it. Its output goes to standard error, so that a
 * caller's own standard output stays clean.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ quiet?: boolean, env?: NodeJS.ProcessEnv }} [options] quiet: output only when it fails
 * @returns {Promise<string>} what it printed, when quiet
 */
export function run(command, args, { quiet = false, env = process.env } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { NO_COLOR: '1', ...env },
      stdio: ['ignore', quiet ? 'pipe' : 2, quiet ? 'pipe' : 2],
    });
    let output = '';
    child.stdout?.on('data', (chunk) => (output += chunk));
    child.stderr?.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => reject(new CommandFailed(`${command}: ${error.message}`)));
    child.on('close', (code) => {
      if (code === 0) resolve(output);
      else reject(new CommandFailed(`${output}\n${command} ${args.join(' ')} ended with ${code}`));
    });
  });
}

/** Says what takes time, on standard error. */
export function say(text) {
  process.stderr.write(`${text}\n`);
}
