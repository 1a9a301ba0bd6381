import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cpus, loadavg, tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { build, defaultClientConditions } from 'vite';
import { BOTS } from '../test/mock/world.ts';
import { startMock } from '../test/mock/server.ts';
import {
  measureCards,
  measureCharts,
  measurePaint,
  measurePlainCards,
  measurePoints,
} from './scenes.ts';
import { allCssBytes, chartChunkBytes, entryBytes } from './sizes.ts';
import { medianOf } from './cpu.ts';

/**
 * `NODE_OPTIONS=--conditions=source npx tsx web/bench/run.ts` after a build of the page: prints a table and
 * writes bench/results/web.md. The soak stands in soak.ts: these figures need a quiet machine for half a
 * minute, that one needs ten minutes of any machine.
 */
const rounds = 5;
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const DIST = here('../dist');
const work = mkdtempSync(join(tmpdir(), 'bench-web-'));

async function buildPages(): Promise<void> {
  await build({
    root: here('pages'),
    logLevel: 'error',
    resolve: { conditions: ['source', ...defaultClientConditions] },
    build: {
      outDir: work,
      target: 'es2022',
      rolldownOptions: { input: [here('pages/plain.html'), here('pages/points.html')] },
    },
  });
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

async function servePages(): Promise<{ url: string; close(): void }> {
  const server = createServer((req, res) => {
    const path = join(work, new URL(req.url ?? '/', 'http://bench').pathname);
    try {
      const bytes = readFileSync(path);
      res.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' });
      res.end(bytes);
    } catch {
      res.writeHead(404);
      res.end();
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Runs `measure` on fresh pages and keeps the middle figures. */
async function repeated<Figure>(
  browser: Browser,
  measure: (page: Page) => Promise<Figure>,
): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (let round = 0; round < rounds; round += 1) {
    /* oxlint-disable no-await-in-loop -- one page at a time, or they share the cores */
    const context = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
    const page = await context.newPage();
    figures.push(await measure(page));
    await context.close();
    /* oxlint-enable no-await-in-loop */
  }
  return figures;
}

interface Row {
  readonly what: string;
  readonly figure: string;
  readonly limit: string;
  readonly plain?: string;
}

const ms = (value: number): string => `${value.toFixed(1)} ms`;
const kb = (bytes: number): string => `${(bytes / 1_000).toFixed(1)} kB`;

async function cardRows(
  browser: Browser,
  mock: Awaited<ReturnType<typeof startMock>>,
  url: string,
): Promise<readonly Row[]> {
  const own = await repeated(browser, (page) => measureCards(page, mock));
  const plain = await repeated(browser, (page) => measurePlainCards(page, url, mock));
  const middle = <Figure>(all: readonly Figure[], of: (one: Figure) => number): number =>
    medianOf(all.map(of));
  return [
    {
      what: 'first mount of 2,000 open cards, CPU',
      figure: ms(middle(own, (one) => one.mountMs)),
      limit: '150 ms',
      plain: ms(middle(plain, (one) => one.mountMs)),
    },
    {
      what: 'delta of 33 shards at 2,000 open cards, CPU',
      figure: ms(middle(own, (one) => one.tickMs)),
      limit: '8 ms',
      plain: ms(middle(plain, (one) => one.tickMs)),
    },
    {
      what: 'long tasks in 30 deltas',
      figure: String(Math.max(...own.map((one) => one.longTasks))),
      limit: '0',
      plain: String(Math.max(...plain.map((one) => one.longTasks))),
    },
    {
      what: 'filter "offline only" at 2,000 open cards, CPU',
      figure: ms(middle(own, (one) => one.filterMs)),
      limit: '160 ms',
    },
  ];
}

async function otherRows(
  browser: Browser,
  mock: Awaited<ReturnType<typeof startMock>>,
  url: string,
): Promise<readonly Row[]> {
  const charts = await repeated(browser, (page) => measureCharts(page, mock));
  const points = await repeated(browser, (page) => measurePoints(page, url));
  const paint = await repeated(browser, (page) =>
    measurePaint(page, `${mock.url}/b/${BOTS.large}/status`),
  );
  const rows: Row[] = [
    { what: 'four charts of 720 points, CPU', figure: ms(medianOf(charts)), limit: '60 ms' },
    { what: 'one chart of 43,200 points, CPU', figure: ms(medianOf(points)), limit: '40 ms' },
    {
      what: 'largest contentful paint, 2,000 shards, localhost',
      figure: ms(medianOf(paint)),
      limit: '1,000 ms',
    },
    {
      what: 'JavaScript before the first draw, app, gzip',
      figure: kb(entryBytes(DIST, 'index.html', '.js')),
      limit: '170 kB',
    },
    {
      what: 'the same, public page',
      figure: kb(entryBytes(DIST, 'public.html', '.js')),
      limit: '90 kB',
    },
    { what: 'chart chunk, gzip', figure: kb(chartChunkBytes(DIST)), limit: '30 kB' },
    { what: 'all style sheets, gzip', figure: kb(allCssBytes(DIST)), limit: '15 kB' },
  ];
  return rows;
}

function table(rows: readonly Row[]): string {
  const day = new Date().toISOString().slice(0, 10);
  const lines = rows.map(
    (row) => `| ${row.what} | ${row.figure} | ${row.plain ?? ''} | ${row.limit} |`,
  );
  return `# The page in Chromium

${day}, ${cpus().length} cores ${cpus()[0]?.model.trim() ?? ''}, Linux, Node ${process.version}, headless Chromium, load average ${loadavg()[0]?.toFixed(1)}.
CPU of the main thread (\`threadTicks\`), script, style, layout and paint together; median of ${rounds} fresh pages.
"Plain" is the same page in plain DOM code with the same style sheets, in the same run.
\`NODE_OPTIONS=--conditions=source npx tsx web/bench/run.ts\`. The heap over ten minutes: [web-soak.md](web-soak.md).

| measure | figure | plain | limit |
|---|---|---|---|
${lines.join('\n')}
`;
}

await buildPages();
const pages = await servePages();
const mock = await startMock();
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  const rows = [
    ...(await cardRows(browser, mock, pages.url)),
    ...(await otherRows(browser, mock, pages.url)),
  ];
  const text = table(rows);
  process.stdout.write(text);
  writeFileSync(here('../../bench/results/web.md'), text);
} finally {
  await browser.close();
  await mock.close();
  pages.close();
  rmSync(work, { recursive: true, force: true });
}
