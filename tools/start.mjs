import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { requireNode } from './node-version.mjs';
import { build, installPackages } from './prepare.mjs';
import { root, say } from './run.mjs';

/**
 * `npm start`: installs what is missing, builds what is stale, then becomes the server. With `--demo`
 * a second process runs the stand-in platform and its bots; it ends when this one does.
 */
requireNode();
const unknown = process.argv.slice(2).filter((argument) => argument !== '--demo');
if (unknown.length > 0) {
  say(
    `npm start does not know ${unknown.join(' ')}: it takes --demo, and settings as environment variables.`,
  );
  process.exit(1);
}
try {
  await installPackages();
  await build();
} catch (error) {
  say(error.message);
  process.exit(1);
}
if (process.argv.includes('--demo')) {
  spawn(process.execPath, [join(root, 'tools/demo/main.mjs')], {
    cwd: root,
    env: { ...process.env, DEMO_SERVER_PID: String(process.pid) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  }).unref();
}
await import('../server/dist/main.js');
