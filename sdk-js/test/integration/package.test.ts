import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const PACKAGE = fileURLToPath(new URL('../../', import.meta.url));
const MODULES = fileURLToPath(new URL('../../../node_modules/', import.meta.url));

const TSC = [
  '--noEmit',
  '--strict',
  '--module',
  'nodenext',
  '--target',
  'es2023',
  '--skipLibCheck',
];

/** What a bot can import: `@vendor/chat.js`, and these two below it. Decision 0094. */
const ENTRIES = ['fetch', 'index', 'testing'];

let folder: string;
let installed: string;
let tarball: string;

/** A bot project outside the repository, with the packed package and discord.js in it. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'chat-js-package-'));
  const [packed] = JSON.parse(
    run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], PACKAGE),
  ) as [{ filename: string }];
  tarball = join(folder, packed.filename.replace('@', '').replace('/', '-'));
  installed = join(folder, 'node_modules/@vendor/chat.js');
  mkdirSync(installed, { recursive: true });
  run('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1'], folder);
  symlinkSync(join(MODULES, 'discord.js'), join(folder, 'node_modules/discord.js'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function run(command: string, args: readonly string[], cwd: string): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function filesOf(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Modules that a declaration file or script imports. */
function importsOf(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*["'`]([^"'`]+)["'`]/g)].map(
    ([, name]) => name ?? '',
  );
}

describe('the packed package', () => {
  test('holds its three entries, their types, readme and licence, and nothing else', () => {
    const files = filesOf(installed).map((file) => file.slice(installed.length + 1));
    const others = files.filter((file) => !/^dist\/(api\/)?[\w-]+\.d\.ts$/.test(file));
    expect(others.toSorted((a, b) => a.localeCompare(b))).toEqual([
      ...ENTRIES.map((name) => `dist/${name}.js`),
      'LICENSE',
      'package.json',
      'README.md',
    ]);
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Record<
      string,
      unknown
    >;
    expect(manifest).not.toHaveProperty('dependencies');
    expect(manifest).not.toHaveProperty('peerDependencies');
  });

  test('is small: gzip of the code and the whole install', () => {
    expect(
      gzipSync(readFileSync(join(installed, 'dist/index.js')), { level: 9 }).length,
    ).toBeLessThanOrEqual(15_000);
    const rest = ['fetch', 'testing'].map((name) =>
      readFileSync(join(installed, `dist/${name}.js`)),
    );
    expect(gzipSync(Buffer.concat(rest), { level: 9 }).length).toBeLessThanOrEqual(400);
    const bytes = filesOf(installed).reduce((sum, file) => sum + statSync(file).size, 0);
    expect(bytes).toBeLessThanOrEqual(300 * 1_024);
  });

  test('imports node: modules only; the types import each other only, and all are there', () => {
    for (const entry of ENTRIES) {
      const imports = importsOf(join(installed, `dist/${entry}.js`));
      expect(imports.filter((name) => !name.startsWith('node:'))).toEqual([]);
    }
    const types = filesOf(installed).filter((file) => file.endsWith('.d.ts'));
    for (const file of types) {
      for (const name of importsOf(file)) {
        expect(name).toMatch(/^\.\.?\//);
        const target = join(dirname(file), name.replace(/\.[jt]s$/, '.d.ts'));
        expect(types).toContain(target);
      }
    }
  });

  test('publint and attw find nothing', () => {
    run(join(MODULES, '.bin/publint'), ['--strict', tarball], PACKAGE);
    run(join(MODULES, '.bin/attw'), [tarball, '--profile', 'esm-only', '--no-emoji'], PACKAGE);
  });

  test('import and require give the same class', () => {
    const script = `import { createRequire } from 'node:module';
      import { Analytics } from '@vendor/chat.js';
      import { sendWithFetch } from '@vendor/chat.js/fetch';
      import { MemorySink } from '@vendor/chat.js/testing';
      const require = createRequire(import.meta.url);
      process.stdout.write([
        require('@vendor/chat.js').Analytics === Analytics,
        require('@vendor/chat.js/fetch').sendWithFetch === sendWithFetch,
        require('@vendor/chat.js/testing').MemorySink === MemorySink,
      ].join());`;
    expect(run(process.execPath, ['--input-type=module', '-e', script], folder)).toBe(
      'true,true,true',
    );
  });

  test('the examples of the readme are valid; those without a client run as they stand', () => {
    const readme = readFileSync(join(installed, 'README.md'), 'utf8');
    const blocks = [...readme.matchAll(/```(js|ts)\n([\s\S]*?)```/g)].map(
      ([, language, code = '']) => ({
        language,
        code,
      }),
    );
    expect(blocks.length).toBeGreaterThan(5);
    for (const [at, { language, code }] of blocks.entries()) {
      const type = language === 'ts' ? 'mts' : code.includes('require(') ? 'cjs' : 'mjs';
      const file = join(folder, `example-${at}.${type}`);
      writeFileSync(file, code);
      if (type === 'mts') run(join(MODULES, '.bin/tsc'), ['--ignoreConfig', ...TSC, file], folder);
      else run(process.execPath, ['--check', file], folder);
      if (code.includes('MemorySink'))
        expect(run(process.execPath, [file], folder)).toContain("[ 'error' ]");
    }
  });

  test('a strict TypeScript bot compiles against its types and discord.js', () => {
    writeFileSync(
      join(folder, 'bot.ts'),
      `import { Client, GatewayIntentBits } from 'discord.js';
       import { Analytics, type AnalyticsEvent, type AnalyticsOptions } from '@vendor/chat.js';
       import { sendWithFetch, type FetchLike } from '@vendor/chat.js/fetch';
       import { MemorySink } from '@vendor/chat.js/testing';
       const options: AnalyticsOptions = {
         apiKey: 'k',
         beforeSend: (event) => (event.type === 'command_error' ? { ...event, data: { ...event.data, message: '' } } : event),
         onDrop: ({ reason, count }) => console.warn(reason, count),
         logger: console,
         send: sendWithFetch(fetch satisfies FetchLike),
       };
       const client = new Client({ intents: [GatewayIntentBits.Guilds] });
       await using analytics = new Analytics(options).attach(client);
       analytics.captureError(new Error('x'), { guildId: '1', data: { a: 1 } });
       const sink = new MemorySink();
       const narrow = (event: AnalyticsEvent): number => (event.type === 'event_message_create' ? event.data.count : 0);
       console.log(sink.events.map(narrow), analytics.stats().dropped.overflow, (await analytics.flush()).delivered);
       // @ts-expect-error a client is needed
       analytics.attach({});
       // @ts-expect-error unknown option
       new Analytics({ apikey: 'x' });`,
    );
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          exactOptionalPropertyTypes: true,
          noUncheckedIndexedAccess: true,
          module: 'nodenext',
          target: 'es2023',
          lib: ['es2023', 'esnext.disposable'],
          types: ['node'],
          typeRoots: [join(MODULES, '@types')],
          noEmit: true,
          skipLibCheck: true,
          preserveSymlinks: false,
        },
        files: ['bot.ts'],
      }),
    );
    run(join(MODULES, '.bin/tsc'), ['-p', '.'], folder);
  });
});
