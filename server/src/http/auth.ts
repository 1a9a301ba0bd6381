import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Env } from '../env.ts';
import { retryAfterS } from '../ingest/pressure.ts';
import { hashKey, parseKey } from '../keys/format.ts';
import type { Bot, Key } from '../keys/records.ts';
import type { Registry } from '../keys/registry.ts';
import { ApiError } from './problem.ts';
import type { BadKeyCounter } from './sources.ts';

/** Who calls. */
export type Principal =
  | { readonly kind: 'key'; readonly key: Key; readonly bot: Bot }
  /** Holder of the token in DATA_DIR: the operator's command line. */
  | { readonly kind: 'admin' };

export interface AuthDeps {
  readonly registry: Registry;
  readonly badKeys: BadKeyCounter;
  readonly env: Pick<Env, 'random' | 'nowMs'>;
  /** SHA-256 of the admin token. */
  readonly adminHash: Buffer;
  /** What an unsure look-up becomes: ingest must say 429, reads 503. */
}

const BEARER = /^Bearer +(\S+) *$/i;
/** Key-like text in a query string, whatever the parameter is called. */
const KEY_IN_QUERY = /(?:bak|bar|baa)_[0-9A-Za-z]{8}_|[?&](?:api_?key|access_token|key|token)=/i;

/**
 * Finds out who calls. An ingest call hears 429 where a reader hears 503, because the SDK drops a batch
 * on 503 and keeps it on 429.
 * @throws ApiError key_missing, key_in_query, key_unknown, too_many_requests, store_down, store_unavailable
 */
export async function authorise(
  request: FastifyRequest,
  deps: AuthDeps,
  purpose: 'ingest' | 'read',
): Promise<Principal> {
  if (KEY_IN_QUERY.test(request.raw.url ?? '')) throw new ApiError('key_in_query');
  const header = request.headers.authorization;
  if (header === undefined) {
    throw new ApiError(purpose === 'ingest' ? 'key_missing' : 'login_required');
  }
  const parsed = parseKey(BEARER.exec(header)?.[1] ?? '');
  if (parsed === undefined) throw badKey(request, deps);
  if (parsed.kind === 'admin') {
    if (purpose === 'read' && timingSafeEqual(hashKey(parsed.text), deps.adminHash)) {
      return { kind: 'admin' };
    }
    throw badKey(request, deps);
  }
  const verdict = await deps.registry.judge(parsed);
  if (verdict.kind === 'good') {
    deps.registry.noteUse(verdict.key.keyId, deps.env.nowMs());
    return { kind: 'key', key: verdict.key, bot: verdict.bot };
  }
  if (verdict.kind === 'bad') throw badKey(request, deps);
  if (purpose === 'read') throw new ApiError('store_unavailable');
  throw new ApiError('store_down', { retryAfterS: retryAfterS('store_down', deps.env.random()) });
}

function badKey(request: FastifyRequest, deps: AuthDeps): ApiError {
  if (!deps.badKeys.isTooMany(request.ip)) return new ApiError('key_unknown');
  const waitS = retryAfterS('too_many_requests', deps.env.random());
  return new ApiError('too_many_requests', { retryAfterS: waitS });
}
