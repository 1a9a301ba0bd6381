import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { staticChecks } from './checks.mjs';
import { requireNode } from './node-version.mjs';
import {
  build,
  installChromium,
  installPackages,
  installPython,
  PYTHON,
  PYTHON_OLDEST,
} from './prepare.mjs';
import { root, run, say } from './run.mjs';

/**
 * `npm test`: installs what is missing and runs every test. The last line is `N passed, N failed`;
 * a static check counts as one test.
 */
requireNode();
const startedAt = performance.now();
const total = { passed: 0, failed: 0 };

await installPackages();
await Promise.all([build(), installPython(), installChromium()]);
for (const check of staticChecks()) await staticCheck(check);
for (const project of ['unit', 'integration', 'e2e']) await vitest(project);
await pytest('newest discord.py', PYTHON, ['sdk-py/tests']);
await pytest('oldest discord.py', PYTHON_OLDEST, ['sdk-py/tests/integration']);

say(`\nAll tests took ${((performance.now() - startedAt) / 1000).toFixed(0)} s.`);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
console.log(`${total.passed} passed, ${total.failed} failed`);

async function staticCheck({ name, command, args }) {
  try {
    await run(command, args, { quiet: true });
    total.passed += 1;
    say(`ok   ${name}`);
  } catch (error) {
    total.failed += 1;
    say(`FAIL ${name}\n${error.message}`);
  }
}

async function vitest(project) {
  const report = reportFile(`${project}.json`);
  const args = [
    'run',
    '--project',
    project,
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ];
  await count(
    `${project} tests`,
    process.execPath,
    ['node_modules/vitest/vitest.mjs', ...args],
    () => {
      const { numPassedTests, numFailedTests, testResults } = JSON.parse(
        readFileSync(report, 'utf8'),
      );
      const brokenFiles = testResults.filter(
        (file) => file.status === 'failed' && file.assertionResults.length === 0,
      );
      return { passed: numPassedTests, failed: numFailedTests + brokenFiles.length };
    },
  );
}

async function pytest(name, python, paths) {
  const report = reportFile(`pytest-${name.replaceAll(/\W+/g, '-')}.xml`);
  await count(
    `Python tests, ${name}`,
    python,
    ['-m', 'pytest', '-q', `--junitxml=${report}`, ...paths],
    () => {
      const [, tests] = /\btests="(\d+)"/.exec(readFileSync(report, 'utf8'));
      const [failures, errors, skipped] = ['failures', 'errors', 'skipped'].map((attribute) =>
        Number(new RegExp(`\\b${attribute}="(\\d+)"`).exec(readFileSync(report, 'utf8'))[1]),
      );
      return { passed: Number(tests) - failures - errors - skipped, failed: failures + errors };
    },
  );
}

/** Runs one suite; a suite that ends badly without naming a failed test counts as one failure. */
async function count(name, command, args, readReport) {
  say(`\n${name}`);
  const suiteStartedAt = performance.now();
  let ended = true;
  try {
    await run(command, args);
  } catch (error) {
    ended = false;
    say(error.message);
  }
  let result = { passed: 0, failed: 0 };
  try {
    result = readReport();
  } catch (error) {
    ended = false;
    say(`No report: ${error.message}`);
  }
  total.passed += result.passed;
  total.failed += !ended && result.failed === 0 ? 1 : result.failed;
  say(
    `${name}: ${result.passed} passed, ${result.failed} failed, ${((performance.now() - suiteStartedAt) / 1000).toFixed(0)} s`,
  );
}

function reportFile(name) {
  const folder = join(root, '.cache/reports');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name);
  rmSync(file, { force: true });
  return file;
}
