import { spawnSync } from 'node:child_process';
import { root } from './run.mjs';

/**
 * `npm run generate`: writes everything that follows from `protocol/src`. With `--check` it writes
 * nothing and ends with 1 when a file is stale.
 */
const { status } = spawnSync(
  process.execPath,
  ['--conditions=source', '--import', 'tsx', 'tools/generate.ts', ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
);
process.exitCode = status ?? 1;
