import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { compile } from './compile.mjs';

const dist = new URL('../dist/', import.meta.url);
for (const entry of ['index', 'fetch', 'testing']) {
  const source = new URL(`../src/${entry}.ts`, import.meta.url).pathname;
  writeFileSync(new URL(`${entry}.js`, dist), await compile(source));
}

// tsc leaves `./x.ts` in declarations; compilers before 5.0 know only `./x.js`.
for (const name of readdirSync(dist, { recursive: true })) {
  if (!name.endsWith('.d.ts')) continue;
  const file = new URL(name, dist);
  const text = readFileSync(file, 'utf8');
  const rewritten = text.replaceAll(/(from '\.{1,2}\/[^']*)\.ts'/g, "$1.js'");
  if (rewritten !== text) writeFileSync(file, rewritten);
}
