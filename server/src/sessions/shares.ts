import { SHARE_SECTIONS, type ShareSection } from '@bot-analytics/protocol/read-api';
import type { Env } from '../env.ts';
import { rowText } from '../store/inserts.ts';
import { allShares, type ShareRow } from '../store/queries/shares.ts';
import type { Store } from '../store/store.ts';
import { RecordCache } from './record-cache.ts';
import { hashSecret, isSecret, SECRET_BYTES } from './records.ts';

/** One public link, without its secret. */
export interface Share {
  /** Public part, 8 characters. */
  readonly shareId: string;
  readonly botId: string;
  /** SHA-256 of the token, hex. */
  readonly hash: string;
  readonly sections: readonly ShareSection[];
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  readonly version: number;
}

/** A revocation by another process holds within this time. server.md T13: 1 s. */
const BELIEVED_MS = 900;
/** Bytes of the public part: 8 characters of base64url. */
const SHARE_ID_BYTES = 6;

const numberOrNull = (text: string | null): number | null => (text === null ? null : Number(text));

function shareFromRow(row: ShareRow): Share {
  return {
    shareId: row.share_id,
    botId: row.bot_id,
    hash: row.hash,
    sections: SHARE_SECTIONS.filter((section) => row.sections.split(',').includes(section)),
    createdAtMs: Number(row.created_ms),
    expiresAtMs: numberOrNull(row.expires_ms),
    revokedAtMs: numberOrNull(row.revoked_ms),
    version: Number(row.version),
  };
}

function isOpen(share: Share, nowMs: number): boolean {
  return share.revokedAtMs === null && (share.expiresAtMs === null || nowMs < share.expiresAtMs);
}

interface Deps {
  readonly store: Pick<Store, 'read' | 'insert'>;
  readonly env: Env;
  /** Other processes write to the same store. */
  readonly shared: boolean;
}

/** Public links of bots. Only hashes of their tokens are kept. */
export class Shares {
  readonly #deps: Deps;
  readonly #cache: RecordCache<Share>;
  readonly #byHash = new Map<string, string>();

  constructor(deps: Deps) {
    this.#deps = deps;
    const { env, store, shared } = deps;
    this.#cache = new RecordCache({
      env,
      shared,
      believedMs: BELIEVED_MS,
      load: async () => {
        const shares = (await store.read(allShares, {})).map(shareFromRow);
        for (const share of shares) this.#byHash.set(share.hash, share.shareId);
        return shares;
      },
      idOf: (share) => share.shareId,
    });
  }

  /** Reads what is stored, so that a store that goes down later takes nothing away. @throws StoreDownError */
  start(): Promise<void> {
    return this.#cache.refresh();
  }

  /** Links of a bot, newest first. @throws StoreDownError */
  async of(botId: string): Promise<readonly Share[]> {
    await this.#cache.refresh();
    const shares = this.#cache.all().filter((share) => share.botId === botId);
    return shares.sort((a, b) => b.createdAtMs - a.createdAtMs);
  }

  /** One link by its public part. @throws StoreDownError */
  async get(shareId: string): Promise<Share | undefined> {
    await this.#cache.refresh();
    return this.#cache.get(shareId);
  }

  /** The open link of a token. @throws StoreDownError */
  async find(token: string): Promise<Share | undefined> {
    if (!isSecret(token)) return undefined;
    await this.#cache.refresh();
    const share = this.#cache.get(this.#byHash.get(hashSecret(token)) ?? '');
    return share !== undefined && isOpen(share, this.#deps.env.nowMs()) ? share : undefined;
  }

  /** Makes a link; its token is returned once and kept nowhere. @throws StoreDownError */
  async create(
    botId: string,
    sections: readonly ShareSection[],
    expiresAtMs: number | null,
  ): Promise<{ share: Share; token: string }> {
    const { env } = this.#deps;
    const nowMs = env.nowMs();
    const token = env.randomBytes(SECRET_BYTES).toString('base64url');
    const share: Share = {
      shareId: env.randomBytes(SHARE_ID_BYTES).toString('base64url'),
      botId,
      hash: hashSecret(token),
      sections: SHARE_SECTIONS.filter((section) => sections.includes(section)),
      createdAtMs: nowMs,
      expiresAtMs,
      revokedAtMs: null,
      version: nowMs,
    };
    await this.#save(share);
    return { share, token };
  }

  /** Ends a link; ending it twice changes nothing. @throws StoreDownError */
  async revoke(share: Share): Promise<void> {
    if (share.revokedAtMs !== null) return;
    const revokedAtMs = this.#deps.env.nowMs();
    await this.#save({ ...share, revokedAtMs, version: share.version + 1 });
  }

  async #save(share: Share): Promise<void> {
    const { store } = this.#deps;
    await store.insert(
      'shares',
      rowText([
        share.shareId,
        share.botId,
        share.hash,
        share.sections.join(','),
        share.createdAtMs,
        share.expiresAtMs,
        share.revokedAtMs,
        share.version,
      ]),
    );
    this.#byHash.set(share.hash, share.shareId);
    this.#cache.put(share);
  }
}
