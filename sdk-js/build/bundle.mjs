import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rolldown } from 'rolldown';
import { minify as rename } from 'rolldown/experimental';
import { minify } from 'terser';
import { LIMITS } from '@bot-analytics/protocol';
import { toClosures } from './closures.mjs';
import { INTERNAL_NAMES } from './internal-names.mjs';
import { wireTables } from './wire-tables.mjs';

/** Limits become plain numbers, and the tables of the wire what the SDK needs of them. */
const slim = {
  name: 'slim-protocol',
  transform: (code, id) =>
    wireTables(id) ?? code.replaceAll(/\bLIMITS\.(\w+)\b/g, (_, name) => String(LIMITS[name])),
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
const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
await bundle.close();

/** Two minifiers: the first inlines and shortens members, the second names locals in fewer bytes. */
const shortened = await minify(toClosures(output[0].code), {
  ecma: 2020,
  module: true,
  compress: { passes: 4, unsafe_arrows: true, pure_getters: true, keep_fargs: false },
  mangle: {
    properties: { regex: new RegExp(`^(${INTERNAL_NAMES.join('|')})$`), keep_quoted: 'strict' },
  },
  format: { comments: false },
});
const { code, errors } = await rename('index.js', shortened.code, {
  module: true,
  mangle: { toplevel: true },
  compress: { target: 'es2023' },
  codegen: { removeWhitespace: true },
});
if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
writeFileSync(new URL('../dist/index.js', import.meta.url), code);

// tsc leaves `./x.ts` in declarations; compilers before 5.0 know only `./x.js`.
const dist = new URL('../dist/', import.meta.url);
for (const name of readdirSync(dist, { recursive: true })) {
  if (!name.endsWith('.d.ts')) continue;
  const file = new URL(name, dist);
  const text = readFileSync(file, 'utf8');
  const rewritten = text.replaceAll(/(from '\.{1,2}\/[^']*)\.ts'/g, "$1.js'");
  if (rewritten !== text) writeFileSync(file, rewritten);
}
