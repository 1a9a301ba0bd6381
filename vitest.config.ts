import { defineConfig } from 'vitest/config';

/** Workspace packages are resolved from their TypeScript source, so unit tests need no build. */
const resolve = { conditions: ['source'] };
const ssr = { resolve: { conditions: ['source'], externalConditions: ['source'] } };

/**
 * unit: pure logic and in-process sockets, seconds in all; part of `npm run check`.
 * integration: child processes, chDB, real client libraries; needs built code.
 * e2e: the whole system, Chromium included; needs built code.
 */
export default defineConfig({
  test: {
    projects: [
      {
        resolve,
        ssr,
        test: {
          name: 'unit',
          include: [
            '*/test/*.test.ts',
            '*/test/unit/**/*.test.ts',
            'web/test/**/*.test.tsx',
            'tools/*.test.ts',
          ],
          testTimeout: 10_000,
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: 'integration',
          include: ['*/test/integration/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 1,
        },
      },
    ],
  },
});
