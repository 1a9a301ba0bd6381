import { staticChecks } from './checks.mjs';
import { requireNode } from './node-version.mjs';
import { installPackages } from './prepare.mjs';
import { run, say } from './run.mjs';

/** `npm run check`: format, lint, types, generated files and unit tests; under a minute. */
requireNode();
await installPackages();
const checks = [
  ...staticChecks(),
  {
    name: 'unit tests',
    command: process.execPath,
    args: ['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', '--reporter=dot'],
  },
];
let failed = 0;
for (const { name, command, args } of checks) {
  const startedAt = performance.now();
  try {
    await run(command, args, { quiet: true });
    say(`ok   ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed += 1;
    say(`FAIL ${name}\n${error.message}`);
  }
}
process.exitCode = failed === 0 ? 0 : 1;
