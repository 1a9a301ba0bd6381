import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format } from 'oxfmt';
import { eventTypesText } from '../sdk-js/build/event-types.ts';
import { actionsPage, dataFieldsPage, eventsPage } from './generate/event-pages.ts';
import { batchSchema } from './generate/json-schema.ts';
import { openApi } from './generate/openapi.ts';
import { pythonModule } from './generate/python.ts';
import { readApiPage } from './generate/read-api-page.ts';
import { errorsPage, ingestPage, limitsPage } from './generate/wire-pages.ts';

/** What `protocol/src` says, in every form in which somebody else needs it. style.md C3. */
const root = fileURLToPath(new URL('..', import.meta.url));

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** TypeScript as the formatter of the repository leaves it. */
async function formatted(code: string): Promise<string> {
  return (await format('events.ts', code, { printWidth: 100, singleQuote: true })).code;
}

const FILES: Readonly<Record<string, () => string | Promise<string>>> = {
  'protocol/generated/schema.json': () => json(batchSchema()),
  'protocol/generated/openapi.json': () => json(openApi()),
  'sdk-py/src/vendor_chat/_protocol.py': pythonModule,
  'sdk-js/src/api/events.ts': () => formatted(eventTypesText()),
  'docs/reference/events.md': eventsPage,
  'docs/reference/data-fields.md': dataFieldsPage,
  'docs/reference/actions.md': actionsPage,
  'docs/reference/limits.md': limitsPage,
  'docs/reference/ingest.md': ingestPage,
  'docs/reference/errors.md': errorsPage,
  'docs/reference/read-api.md': readApiPage,
};

const check = process.argv.includes('--check');
const stale: string[] = [];
for (const [path, make] of Object.entries(FILES)) {
  const file = join(root, path);
  const text = await make();
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  stale.push(path);
  if (check) continue;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
for (const path of stale) console.log(`${check ? 'stale' : 'wrote'} ${path}`);
if (check && stale.length > 0) {
  console.error('Run `npm run generate` and commit the result.');
  process.exitCode = 1;
}
