import { rolldown } from 'rolldown';

// One file: protocol/ is inlined, so that the package stands alone; only node: modules stay imports.
const bundle = await rolldown({
  input: new URL('../src/index.ts', import.meta.url).pathname,
  platform: 'node',
  resolve: { conditionNames: ['source', 'import', 'node', 'default'] },
  external: [/^node:/],
  treeshake: { moduleSideEffects: false },
});
await bundle.write({
  file: new URL('../dist/index.js', import.meta.url).pathname,
  format: 'esm',
  codeSplitting: false,
  minify: true,
  comments: false,
});
await bundle.close();
