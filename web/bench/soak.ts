import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { chromium } from 'playwright-core';
import { startMock } from '../test/mock/server.ts';
import { measureSoak } from './scenes.ts';

/**
 * `NODE_OPTIONS=--conditions=source npx tsx web/bench/soak.ts [minutes]` after a build of the page: growth of
 * the heap under a delta a second, 10 minutes unless told otherwise; writes bench/results/web-soak.md.
 */
const minutes = Number(process.argv[2] ?? 10);
const mock = await startMock();
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
  const grown = await measureSoak(await context.newPage(), mock, minutes);
  const day = new Date().toISOString().slice(0, 10);
  const text = `# The heap of the page over ${minutes} minutes

${day}, ${cpus().length} cores ${cpus()[0]?.model.trim() ?? ''}, Linux, Node ${process.version}, headless Chromium, load average ${loadavg()[0]?.toFixed(1)}.
2,000 open cards, a delta of 33 shards each second; live bytes after a collection, the end less the beginning.
\`NODE_OPTIONS=--conditions=source npx tsx web/bench/soak.ts [minutes]\`.

| measure | figure | limit |
|---|---|---|
| heap growth in ${minutes} min of deltas | ${(grown / 1e6).toFixed(2)} MB | 5 MB |
`;
  process.stdout.write(text);
  writeFileSync(new URL('../../bench/results/web-soak.md', import.meta.url), text);
} finally {
  await browser.close();
  await mock.close();
}
