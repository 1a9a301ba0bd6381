import { timingSafeEqual } from 'node:crypto';
import type { Env } from '../env.ts';
import type { Log } from '../log.ts';
import { allBots, allKeys, allKeyUses } from '../store/queries/bots.ts';
import { rowText } from '../store/inserts.ts';
import type { Store } from '../store/store.ts';
import { hashKey, makeKey, type ParsedKey } from './format.ts';
import {
  botFromRow,
  botValues,
  keyFromRow,
  keyState,
  keyValues,
  newVersion,
  type Bot,
  type BotChange,
  type Key,
  type KeyScope,
} from './records.ts';
import { uuidV7 } from './uuid.ts';

/** Other processes' changes are seen within this time; a revocation must hold within 5 s. server.md T9. */
export const REFRESH_MS = 2_500;
/** Beyond this age the memory may miss a revocation, so an answer is "not now", never "wrong key". */
const STALE_MS = 5_000;
/** Least time between two look-ups for keys that memory does not know. */
const MISS_REFRESH_MS = 500;
const USE_FLUSH_MS = 60_000;
/** Retention of a new bot. server.md V4. */
const RETENTION_DAYS_DEFAULT = 90;

/** `unsure`: the store could not be asked, so nobody may say that the key is wrong. */
export type KeyVerdict =
  | { readonly kind: 'good'; readonly key: Key; readonly bot: Bot }
  | { readonly kind: 'bad' }
  | { readonly kind: 'unsure' };

interface Use {
  readonly atMs: number;
  readonly sdk: string | null;
}

interface Deps {
  readonly store: Store;
  readonly env: Env;
  readonly log: Log;
  /** Other processes write to the same store (STORE_URL): refresh, and ask the store on a miss. */
  readonly shared: boolean;
}

/** Bots and keys, kept in memory and written through to the store. */
export class Registry {
  readonly #deps: Deps;
  #bots = new Map<string, Bot>();
  #keys = new Map<string, Key>();
  readonly #uses = new Map<string, Use>();
  readonly #unsavedUses = new Set<string>();
  readonly #timers: (() => void)[] = [];
  #loadedAtMs = Number.NEGATIVE_INFINITY;
  #refresh: Promise<boolean> | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Fills the memory and starts the timers. @throws StoreDownError */
  async start(): Promise<void> {
    await this.#load();
    const { env, shared } = this.#deps;
    if (shared) this.#timers.push(env.every(REFRESH_MS, () => void this.refresh()));
    this.#timers.push(env.every(USE_FLUSH_MS, () => void this.flushUses()));
  }

  async stop(): Promise<void> {
    for (const cancel of this.#timers) cancel();
    await this.flushUses();
  }

  /** False while the server starts: nothing is known yet, which is not the same as "there is nothing". */
  get isLoaded(): boolean {
    return this.#loadedAtMs !== Number.NEGATIVE_INFINITY;
  }

  bots(): readonly Bot[] {
    return [...this.#bots.values()].filter((bot) => bot.removedAtMs === null);
  }

  bot(botId: string): Bot | undefined {
    const bot = this.#bots.get(botId);
    return bot?.removedAtMs === null ? bot : undefined;
  }

  key(keyId: string): Key | undefined {
    return this.#keys.get(keyId);
  }

  keysOf(botId: string): readonly Key[] {
    return [...this.#keys.values()].filter((key) => key.botId === botId);
  }

  lastUse(keyId: string): Use | undefined {
    return this.#uses.get(keyId);
  }

  /** Notes that a key was used; written to the store once a minute. `sdk` is undefined when unknown. */
  noteUse(keyId: string, atMs: number, sdk?: string): void {
    const known = this.#uses.get(keyId);
    this.#uses.set(keyId, { atMs, sdk: sdk ?? known?.sdk ?? null });
    this.#unsavedUses.add(keyId);
  }

  /** Judges a key whose form and check part are right. */
  async judge(parsed: ParsedKey): Promise<KeyVerdict> {
    const { env, shared } = this.#deps;
    const age = env.monotonicMs() - this.#loadedAtMs;
    const stale = shared ? age > STALE_MS : !this.isLoaded;
    if (stale && !(await this.refresh())) return { kind: 'unsure' };
    let verdict = this.#judgeFromMemory(parsed);
    // Another process may have made the key a moment ago.
    if (verdict.kind === 'bad' && shared && !this.#keys.has(parsed.keyId)) {
      if (env.monotonicMs() - this.#loadedAtMs < MISS_REFRESH_MS) return verdict;
      if (!(await this.refresh())) return { kind: 'unsure' };
      verdict = this.#judgeFromMemory(parsed);
    }
    return verdict;
  }

  #judgeFromMemory(parsed: ParsedKey): KeyVerdict {
    const key = this.#keys.get(parsed.keyId);
    // An unknown id takes the same work as a known one, so that time tells nothing. server.md T8.
    const same = timingSafeEqual(hashKey(parsed.text), key?.hash ?? hashKey(parsed.keyId));
    if (key === undefined || !same || key.scope !== parsed.kind) return { kind: 'bad' };
    if (keyState(key, this.#deps.env.nowMs()) !== 'live') return { kind: 'bad' };
    const bot = this.bot(key.botId);
    return bot === undefined ? { kind: 'bad' } : { kind: 'good', key, bot };
  }

  /** Reads everything again; false when the store did not answer. Callers share one run. */
  refresh(): Promise<boolean> {
    this.#refresh ??= this.#load()
      .then(() => true)
      .catch((error: unknown) => {
        this.#deps.log.warn('keys could not be read', { error: String(error) });
        return false;
      })
      .finally(() => {
        this.#refresh = undefined;
      });
    return this.#refresh;
  }

  async #load(): Promise<void> {
    const { store, env } = this.#deps;
    const startedAtMs = env.monotonicMs();
    const [bots, keys, uses] = await Promise.all([
      store.read(allBots, {}),
      store.read(allKeys, {}),
      store.read(allKeyUses, {}),
    ]);
    // A change made here while the rows were on their way has a higher version and stays.
    this.#bots = newest(bots.map(botFromRow), this.#bots, (bot) => bot.botId);
    this.#keys = newest(keys.map(keyFromRow), this.#keys, (key) => key.keyId);
    for (const row of uses) {
      const atMs = Number(row.last_used_ms);
      if ((this.#uses.get(row.key_id)?.atMs ?? 0) < atMs) {
        this.#uses.set(row.key_id, { atMs, sdk: row.last_sdk });
      }
    }
    this.#loadedAtMs = startedAtMs;
  }

  /** Makes a bot with one key of each scope; the keys' texts are returned once and kept nowhere. */
  async createBot(name: string): Promise<{ bot: Bot; apiKey: string; readKey: string }> {
    const bot = this.draftBot(name);
    const ingest = this.#newKey(bot.botId, 'ingest');
    const read = this.#newKey(bot.botId, 'read');
    // Keys first: a key without its bot is refused, a bot without keys would look finished.
    await this.#saveKeys([ingest.key, read.key]);
    await this.#saveBot(bot);
    return { bot, apiKey: ingest.text, readKey: read.text };
  }

  /** A bot that is not stored yet and has no keys. */
  draftBot(name: string): Bot {
    const { env } = this.#deps;
    const nowMs = env.nowMs();
    return {
      botId: uuidV7(nowMs, env.randomBytes(16)),
      name,
      monthlyQuota: null,
      retentionDays: RETENTION_DAYS_DEFAULT,
      suspended: false,
      createdAtMs: nowMs,
      version: nowMs,
      sample: false,
      removedAtMs: null,
    };
  }

  /** Stores a draft; the bot has no keys. */
  async addBot(bot: Bot): Promise<void> {
    await this.#saveBot(bot);
  }

  /** Hides a bot from everybody; its keys are wrong from now on. */
  async removeBot(bot: Bot): Promise<void> {
    const nowMs = this.#deps.env.nowMs();
    await this.#saveBot({ ...bot, removedAtMs: nowMs, version: newVersion(bot, nowMs) });
  }

  async changeBot(bot: Bot, change: BotChange): Promise<Bot> {
    const changed = { ...bot, ...change, version: newVersion(bot, this.#deps.env.nowMs()) };
    await this.#saveBot(changed);
    return changed;
  }

  async createKey(botId: string, scope: KeyScope): Promise<{ key: Key; text: string }> {
    const made = this.#newKey(botId, scope);
    await this.#saveKeys([made.key]);
    return made;
  }

  /** A new key of the scope; the live ones of it end after `overlapS`, or at their earlier end. */
  async rotateKey(
    botId: string,
    scope: KeyScope,
    overlapS: number,
  ): Promise<{ key: Key; text: string; oldKeysExpireAtMs: number | null }> {
    const nowMs = this.#deps.env.nowMs();
    const endMs = nowMs + overlapS * 1_000;
    const old = this.keysOf(botId).filter(
      (key) => key.scope === scope && keyState(key, nowMs) === 'live',
    );
    const made = this.#newKey(botId, scope);
    const ending = old.map((key) => ({
      ...key,
      expiresAtMs: Math.min(key.expiresAtMs ?? endMs, endMs),
      version: newVersion(key, nowMs),
    }));
    await this.#saveKeys([made.key, ...ending]);
    return { ...made, oldKeysExpireAtMs: old.length === 0 ? null : endMs };
  }

  async revokeKey(key: Key): Promise<void> {
    const nowMs = this.#deps.env.nowMs();
    if (key.revokedAtMs !== null) return;
    await this.#saveKeys([{ ...key, revokedAtMs: nowMs, version: newVersion(key, nowMs) }]);
  }

  /** Writes the last uses; a failure is tried again at the next turn. */
  async flushUses(): Promise<void> {
    const ids = [...this.#unsavedUses];
    if (ids.length === 0) return;
    this.#unsavedUses.clear();
    const rows = ids.map((id) => {
      const use = this.#uses.get(id);
      return rowText([id, use?.atMs ?? 0, use?.sdk ?? null]);
    });
    try {
      await this.#deps.store.insert('key_uses', rows.join(''));
    } catch (error) {
      for (const id of ids) this.#unsavedUses.add(id);
      this.#deps.log.warn('last uses of keys could not be written', { error: String(error) });
    }
  }

  #newKey(botId: string, scope: KeyScope): { key: Key; text: string } {
    const { env } = this.#deps;
    const made = makeKey(scope, (size) => env.randomBytes(size));
    const nowMs = env.nowMs();
    const key: Key = {
      keyId: made.keyId,
      botId,
      scope,
      hash: hashKey(made.text),
      createdAtMs: nowMs,
      expiresAtMs: null,
      revokedAtMs: null,
      version: nowMs,
    };
    return { key, text: made.text };
  }

  async #saveBot(bot: Bot): Promise<void> {
    await this.#deps.store.insert('bots', rowText(botValues(bot)));
    this.#bots.set(bot.botId, bot);
  }

  async #saveKeys(keys: readonly Key[]): Promise<void> {
    await this.#deps.store.insert('api_keys', keys.map((key) => rowText(keyValues(key))).join(''));
    for (const key of keys) this.#keys.set(key.keyId, key);
  }
}

function newest<T extends { readonly version: number }>(
  loaded: readonly T[],
  known: ReadonlyMap<string, T>,
  idOf: (record: T) => string,
): Map<string, T> {
  const merged = new Map(known);
  for (const record of loaded) {
    const mine = merged.get(idOf(record));
    if (mine === undefined || mine.version <= record.version) merged.set(idOf(record), record);
  }
  return merged;
}
