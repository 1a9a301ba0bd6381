import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PYTHON } from './prepare.mjs';
import { root } from './run.mjs';

const bin = (name) => join(root, 'node_modules/.bin', name);

/**
 * The checks that need no build and no running part.
 * @returns {{ name: string, command: string, args: string[] }[]}
 */
export function staticChecks() {
  const checks = [
    { name: 'format', command: bin('oxfmt'), args: ['--check', '.'] },
    { name: 'lint', command: bin('oxlint'), args: ['--type-aware', '.'] },
    { name: 'types', command: bin('tsc'), args: ['-p', 'tsconfig.check.json'] },
    { name: 'web types', command: bin('tsc'), args: ['-p', 'web/tsconfig.json', '--noEmit'] },
    { name: 'dead code', command: bin('knip'), args: [] },
    { name: 'generated files', command: process.execPath, args: ['tools/generate.mjs', '--check'] },
  ];
  if (existsSync(PYTHON)) {
    checks.push(
      {
        name: 'Python format',
        command: PYTHON,
        args: ['-m', 'ruff', 'format', '--check', 'sdk-py'],
      },
      { name: 'Python types', command: PYTHON, args: ['-m', 'pyright', '-p', 'sdk-py'] },
      { name: 'Python lint', command: PYTHON, args: ['-m', 'ruff', 'check', 'sdk-py'] },
    );
  }
  return checks;
}
