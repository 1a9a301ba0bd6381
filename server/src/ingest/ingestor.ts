import type { IngestAnswer, Problem } from '@bot-analytics/protocol';
import type { Env } from '../env.ts';
import type { BufferPool } from '../buffer-pool.ts';
import type { Bot } from '../keys/records.ts';
import type { Presence } from '../status/presence.ts';
import type { Committer } from './committer.ts';
import type { IngestHealth } from './health.ts';
import { isWait, retryAfterS as retryAfterSOf, type Pressure } from './pressure.ts';
import { quotaRetryAfterS } from './quota.ts';
import { readBatch, type Seen } from './read-batch.ts';

/** What the sender hears. */
export type IngestOutcome =
  | { readonly kind: 'answer'; readonly answer: IngestAnswer; readonly sdk: string | null }
  | {
      readonly kind: 'problem';
      readonly code: Problem['code'];
      readonly retryAfterS?: number;
      readonly errors?: NonNullable<Problem['errors']>;
    };

interface Deps {
  readonly env: Pick<Env, 'nowMs' | 'random'>;
  readonly presence: Presence;
  readonly pressure: Pressure;
  readonly committer: Committer;
  readonly health: IngestHealth;
  readonly pool: BufferPool;
}

const STORE_REFUSED = 'The store refused the event.';

/** Takes one body of the ingestion call to its answer. design.md 5. */
export class Ingestor {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The body goes back to the pool, from which it may be. */
  async accept(bot: Bot, body: Buffer): Promise<IngestOutcome> {
    const { env, presence, pressure, committer, health, pool } = this.#deps;
    const receivedAtMs = env.nowMs();
    const seen = readBatch({ body, bot, receivedAtMs, pool });
    pool.give(body);
    if (typeof seen === 'string') return this.refuse(bot, seen);
    const { batch, report, received } = seen;
    for (const beat of batch.beats) presence.beat(bot.botId, beat);
    if (batch.size === 0 && received > 0) {
      this.#count(bot, seen, { accepted: 0, duplicates: 0 });
      return { ...this.refuse(bot, 'all_events_rejected'), errors: report.rejected };
    }
    let stored = { accepted: 0, duplicates: 0 };
    if (batch.size > 0) {
      const obstacle = pressure.obstacle() ?? (committer.isStalled() ? 'store_down' : null);
      if (obstacle !== null) return this.refuse(bot, obstacle);
      const { botId, monthlyQuota } = bot;
      const result = await committer.submit({ botId, monthlyQuota, batch });
      if (result.kind === 'down') return this.refuse(bot, 'store_down');
      if (result.kind === 'quota') return this.refuse(bot, 'quota_reached');
      stored = result;
      for (const index of result.refused) {
        const pointer = `/events/${index}/data`;
        report.reject({ index, id: null, code: 'invalid_data', pointer, detail: STORE_REFUSED });
      }
    }
    this.#count(bot, seen, stored);
    if (received > 0 && report.rejectedCount === received) {
      return { ...this.refuse(bot, 'all_events_rejected'), errors: report.rejected };
    }
    const answer: IngestAnswer = {
      batchId: seen.batchId,
      received,
      accepted: stored.accepted,
      duplicates: stored.duplicates,
      rejected: report.rejected,
      rejectedCount: report.rejectedCount,
      warnings: report.warningList(),
      serverTime: new Date(receivedAtMs).toISOString(),
    };
    health.count(bot.botId, 'event', 'batches');
    return { kind: 'answer', answer, sdk: seen.sdk };
  }

  /** A refusal of the whole request, counted for the bot's owner. */
  refuse(bot: Bot, code: Problem['code']): IngestOutcome & { readonly kind: 'problem' } {
    const { env, health } = this.#deps;
    health.count(bot.botId, 'refused', code);
    if (code === 'quota_reached') {
      return { kind: 'problem', code, retryAfterS: quotaRetryAfterS(env.nowMs(), env.random()) };
    }
    const retryAfterS = isWait(code) ? retryAfterSOf(code, env.random()) : undefined;
    return { kind: 'problem', code, ...(retryAfterS === undefined ? {} : { retryAfterS }) };
  }

  /** Counts what became of a batch; batches that the sender will send again are not counted. */
  #count(
    { botId }: Bot,
    { received, report, sdk, skewMs }: Seen,
    stored: { readonly accepted: number; readonly duplicates: number },
  ): void {
    const { health } = this.#deps;
    health.count(botId, 'event', 'received', received);
    health.count(botId, 'event', 'accepted', stored.accepted);
    health.count(botId, 'event', 'duplicate', stored.duplicates);
    for (const [code, count] of report.rejectedByCode) health.count(botId, 'rejected', code, count);
    for (const [code, count] of report.warnings) health.count(botId, 'warning', code, count);
    if (sdk !== null) health.countSdk(botId, sdk);
    if (skewMs !== null) health.countSkew(botId, skewMs);
  }
}
