import { ROUTES, type Route } from '@bot-analytics/protocol/read-api';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Registry } from '../keys/registry.ts';
import { GZIP_HEADER } from '../status/frames.ts';
import type { StatusHub, Viewer } from '../status/hub.ts';
import { takesGzip } from './page/compress.ts';
import { botOf } from './admin.ts';
import type { AuthDeps } from './auth.ts';
import { ApiError } from './problem.ts';
import { sharedBot } from './read-share.ts';
import { identify, type Handlers } from './routes.ts';

interface Deps {
  readonly hub: StatusHub;
  readonly registry: Registry;
  readonly auth: AuthDeps;
}

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  vary: 'accept-encoding',
  // nginx would hold the events back.
  'x-accel-buffering': 'no',
} as const;

function viewerOf(request: FastifyRequest, reply: FastifyReply, route: Route, auth: AuthDeps) {
  const { raw } = reply;
  const isPacked = takesGzip(request);
  return {
    write: (frame) => void raw.write(isPacked ? frame.packed : frame.plain),
    queuedBytes: () => raw.writableLength,
    // What is queued may never be taken: a slow viewer is cut off, not waited for.
    close: () => void (raw.writableLength > 0 ? raw.destroy() : raw.end()),
    async mayStay() {
      try {
        await identify(route, request, auth);
        return true;
      } catch (error) {
        // A store that cannot be asked makes nobody a stranger. server.md T11.
        return error instanceof ApiError && error.code === 'store_unavailable';
      }
    },
  } satisfies Viewer;
}

/** Live status as server-sent events, for callers with a login or key and for public links. */
export function streamHandlers({ hub, registry, auth }: Deps): Handlers {
  function open(
    io: { readonly request: FastifyRequest; readonly reply: FastifyReply },
    route: Route,
    botId: string,
  ): undefined {
    const { request, reply } = io;
    if (request.headers['sec-fetch-site'] === 'cross-site') throw new ApiError('origin_refused');
    if (hub.isFull()) throw new ApiError('too_many_streams');
    reply.hijack();
    const { raw } = reply;
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) raw.setHeader(name, value);
    }
    const isPacked = takesGzip(request);
    raw.writeHead(200, { ...HEADERS, ...(isPacked ? { 'content-encoding': 'gzip' } : {}) });
    if (request.method === 'HEAD') {
      raw.end();
      return undefined;
    }
    if (isPacked) raw.write(GZIP_HEADER);
    raw.socket?.setNoDelay(true);
    const lastEventId = request.headers['last-event-id'];
    const viewer = viewerOf(request, reply, route, auth);
    const close = hub.open(
      botId,
      viewer,
      typeof lastEventId === 'string' ? lastEventId : undefined,
    );
    raw.on('close', () => close?.());
    return undefined;
  }
  return {
    async statusStream(call) {
      return open(call, ROUTES.statusStream, botOf(registry, call).botId);
    },
    async publicStatusStream(call) {
      return open(call, ROUTES.publicStatusStream, sharedBot(call, 'status').botId);
    },
  };
}
