import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const gzipBytes = (path: string): number => gzipSync(readFileSync(path), { level: 9 }).length;

/** Bytes over the wire of everything that an entry page asks for before it runs. */
export function entryBytes(dist: string, page: string, ending: '.js' | '.css'): number {
  const html = readFileSync(join(dist, page), 'utf8');
  const found = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(
    (match) => match[1] ?? '',
  );
  return found
    .filter((path) => path.endsWith(ending))
    .reduce((sum, path) => sum + gzipBytes(join(dist, path)), 0);
}

/** All style sheets together. */
export function allCssBytes(dist: string): number {
  return readdirSync(join(dist, 'assets'))
    .filter((name) => name.endsWith('.css'))
    .reduce((sum, name) => sum + gzipBytes(join(dist, 'assets', name)), 0);
}

/** The chunk that holds the chart library. */
export function chartChunkBytes(dist: string): number {
  const names = readdirSync(join(dist, 'assets')).filter((name) => name.endsWith('.js'));
  const chunk = names.find((name) =>
    readFileSync(join(dist, 'assets', name), 'utf8').includes('uplot'),
  );
  return chunk === undefined ? Number.NaN : gzipBytes(join(dist, 'assets', chunk));
}
