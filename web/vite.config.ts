import { fileURLToPath } from 'node:url';
import { defaultClientConditions, defineConfig } from 'vite';

const entry = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Workspace packages are taken from their source, so the page builds before they do.
  resolve: { conditions: ['source', ...defaultClientConditions] },
  build: {
    target: 'es2022',
    // The content security policy allows fonts from the own origin only, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: [entry('index.html'), entry('public.html')],
      // 'use client' means something to servers that render React; there is none here.
      checks: { moduleLevelDirective: false },
    },
  },
  server: { proxy: { '/v1': 'http://127.0.0.1:8080' } },
});
