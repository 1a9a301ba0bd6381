import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Asks the demo's own module, in a process of its own since it is plain JavaScript. */
function endOf(end: { code: number | null; signal: string | null; stderr: string }): string {
  const script = `import { endOf } from './tools/demo/last-words.mjs';
    process.stdout.write(endOf('a library', JSON.parse(process.env.END)));`;
  const env = { ...process.env, END: JSON.stringify(end) };
  return execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: root,
    env,
    encoding: 'utf8',
  });
}

const TRACEBACK = `\u001B[30;1m2026-11-21 10:00:00\u001B[0m \u001B[31mERROR\u001B[0m Ignoring exception
Traceback (most recent call last):
  File "bot.py", line 1, in <module>
\u001B[1;35maiohttp.client_exceptions.ClientError\u001B[0m: \u001B[35mno way\u001B[0m
`;
const STACK = `node:internal/x:1\n    throw it;\n\nError: no key\n    at bot.mjs:1:1\n\nNode.js v20.20.2\n`;

test.each([
  ['a traceback', { code: 1, signal: null, stderr: TRACEBACK }, '1'],
  ['a stack', { code: 1, signal: null, stderr: STACK }, '1'],
  ['nothing said', { code: 0, signal: null, stderr: '' }, '0'],
  ['stopped', { code: null, signal: 'SIGTERM', stderr: TRACEBACK }, 'SIGTERM'],
])('the end of a demo bot is one plain line: %s', (what, end, status) => {
  const reasons: Readonly<Record<string, string>> = {
    'a traceback': ': aiohttp.client_exceptions.ClientError: no way',
    'a stack': ': Error: no key',
  };
  expect(endOf(end)).toBe(
    `The demo bot on a library ended (${status}) and is started again in 5 s${reasons[what] ?? ''}`,
  );
});
