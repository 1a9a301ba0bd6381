import { rolldown } from 'rolldown';
import { LIMITS } from '@bot-analytics/protocol';
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
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false, minify: true });
  await bundle.close();
  return output[0].code;
}
