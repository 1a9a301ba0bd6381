import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rolldown } from 'rolldown';
import { LIMITS } from '@bot-analytics/protocol';

/**
 * What the wire package carries for docs and for Python stays out of the bundle, and limits become
 * plain numbers: 3 kB of 21 kB gzip.
 */
const slim = {
  name: 'slim-protocol',
  transform(code, id) {
    const numbers = code.replaceAll(/\bLIMITS\.(\w+)\b/g, (_, name) => String(LIMITS[name]));
    return id.endsWith('/protocol/src/catalogue.ts')
      ? numbers.replaceAll(/^ {4}(?:js|py|cachedOnly): .*,$/gm, '')
      : numbers;
  },
};

// One file: protocol/ is inlined, so that the package stands alone; only node: modules stay imports.
const bundle = await rolldown({
  input: new URL('../src/index.ts', import.meta.url).pathname,
  platform: 'node',
  resolve: { conditionNames: ['source', 'import', 'node', 'default'] },
  external: [/^node:/],
  treeshake: { moduleSideEffects: false },
  plugins: [slim],
});
await bundle.write({
  file: new URL('../dist/index.js', import.meta.url).pathname,
  format: 'esm',
  codeSplitting: false,
  minify: true,
});
await bundle.close();

// tsc leaves `./x.ts` in declarations; compilers before 5.0 know only `./x.js`.
const dist = new URL('../dist/', import.meta.url);
for (const name of readdirSync(dist, { recursive: true })) {
  if (!name.endsWith('.d.ts')) continue;
  const file = new URL(name, dist);
  const text = readFileSync(file, 'utf8');
  const rewritten = text.replaceAll(/(from '\.{1,2}\/[^']*)\.ts'/g, "$1.js'");
  if (rewritten !== text) writeFileSync(file, rewritten);
}
