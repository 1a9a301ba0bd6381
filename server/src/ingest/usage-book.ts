import { eventsSince } from '../store/queries/ingest.ts';
import type { Store } from '../store/store.ts';
import type { Env } from '../env.ts';
import { usageAt, type Usage } from './quota.ts';
import { monthStart } from './check/time.ts';

/** How long a count stays good when other processes store events too. */
const SHARED_MAX_AGE_MS = 10_000;

interface Deps {
  readonly store: Pick<Store, 'read'>;
  readonly env: Pick<Env, 'nowMs' | 'monotonicMs'>;
  readonly shared: boolean;
}

/** Stored events of this month by bot, for the bots that have a quota. Counted once in the store, then here. */
export class UsageBook {
  readonly #deps: Deps;
  readonly #usages = new Map<string, { usage: Usage; loadedAtMs: number }>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Makes sure that `get` knows the bot. @throws StoreDownError */
  async load(botId: string): Promise<void> {
    const known = this.#usages.get(botId);
    const { env, shared } = this.#deps;
    const age = env.monotonicMs() - (known?.loadedAtMs ?? Number.NEGATIVE_INFINITY);
    if (known !== undefined && (!shared || age < SHARED_MAX_AGE_MS)) return;
    const usage = { monthStartMs: monthStart(env.nowMs()), used: await this.count(botId) };
    this.#usages.set(botId, { usage, loadedAtMs: env.monotonicMs() });
  }

  /** Events of this month by the store. @throws StoreDownError */
  async count(botId: string): Promise<number> {
    const sinceMs = monthStart(this.#deps.env.nowMs());
    const [row] = await this.#deps.store.read(eventsSince, { botId, sinceMs });
    return Number(row?.events ?? 0);
  }

  /** False when a count was forgotten since `load`. */
  knows(botId: string): boolean {
    return this.#usages.has(botId);
  }

  get(botId: string): Usage {
    const nowMs = this.#deps.env.nowMs();
    const usage = this.#usages.get(botId)?.usage ?? { monthStartMs: monthStart(nowMs), used: 0 };
    return usageAt(usage, nowMs);
  }

  add(botId: string, events: number): void {
    const known = this.#usages.get(botId);
    if (known === undefined || events === 0) return;
    const usage = this.get(botId);
    this.#usages.set(botId, { ...known, usage: { ...usage, used: usage.used + events } });
  }

  /** The count is not sure any more; the next load asks the store. */
  forget(botId: string): void {
    this.#usages.delete(botId);
  }
}
