import type { Env } from '../env.ts';
import type { Log } from '../log.ts';
import { rowText } from '../store/inserts.ts';
import { openLogins } from '../store/queries/logins.ts';
import type { Store } from '../store/store.ts';
import { RecordCache } from './record-cache.ts';
import {
  hashSecret,
  isLive,
  isSecret,
  loginFromRow,
  loginValues,
  SECRET_BYTES,
  SEEN_EVERY_MS,
  SESSION_ABSOLUTE_MS,
  type Login,
} from './records.ts';

/** Within this time another process notices a logout. */
const BELIEVED_MS = 2_500;

interface Deps {
  readonly store: Pick<Store, 'read' | 'insert'>;
  readonly env: Env;
  readonly log: Log;
  /** Other processes write to the same store. */
  readonly shared: boolean;
}

/** Login tokens and sessions of the dashboard. Only hashes are kept, in memory and in the store. */
export class Sessions {
  readonly #deps: Deps;
  readonly #cache: RecordCache<Login>;
  /** Tokens whose exchange is under way: two requests at once get one session. */
  readonly #exchanging = new Set<string>();

  constructor(deps: Deps) {
    this.#deps = deps;
    const { env, store, shared } = deps;
    this.#cache = new RecordCache({
      env,
      shared,
      believedMs: BELIEVED_MS,
      load: async () => (await store.read(openLogins, { nowMs: env.nowMs() })).map(loginFromRow),
      idOf: (login) => login.hash,
    });
  }

  /** Reads what is stored, so that a store that goes down later takes nothing away. @throws StoreDownError */
  start(): Promise<void> {
    return this.#cache.refresh();
  }

  /** Makes a token that opens one session within `lifeMs`. @throws StoreDownError */
  async createToken(lifeMs: number): Promise<{ token: string; expiresAtMs: number }> {
    const { secret, login } = await this.#create('token', lifeMs);
    return { token: secret, expiresAtMs: login.expiresAtMs };
  }

  /** Exchanges a token for a session, once. Undefined: unknown, used or expired. @throws StoreDownError */
  async exchange(token: string): Promise<{ secret: string; session: Login } | undefined> {
    if (!isSecret(token)) return undefined;
    await this.#cache.refresh();
    const nowMs = this.#deps.env.nowMs();
    const known = this.#cache.get(hashSecret(token));
    if (known?.kind !== 'token' || !isLive(known, nowMs)) return undefined;
    if (this.#exchanging.has(known.hash)) return undefined;
    this.#exchanging.add(known.hash);
    try {
      // The token ends first: a failure behind it costs a new link, never a second session.
      await this.#save({ ...known, endedAtMs: nowMs, version: known.version + 1 });
      const { secret, login } = await this.#create('session', SESSION_ABSOLUTE_MS);
      return { secret, session: login };
    } finally {
      this.#exchanging.delete(known.hash);
    }
  }

  /** The live session of a cookie; notes the use. @throws StoreDownError */
  async find(secret: string): Promise<Login | undefined> {
    if (!isSecret(secret)) return undefined;
    await this.#cache.refresh();
    const nowMs = this.#deps.env.nowMs();
    const login = this.#cache.get(hashSecret(secret));
    if (login?.kind !== 'session' || !isLive(login, nowMs)) return undefined;
    if (nowMs - login.lastSeenAtMs < SEEN_EVERY_MS) return login;
    const seen = { ...login, lastSeenAtMs: nowMs, version: login.version + 1 };
    this.#cache.put(seen);
    // A use that cannot be written is no reason to refuse the caller.
    this.#write(seen).catch((error: unknown) => {
      this.#deps.log.warn('a use of a session could not be written', { error: String(error) });
    });
    return seen;
  }

  /** Ends a session. @throws StoreDownError */
  async end(login: Login): Promise<void> {
    const endedAtMs = this.#deps.env.nowMs();
    // A use of the session may be written by another process at the same moment: the end must win.
    await this.#save({ ...login, endedAtMs, version: login.version + 1_000 });
  }

  async #create(kind: Login['kind'], lifeMs: number): Promise<{ secret: string; login: Login }> {
    const { env } = this.#deps;
    const nowMs = env.nowMs();
    this.#forgetExpired(nowMs);
    const secret = env.randomBytes(SECRET_BYTES).toString('base64url');
    const login: Login = {
      hash: hashSecret(secret),
      kind,
      createdAtMs: nowMs,
      expiresAtMs: nowMs + lifeMs,
      lastSeenAtMs: nowMs,
      endedAtMs: null,
      version: nowMs,
    };
    await this.#save(login);
    return { secret, login };
  }

  #forgetExpired(nowMs: number): void {
    for (const login of this.#cache.all()) {
      if (login.expiresAtMs <= nowMs) this.#cache.delete(login.hash);
    }
  }

  async #save(login: Login): Promise<void> {
    await this.#write(login);
    this.#cache.put(login);
  }

  #write(login: Login): Promise<void> {
    return this.#deps.store.insert('logins', rowText(loginValues(login)));
  }
}
