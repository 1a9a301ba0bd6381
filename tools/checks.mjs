import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PYTHON } from './prepare.mjs';
import { root } from './run.mjs';

const bin = (name) => join(root, 'node_modules/.bin', name);

/** The checks that need no build and no running part: `[name, command, arguments]`. */
export function staticChecks() {
  const checks = [
    ['format', bin('oxfmt'), ['--check', '.']],
    ['lint', bin('oxlint'), ['--type-aware', '.']],
    ['types', bin('tsc'), ['-p', 'tsconfig.check.json']],
    ['web types', bin('tsc'), ['-p', 'web/tsconfig.json', '--noEmit']],
    ['dead code', bin('knip'), []],
    ['generated files', process.execPath, ['tools/generate.mjs', '--check']],
  ];
  if (existsSync(PYTHON)) {
    checks.push(
      ['Python format', PYTHON, ['-m', 'ruff', 'format', '--check', 'sdk-py']],
      ['Python lint', PYTHON, ['-m', 'ruff', 'check', 'sdk-py']],
    );
  }
  return checks;
}
