import {
  RANGE_LIMITS,
  type PublicSummary,
  type Share as ShareAnswer,
  type ShareSection,
} from '@bot-analytics/protocol/read-api';
import { readUsage } from '../analytics/api-usage.ts';
import { readHistory } from '../analytics/history.ts';
import type { Bot } from '../keys/records.ts';
import type { Parts } from '../parts.ts';
import type { Reading } from '../reading.ts';
import type { Share } from '../sessions/shares.ts';
import { badgeSvg, summaryOf } from '../status/badge.ts';
import { toStatus } from '../status/view.ts';
import { botOf } from './admin.ts';
import { ApiError } from './problem.ts';
import { HOURLY, rangeOf } from './read.ts';
import type { Call, Handlers } from './routes.ts';

const isoOrNull = (ms: number | null): string | null =>
  ms === null ? null : new Date(ms).toISOString();

function describe(share: Share): ShareAnswer {
  return {
    shareId: share.shareId,
    sections: [...share.sections],
    createdAt: new Date(share.createdAtMs).toISOString(),
    expiresAt: isoOrNull(share.expiresAtMs),
    revokedAt: isoOrNull(share.revokedAtMs),
  };
}

/** The bot of a public link that shows `section`. @throws ApiError not_found */
export function sharedBot({ principal }: Call, section: ShareSection): Bot {
  if (principal?.kind !== 'share' || !principal.share.sections.includes(section)) {
    throw new ApiError('not_found');
  }
  return principal.bot;
}

/** Making, listing and ending public links. */
export function shareHandlers({ registry, env }: Parts, { shares, publicUrl }: Reading): Handlers {
  return {
    async shareList(call) {
      return { shares: (await shares.of(botOf(registry, call).botId)).map(describe) };
    },
    async shareCreate(call) {
      const bot = botOf(registry, call);
      const { sections, expiresAt = null } = call.body;
      const expiresAtMs = expiresAt === null ? null : Date.parse(expiresAt);
      if (expiresAtMs !== null && expiresAtMs <= env.nowMs()) {
        const errors = [{ pointer: '/expiresAt', detail: 'The time has passed.' }];
        throw new ApiError('invalid_parameter', { errors });
      }
      const { share, token } = await shares.create(bot.botId, sections, expiresAtMs);
      return { ...describe(share), url: `${publicUrl()}/p/${token}`, token };
    },
    async shareRevoke({ params }) {
      const share = await shares.get(String(params['shareId']));
      if (share === undefined) throw new ApiError('not_found');
      await shares.revoke(share);
      return null;
    },
  };
}

/**
 * What a public link shows. Every answer is built from the fields that the route table lists, none of
 * which names a guild, a user, a key or a host.
 */
export function publicHandlers(parts: Parts, reading: Reading): Handlers {
  const { env, store, presence } = parts;
  const freshFromMs = (): number => reading.rollup.freshFromMs();
  const range = (call: Call) => {
    const nowMs = env.nowMs();
    const earliestMs = nowMs - RANGE_LIMITS.shareAgeMsMax;
    return rangeOf(call.params, { ...HOURLY, earliestMs }, nowMs);
  };
  const summary = (bot: Bot): PublicSummary => summaryOf(bot.name, reading.viewOf(bot.botId));
  return {
    async publicInfo({ principal }) {
      if (principal?.kind !== 'share') throw new ApiError('not_found');
      const { share, bot } = principal;
      const { sections, expiresAtMs } = share;
      return { name: bot.name, sections, expiresAt: isoOrNull(expiresAtMs) };
    },
    async publicStatus(call) {
      return toStatus(reading.viewOf(sharedBot(call, 'status').botId));
    },
    async publicSummary(call) {
      const answer = summary(sharedBot(call, 'status'));
      // For the pages of others, who know the link anyway; no cookie counts here.
      void call.reply.header('access-control-allow-origin', '*');
      return answer;
    },
    async publicBadge(call) {
      const svg = badgeSvg(summary(sharedBot(call, 'status')));
      await call.reply
        .header('cache-control', 'public, max-age=60')
        .header('content-security-policy', "default-src 'none'")
        .type('image/svg+xml; charset=utf-8')
        .send(svg);
      return undefined;
    },
    async publicShardHistory(call) {
      const { botId } = sharedBot(call, 'history');
      const asked = { botId, shardId: Number(call.params['shard']), range: range(call) };
      return readHistory({ store, presence, freshFromMs }, asked, env.nowMs());
    },
    async publicApiUsage(call) {
      const { botId } = sharedBot(call, 'api');
      const { shard } = call.params;
      const shardId = typeof shard === 'number' ? shard : undefined;
      const asked = { botId, shardId, range: range(call) };
      return readUsage({ store, freshFromMs }, asked, env.nowMs());
    },
  };
}
