import type { RestFaultInput, RestFaultKind } from './faults.ts';

/** An answer ready for the socket. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Kinds that are answered in place of the handler. */
export type AnsweredFaultKind = Exclude<RestFaultKind, 'delay' | 'reset'>;

const RETRY_AFTER_DEFAULT_SECONDS = 0.3;
const JSON_TYPE = { 'Content-Type': 'application/json' } as const;

/** What the platform (or its CDN) says instead of doing the work. */
export function faultAnswer(
  kind: AnsweredFaultKind,
  input: RestFaultInput,
  bucketHeaders: Readonly<Record<string, string>>,
): HttpAnswer {
  const seconds = input.retryAfterSeconds ?? RETRY_AFTER_DEFAULT_SECONDS;
  switch (kind) {
    case 'rate-limit-bucket':
      return limited(seconds, false, { ...used(bucketHeaders, seconds), ...scope('user') });
    case 'rate-limit-shared':
      return limited(seconds, false, { ...used(bucketHeaders, seconds), ...scope('shared') });
    case 'rate-limit-global':
      return limited(seconds, true, { 'X-RateLimit-Global': 'true', ...scope('global') });
    case 'rate-limit-edge':
      return {
        status: 429,
        headers: { 'Content-Type': 'text/html', 'Retry-After': String(Math.ceil(seconds)) },
        body: '<!doctype html><title>Access denied</title><p>error code: 1015</p>',
      };
    case 'unauthorized':
      return problem(401, 0, '401: Unauthorized');
    case 'forbidden':
      return problem(403, input.code ?? 50013, 'Missing Permissions');
    case 'server-error':
      return problem(input.status ?? 500, 0, `${input.status ?? 500}: Internal Server Error`);
  }
}

/** The platform's error body. */
export function problem(status: number, code: number, message: string): HttpAnswer {
  return { status, headers: JSON_TYPE, body: JSON.stringify({ message, code }) };
}

/** A 429 in the platform's own form. */
export function limited(
  seconds: number,
  global: boolean,
  headers: Readonly<Record<string, string>>,
): HttpAnswer {
  return {
    status: 429,
    headers: { ...JSON_TYPE, 'Retry-After': String(Math.ceil(seconds)), ...headers },
    body: JSON.stringify({ message: 'You are being rate limited.', retry_after: seconds, global }),
  };
}

function scope(name: string): Record<string, string> {
  return { 'X-RateLimit-Scope': name };
}

/** The bucket's headers, with nothing left for as long as the 429 says. */
function used(headers: Readonly<Record<string, string>>, seconds: number): Record<string, string> {
  return {
    ...headers,
    'X-RateLimit-Remaining': '0',
    'X-RateLimit-Reset-After': seconds.toFixed(3),
  };
}
