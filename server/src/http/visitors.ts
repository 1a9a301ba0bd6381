import type { FastifyRequest } from 'fastify';
import type { Registry } from '../keys/registry.ts';
import { readSessionCookie } from '../sessions/cookie.ts';
import { mayChange } from '../sessions/origin.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Shares } from '../sessions/shares.ts';
import { StoreDownError, StoreRefusedError } from '../store/errors.ts';
import type { Principal } from './auth.ts';
import { ApiError } from './problem.ts';
import type { BadKeyCounter } from './sources.ts';

export interface VisitorDeps {
  readonly sessions: Sessions;
  readonly shares: Shares;
  readonly registry: Registry;
  readonly badKeys: BadKeyCounter;
  /** Address of the dashboard, with scheme. */
  readonly publicUrl: () => string;
}

/** Seconds that a source with too many wrong tokens waits. server.md T10. */
const WRONG_TOKEN_WAIT_S = 60;

/** For people who opened a login link a second time, or a day late. */
const USED_LINK = 'This login link is used up, too old or wrong. Make a new one.';

/** Callers without a key: the dashboard's sessions and the holders of share links. */
export class Visitors {
  readonly #deps: VisitorDeps;

  constructor(deps: VisitorDeps) {
    this.#deps = deps;
  }

  /** True when browsers reach the dashboard over https. */
  isSecure(): boolean {
    return this.#deps.publicUrl().startsWith('https:');
  }

  /** True when a page of our own may have sent this change. */
  isFromOurPage(request: FastifyRequest): boolean {
    const { origin } = new URL(this.#deps.publicUrl());
    return mayChange(request.method, request.headers, origin);
  }

  /**
   * The session of the cookie; undefined without a live one.
   * @throws ApiError origin_refused, store_unavailable
   */
  async session(request: FastifyRequest): Promise<Principal | undefined> {
    const secret = readSessionCookie(request.headers.cookie, this.isSecure());
    if (secret === undefined) return undefined;
    const session = await available(this.#deps.sessions.find(secret));
    if (session === undefined) return undefined;
    if (!this.isFromOurPage(request)) throw new ApiError('origin_refused');
    return { kind: 'session', session };
  }

  /**
   * The open share link whose token is in the path.
   * @throws ApiError not_found, too_many_requests, store_unavailable
   */
  async share(request: FastifyRequest): Promise<Principal> {
    const { token = '' } = request.params as { readonly token?: string };
    const share = await available(this.#deps.shares.find(token));
    const bot = share === undefined ? undefined : this.#deps.registry.bot(share.botId);
    if (share !== undefined && bot !== undefined) return { kind: 'share', share, bot };
    throw this.wrongToken(request, 'not_found');
  }

  /** The answer to a token that opens nothing; after too many of them, 429. */
  wrongToken(request: FastifyRequest, code: 'not_found' | 'login_required'): ApiError {
    return this.#deps.badKeys.isTooMany(request.ip)
      ? new ApiError('too_many_requests', { retryAfterS: WRONG_TOKEN_WAIT_S })
      : new ApiError(code, code === 'login_required' ? { detail: USED_LINK } : {});
  }
}

/** A store that cannot be asked never makes a caller wrong. server.md T11. */
async function available<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const isStore = error instanceof StoreDownError || error instanceof StoreRefusedError;
    throw isStore ? new ApiError('store_unavailable') : error;
  }
}
