import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answerApi } from './api.ts';
import { MockWorld } from './world.ts';

/** The policy that the real server sends. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

function sendFile(path: string, res: ServerResponse): void {
  const wanted = join(DIST, normalize(path));
  const isPublic = path.startsWith('/p/');
  const shell = join(DIST, isPublic ? 'public.html' : 'index.html');
  const file = extname(wanted) !== '' && existsSync(wanted) ? wanted : shell;
  res.writeHead(200, {
    'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
    'content-security-policy': POLICY,
  });
  createReadStream(file).pipe(res);
}

/** A stand-in for the server, with scripted answers and a scripted stream. */
export interface MockServer {
  readonly url: string;
  readonly world: MockWorld;
  close(): Promise<void>;
}

/** Serves `dist/` and the scripted API on a port of the system's choice. */
export async function startMock(world = new MockWorld()): Promise<MockServer> {
  const handle = (req: IncomingMessage, res: ServerResponse): void => {
    const url = new URL(req.url ?? '/', 'http://mock');
    if (url.pathname.startsWith('/v1/')) void answerApi(world, { req, res, url });
    else sendFile(url.pathname, res);
  };
  const server: Server = createServer(handle);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    world,
    close: () =>
      new Promise<void>((resolve) => {
        world.dropStreams();
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
