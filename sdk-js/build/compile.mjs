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

/**
 * One file of a module and all that it imports: `protocol/` is inlined, so that the package stands
 * alone; only node: modules stay imports. The benchmark compiles its subject with it too.
 */
export async function compile(input) {
  const bundle = await rolldown({
    input,
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
    compress: { passes: 4, unsafe_arrows: true, pure_getters: true, keep_fargs: false, inline: 1 },
    mangle: {
      // `builtins`: what only a browser has (`first`, `stop`) is ours here; a test looks for the rest.
      properties: {
        builtins: true,
        regex: new RegExp(`^(${INTERNAL_NAMES.join('|')})$`),
        keep_quoted: 'strict',
      },
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
  return code;
}
