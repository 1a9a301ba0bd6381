import type { JsonObject } from '../json.ts';
import type { Platform } from '../platform.ts';

/** A request after its route was found and its body read. */
export interface RestRequest {
  readonly method: string;
  /** Value of a `{name}` in the template, decoded. */
  param(name: string): string;
  readonly query: URLSearchParams;
  /** The JSON object of the body, or of `payload_json` in a multipart one; else empty. */
  readonly body: JsonObject;
  /** A body that is a JSON array: command lists. */
  readonly list: readonly JsonObject[];
  /** `X-Audit-Log-Reason`, decoded. */
  readonly reason: string | null;
}

export interface RestReply {
  readonly status: number;
  readonly body?: unknown;
}

export type RestHandler = (platform: Platform, request: RestRequest) => RestReply;

/** `[method, template, handler]`; `open` routes are proven by a token in the path instead. */
export type RestRoute = readonly [
  method: string,
  template: string,
  handler: RestHandler,
  access?: 'open',
];

export const NO_CONTENT: RestReply = { status: 204 };

/** A yes-or-no query parameter: the libraries write `true`, `True` or `1`. */
export function isSet(query: URLSearchParams, name: string): boolean {
  return ['true', '1'].includes((query.get(name) ?? '').toLowerCase());
}

export function ok(body: unknown): RestReply {
  return { status: 200, body };
}

export function created(body: unknown): RestReply {
  return { status: 201, body };
}
