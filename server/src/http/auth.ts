import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Env } from '../env.ts';
import { retryAfterS } from '../ingest/pressure.ts';
import { hashKey, parseKey } from '../keys/format.ts';
import type { Bot, Key } from '../keys/records.ts';
import type { Registry } from '../keys/registry.ts';
import type { Login } from '../sessions/records.ts';
import type { Share } from '../sessions/shares.ts';
import { ApiError } from './problem.ts';
import type { BadKeyCounter } from './sources.ts';
import type { Visitors } from './visitors.ts';

/** Who calls. */
export type Principal =
  | { readonly kind: 'key'; readonly key: Key; readonly bot: Bot }
  /** Holder of the token in DATA_DIR: the operator's command line. */
  | { readonly kind: 'admin' }
  /** The operator at the dashboard. */
  | { readonly kind: 'session'; readonly session: Login }
  /** Holder of a public link to some sections of one bot. */
  | { readonly kind: 'share'; readonly share: Share; readonly bot: Bot };

export interface AuthDeps {
  readonly registry: Registry;
  readonly badKeys: BadKeyCounter;
  readonly env: Pick<Env, 'random' | 'nowMs'>;
  /** SHA-256 of the admin token. */
  readonly adminHash: Buffer;
  /** Callers without a key. */
  readonly visitors: Visitors;
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
    if (purpose === 'ingest') throw new ApiError('key_missing');
    const session = await deps.visitors.session(request);
    if (session === undefined) throw new ApiError('login_required');
    return session;
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
