import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GZIP_BYTES_MIN, takesGzip } from './compress.ts';
import { ApiError, sendProblem } from '../problem.ts';

/** The built page, beside `server/` whether this runs from `src/` or `dist/`. */
const WEB_DIST = fileURLToPath(new URL('../../../../web/dist/', import.meta.url));

/**
 * Nothing inline, nothing from elsewhere, no text into a script or HTML sink. server.md T4. Browsers
 * without Trusted Types ignore the last two.
 */
const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  // The address of a public page is its secret.
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
  'cross-origin-opener-policy': 'same-origin',
} as const;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};
const TEXT = /^text\/|json|svg/;

/** Names that Vite makes from the content, `assets/index-Bx3k9_aQ.js`: they never change. */
const HASHED = /^\/assets\/.*-[\w-]{8}\.\w+$/;

interface WebFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly gzip: Buffer | null;
  readonly etag: string;
  readonly cache: string;
}

/** Pages of the router; everything else that is no file is not there. ui.md D1. */
const PAGE = /^\/(?:(?:login|new|b|p)(?:\/.*)?)?$/;
/** Addresses that a person may have typed: no interface, no file. */
const MISTYPED = /^\/(?!v1(?:\/|$))[\w/-]*$/;
const PUBLIC_PAGE = /^\/p(?:\/|$)/;

function readWebFile(folder: string, path: string): WebFile | undefined {
  const type = TYPES[extname(path)];
  // Source maps and whatever else a build may leave behind are not for the public.
  if (type === undefined) return undefined;
  const bytes = readFileSync(join(folder, path));
  const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  const isHtml = path.endsWith('.html');
  return {
    type,
    bytes,
    gzip: TEXT.test(type) && bytes.length >= GZIP_BYTES_MIN ? gzipSync(bytes, { level: 9 }) : null,
    etag: `"${digest}"`,
    cache: isHtml
      ? 'no-cache'
      : HASHED.test(path)
        ? 'public, max-age=31536000, immutable'
        : 'public, max-age=3600',
  };
}

/**
 * The files of a built page, read once: about a megabyte. A request is looked up by its exact path and
 * never becomes the name of a file, so there is no path to climb out of. Decision 0073.
 */
export function readWebFiles(folder: string = WEB_DIST): ReadonlyMap<string, WebFile> {
  const files = new Map<string, WebFile>();
  if (!existsSync(folder)) return files;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    // A link could point anywhere.
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name).slice(join(folder, '/').length - 1);
    const file = readWebFile(folder, path);
    if (file !== undefined) files.set(path, file);
  }
  return files;
}

/** True for a path that a router could have made: it decodes, and no part of it climbs. */
function isClean(path: string): boolean {
  try {
    const decoded = decodeURIComponent(path);
    return !/[\\\0]|\/\/|(?:^|\/)\.{1,2}(?:\/|$)|%/.test(decoded);
  } catch {
    return false;
  }
}

const NOT_BUILT =
  'The page is not built: run `npm run build` and start the server again. The interface under /v1 works.\n';

/** Serves the page: files by their exact path, the router's pages by its two entries. */
export function registerWebFiles(
  app: FastifyInstance,
  files: ReadonlyMap<string, WebFile> = readWebFiles(),
): void {
  app.get('/*', { exposeHeadRoute: true }, (request, reply) => {
    const path = request.raw.url?.split('?', 1)[0] ?? '';
    const file = files.get(path);
    if (file !== undefined && !path.endsWith('.html')) return sendFile(request, reply, file);
    if (!PAGE.test(path) || !isClean(path)) return sendNotFound(request, reply, path, files);
    const page = files.get(PUBLIC_PAGE.test(path) ? '/public.html' : '/index.html');
    if (page !== undefined) return sendFile(request, reply, page);
    return reply.code(503).headers(PAGE_HEADERS).type('text/plain; charset=utf-8').send(NOT_BUILT);
  });
}

/** People get the page that says so; programs, and whoever looks for files, a problem document. */
function sendNotFound(
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
  files: ReadonlyMap<string, WebFile>,
): FastifyReply {
  const page = files.get('/index.html');
  const isPerson = request.headers.accept?.includes('text/html') === true;
  if (page === undefined || !isPerson || !MISTYPED.test(path) || !isClean(path)) {
    return sendProblem(request, reply, new ApiError('not_found'));
  }
  void reply.code(404).headers(PAGE_HEADERS).header('cache-control', 'no-store');
  return reply.type(page.type).send(page.bytes);
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: WebFile): FastifyReply {
  void reply.headers(PAGE_HEADERS).headers({
    'cache-control': file.cache,
    etag: file.etag,
    vary: 'accept-encoding',
  });
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
  void reply.type(file.type);
  if (!takesGzip(request) || file.gzip === null) return reply.send(file.bytes);
  return reply.header('content-encoding', 'gzip').send(file.gzip);
}
