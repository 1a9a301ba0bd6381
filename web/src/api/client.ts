import type { ErrorCode, Problem } from '@bot-analytics/protocol';
import { env } from '../env.ts';
import { addressOf } from './routes.ts';
import type { Answer, Body, CallName, PathValues, QueryValues } from './routes.ts';

/** Why a call failed, in words for the person at the screen. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  readonly code: ErrorCode | 'no_answer' | 'unreadable_answer';
  /** Request id, for the operator's logs; null when no answer came. */
  readonly requestId: string | null;

  constructor(of: {
    status: number;
    code: ApiFailure['code'];
    message: string;
    requestId: string | null;
  }) {
    super(of.message);
    this.status = of.status;
    this.code = of.code;
    this.requestId = of.requestId;
  }
}

/** Parameters of a call. */
export interface CallOptions<Name extends CallName> {
  readonly path?: PathValues;
  readonly query?: QueryValues;
  readonly body?: Body<Name>;
  readonly signal?: AbortSignal;
}

function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'code' in value && 'title' in value;
}

async function failureOf(response: Response): Promise<ApiFailure> {
  const value: unknown = await response.json().catch(() => undefined);
  if (isProblem(value)) {
    const message = value.detail === '' ? value.title : value.detail;
    return new ApiFailure({
      status: response.status,
      code: value.code,
      message,
      requestId: value.instance,
    });
  }
  return new ApiFailure({
    status: response.status,
    code: 'unreadable_answer',
    message: `The server answered with status ${response.status}.`,
    requestId: null,
  });
}

/** Asks the server. Throws `ApiFailure`, or the abort of `signal`. */
export async function call<Name extends CallName>(
  name: Name,
  options: CallOptions<Name> = {},
): Promise<Answer<Name>> {
  const { method, url } = addressOf(name, options.path, options.query);
  const init: RequestInit = { method, headers: { accept: 'application/json' } };
  if (options.signal !== undefined) init.signal = options.signal;
  if (options.body !== undefined) {
    init.body = JSON.stringify(options.body);
    init.headers = { accept: 'application/json', 'content-type': 'application/json' };
  }
  let response: Response;
  try {
    response = await env.fetch(url, init);
  } catch (error) {
    if (options.signal?.aborted === true) throw error;
    throw new ApiFailure({
      status: 0,
      code: 'no_answer',
      message: 'The server cannot be reached.',
      requestId: null,
    });
  }
  if (!response.ok) throw await failureOf(response);
  if (response.status === 204) return null as Answer<Name>; // The table says z.null() for 204.
  // The server checks its own answers against the same table in its tests.
  return (await response.json()) as Answer<Name>;
}
