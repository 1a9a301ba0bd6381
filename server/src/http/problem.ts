import { ERROR_CODES, type ErrorCode, type Problem } from '@bot-analytics/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';

interface ApiErrorOptions {
  /** What is wrong with this very request; default the help of the code. */
  readonly detail?: string;
  readonly retryAfterS?: number;
  readonly errors?: NonNullable<Problem['errors']>;
  /** Further headers, such as Allow. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The only error whose content reaches a client; any other becomes `internal`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly options: ApiErrorOptions;

  constructor(code: ErrorCode, options: ApiErrorOptions = {}) {
    super(code);
    this.code = code;
    this.options = options;
  }
}

/** Seconds that a reader waits for the store: it is back within 3 s. */
const STORE_RETRY_AFTER_S = 3;

/** Status, headers and body of an error answer. RFC 9457. */
export function problemOf(
  error: ApiError,
  requestId: string,
): {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
} {
  const { code, options } = error;
  const { status, title, help } = ERROR_CODES[code];
  const problem: Problem = {
    type: `urn:bot-analytics:problem:${code}`,
    title,
    status,
    detail: options.detail ?? help,
    instance: requestId,
    code,
    ...(options.errors === undefined ? {} : { errors: options.errors }),
  };
  const retryAfterS = options.retryAfterS ?? (status === 503 ? STORE_RETRY_AFTER_S : undefined);
  const headers = {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    ...(retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) }),
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    ...options.headers,
  };
  return { status, headers, body: JSON.stringify(problem) };
}

/** Sends an error answer over a connection that may live on. */
export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  error: ApiError,
): FastifyReply {
  const { status, headers, body } = problemOf(error, request.id);
  return reply.code(status).headers(headers).send(body);
}
