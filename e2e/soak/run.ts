import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { LANGUAGES, type LanguageName } from './bots.ts';
import { LONG, soak } from './soak.ts';
import { faults, table } from './table.ts';

/**
 * `npx tsx e2e/soak/run.ts --sdk js --minutes 10` on a built repository. Prints the table, writes it
 * to `bench/results/soak-<sdk>.md` with `--write`, and ends with 1 when something differs.
 */
const { values } = parseArgs({
  options: {
    sdk: { type: 'string', default: 'js' },
    minutes: { type: 'string', default: '10' },
    write: { type: 'boolean', default: false },
  },
});
const isLanguage = (name: string): name is LanguageName => Object.hasOwn(LANGUAGES, name);
const minutes = Number(values.minutes);
if (!isLanguage(values.sdk) || !(minutes > 0)) {
  console.error('--sdk takes js or py, --minutes a number');
  process.exit(1);
}
const result = await soak({ ...LONG, sdk: values.sdk, durationMs: minutes * 60_000 });
const page = table(result);
console.log(page);
if (values.write) {
  const file = fileURLToPath(new URL(`../../bench/results/soak-${values.sdk}.md`, import.meta.url));
  writeFileSync(file, page);
}
process.exit(faults(result).length === 0 ? 0 : 1);
