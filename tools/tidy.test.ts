import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

/** What linters cannot see: direction between parts, who touches the clock, lengths, banned words. */
const root = fileURLToPath(new URL('..', import.meta.url));

/** Files that git tracks or would track. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(root, file)));
const sources = files.filter((file) => /^[a-z-]+\/src\/.*\.tsx?$/.test(file));
const text = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Which part may import which. The demo bot's discord.js is a package of others and not listed. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  engine: [],
  'chat-sim': [],
  'sdk-js': ['protocol'],
  server: ['protocol'],
  web: ['protocol'],
  cli: ['protocol'],
};
const PACKAGE_OF: Readonly<Record<string, string>> = {
  '@bot-analytics/protocol': 'protocol',
  '@bot-analytics/engine': 'engine',
  '@bot-analytics/server': 'server',
  '@bot-analytics/chat-sim': 'chat-sim',
  '@bot-analytics/web': 'web',
  '@bot-analytics/cli': 'cli',
  '@vendor/chat.js': 'sdk-js',
};
/** Only the program's entry starts the engine; everything else talks to it over HTTP. DECISION 0003. */
const MAY_START_ENGINE = 'server/src/main.ts';

interface Import {
  readonly file: string;
  readonly from: string;
}

const imports: readonly Import[] = sources.flatMap((file) =>
  [
    ...text(file).matchAll(
      /^\s*(?:import|export)\b[^'";]*?from\s*'([^']+)'|\bimport\('([^']+)'\)/gm,
    ),
  ].map((match) => ({
    file,
    from: match[1] ?? match[2] ?? '',
  })),
);

const partOf = (file: string): string => file.split('/')[0] ?? '';
const packageOf = (from: string): string | undefined =>
  Object.entries(PACKAGE_OF).find(([name]) => from === name || from.startsWith(`${name}/`))?.[1];

describe('direction', () => {
  test('there is something to look at', () => {
    expect(imports.length).toBeGreaterThan(50);
  });

  test('parts import protocol only', () => {
    const wrong = imports.filter(({ file, from }) => {
      const target = packageOf(from);
      if (target === undefined) return false;
      if (target === 'engine' && file === MAY_START_ENGINE) return false;
      return !(MAY_IMPORT[partOf(file)] ?? []).includes(target);
    });
    expect(wrong).toEqual([]);
  });

  test('no relative import leaves its part', () => {
    const wrong = imports.filter(
      ({ file, from }) =>
        from.startsWith('.') && partOf(normalize(join(dirname(file), from))) !== partOf(file),
    );
    expect(wrong).toEqual([]);
  });

  /** http -> ingest | status | analytics | alerts | keys | sessions -> store, as folders of server/src. */
  const SERVER_LAYERS = [
    ['http'],
    ['ingest', 'status', 'analytics', 'alerts', 'keys', 'sessions'],
    ['store'],
  ];
  test('inside the server nothing imports upward', () => {
    const layer = (file: string): number =>
      SERVER_LAYERS.findIndex((folders) => folders.includes(file.split('/')[2] ?? ''));
    const wrong = imports.filter(({ file, from }) => {
      if (partOf(file) !== 'server' || !from.startsWith('.')) return false;
      const target = layer(normalize(join(dirname(file), from)));
      return target !== -1 && layer(file) !== -1 && target < layer(file);
    });
    expect(wrong).toEqual([]);
  });

  test('only sdk-js/src/discord knows the host library, and no published code imports it', () => {
    expect(
      imports.filter(
        ({ file, from }) => partOf(file) === 'sdk-js' && /^(discord|@discordjs)/.test(from),
      ),
    ).toEqual([]);
    const core = sources.filter((file) => file.startsWith('sdk-js/src/core/'));
    expect(core.filter((file) => /from '\.\.\/discord/.test(text(file)))).toEqual([]);
  });

  test('only server/src/store holds SQL', () => {
    const sql = /\b(SELECT\s+[\w*(`]|INSERT\s+INTO|CREATE\s+TABLE|ALTER\s+TABLE)/;
    const wrong = sources.filter(
      (file) =>
        file.startsWith('server/') && !file.startsWith('server/src/store/') && sql.test(text(file)),
    );
    expect(wrong).toEqual([]);
  });
});

describe('the outside comes in through env', () => {
  const OUTSIDE =
    /\b(Date\.now|performance\.now|Math\.random|setTimeout|setInterval|setImmediate)\s*\(|\bnew Date\(\)/;
  test.each(['sdk-js', 'server', 'engine', 'chat-sim', 'cli'])('%s', (part) => {
    const wrong = sources.filter(
      (file) =>
        partOf(file) === part &&
        !file.endsWith('/env.ts') &&
        OUTSIDE.test(withoutComments(text(file))),
    );
    expect(wrong).toEqual([]);
  });
});

describe('size and words', () => {
  test('Python files stay under 400 lines (tests under 600)', () => {
    const long = files.filter(
      (file) =>
        file.endsWith('.py') &&
        !file.endsWith('_protocol.py') &&
        text(file).split('\n').length > (file.includes('/tests/') ? 600 : 400),
    );
    expect(long).toEqual([]);
  });

  test('source folders hold at most 16 files', () => {
    const perFolder = new Map<string, number>();
    for (const file of sources)
      perFolder.set(dirname(file), (perFolder.get(dirname(file)) ?? 0) + 1);
    expect([...perFolder].filter(([, count]) => count > 16)).toEqual([]);
  });

  test('no catch-all folders', () => {
    expect(files.filter((file) => /(^|\/)(utils?|helpers?|common|misc)\//.test(file))).toEqual([]);
  });

  test('no left-overs, no secrets, no registry hosts', () => {
    const banned =
      /\b(TODO|FIXME|XXX)\b|registry\.npmjs|pypi\.org|files\.pythonhosted|\/work\/main|BEGIN (RSA |EC )?PRIVATE KEY/;
    const wrong = files.filter(
      (file) =>
        !/\.(png|ico|woff2?)$/.test(file) &&
        file !== 'tools/tidy.test.ts' &&
        banned.test(text(file)),
    );
    expect(wrong).toEqual([]);
  });

  test('ARCHITECTURE.md stays a map of at most 200 lines and names every part', () => {
    const architecture = text('ARCHITECTURE.md');
    expect(architecture.split('\n').length).toBeLessThanOrEqual(200);
    for (const part of [...Object.keys(MAY_IMPORT), 'sdk-py', 'e2e', 'bench', 'tools', 'docs']) {
      expect(architecture).toContain(`${part}/`);
    }
  });

  test('decisions are numbered once and at most a page', () => {
    const decisions = files.filter((file) => file.startsWith('docs/decisions/'));
    const numbers = decisions.map((file) => /\/(\d{4})-[a-z0-9-]+\.md$/.exec(file)?.[1]);
    expect(numbers).not.toContain(undefined);
    expect(new Set(numbers).size).toBe(decisions.length);
    expect(decisions.filter((file) => text(file).split('\n').length > 70)).toEqual([]);
  });

  test('links of the documents lead somewhere', () => {
    const documents = files.filter(
      (file) => file.endsWith('.md') && !file.startsWith('bench/results/'),
    );
    const broken = documents.flatMap((file) =>
      [...text(file).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
        .map((match) => match[1] ?? '')
        .filter((target) => !existsSync(join(root, dirname(file), target)))
        .map((target) => `${file}: ${target}`),
    );
    expect(broken).toEqual([]);
  });
});

function withoutComments(code: string): string {
  return code
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '')
    .replaceAll(/\s\/\/ .*$/gm, '');
}
