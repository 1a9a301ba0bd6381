import type { Socket } from 'node:net';
import { INGEST_PATH } from '@bot-analytics/protocol';
import fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import type { Env } from '../env.ts';
import type { Pressure } from '../ingest/pressure.ts';
import type { Log } from '../log.ts';
import { ApiError, sendProblem } from './problem.ts';

/** JSON bodies of every route but the ingestion call. */
const BODY_BYTES_MAX = 65_536;

/**
 * Time limits. An SDK flushes every 5 s over one connection, so 5 s of keep-alive would race with it;
 * headers and bodies that trickle in must not hold sockets. server.md P6.
 */
const TIMES = {
  keepAliveTimeout: 70_000,
  requestTimeout: 30_000,
  headersTimeout: 10_000,
  connectionsCheckingInterval: 5_000,
} as const;

export interface AppDeps {
  readonly config: Pick<Config, 'trustedProxies' | 'maxConnections'>;
  readonly env: Env;
  readonly log: Log;
  readonly pressure: Pressure;
}

/** Codes of Fastify's own errors, as ours. */
const FASTIFY_CODES: Readonly<Record<string, ApiError['code']>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_json',
  FST_ERR_BAD_URL: 'not_found',
};

function apiErrorOf(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known = FASTIFY_CODES[code];
  if (known !== undefined) return new ApiError(known);
  return error instanceof SyntaxError ? new ApiError('invalid_json') : undefined;
}

/** The HTTP server without routes: limits, errors, request ids, log lines. */
export function createApp({ config, env, log, pressure }: AppDeps): FastifyInstance {
  const { trustedProxies } = config;
  const app = fastify({
    ...TIMES,
    logger: false,
    bodyLimit: BODY_BYTES_MAX,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    genReqId: () => env.randomBytes(12).toString('base64url'),
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    onProtoPoisoning: 'remove',
    onConstructorPoisoning: 'remove',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    http: { connectionsCheckingInterval: TIMES.connectionsCheckingInterval },
    frameworkErrors: (error, request, reply) => {
      void sendProblem(request, reply, apiErrorOf(error) ?? new ApiError('not_found'));
    },
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket),
  });
  app.server.maxConnections = config.maxConnections;
  app.server.headersTimeout = TIMES.headersTimeout;
  addHooks(app, { env, log, pressure });
  app.setNotFoundHandler((request, reply) =>
    sendProblem(request, reply, new ApiError('not_found')),
  );
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const known = apiErrorOf(error);
    if (known !== undefined) return sendProblem(request, reply, known);
    // A client that went away is no fault of ours.
    if (request.raw.destroyed) {
      log.debug('request was given up', { requestId: request.id });
    } else {
      log.error('request failed', { requestId: request.id, error: error.stack ?? String(error) });
    }
    return sendProblem(request, reply, new ApiError('internal'));
  });
  return app;
}

function addHooks(app: FastifyInstance, deps: Pick<AppDeps, 'env' | 'log' | 'pressure'>): void {
  const { log, pressure } = deps;
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    // The ingestion call answers by itself, because its body may have to be drained.
    if (!pressure.stopping || request.routeOptions.url === INGEST_PATH) return;
    void reply.header('connection', 'close');
    throw new ApiError('shutting_down', { retryAfterS: 2 });
  });
  app.addHook('onResponse', async (request, reply) => {
    // The pattern of the route, never the address: it may hold a key that should not be there.
    log.debug('request', {
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    });
  });
}

/** Status line for a request that Node could not read. RFC 9110. */
const BROKEN: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = BROKEN[error.code ?? ''] ?? '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
