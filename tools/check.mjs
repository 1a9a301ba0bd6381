import { staticChecks } from './checks.mjs';
import { requireNode } from './node-version.mjs';
import { installPackages } from './prepare.mjs';
import { run, say } from './run.mjs';

/** `npm run check`: format, lint, types, generated files and unit tests; under a minute on two cores. */
requireNode();
await installPackages();
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', '--reporter=dot'];
// The longest first, so that two lanes end at about the same time.
const waiting = [
  { name: 'unit tests', command: process.execPath, args: vitest },
  ...staticChecks(),
];
let failed = 0;
await Promise.all([lane(), lane()]);
process.exitCode = failed === 0 ? 0 : 1;

/** Takes one check after the other until none waits. */
async function lane() {
  for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
    const startedAt = performance.now();
    try {
      await run(check.command, check.args, { quiet: true });
      say(`ok   ${check.name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
    } catch (error) {
      failed += 1;
      say(`FAIL ${check.name}\n${error.message}`);
    }
  }
}
