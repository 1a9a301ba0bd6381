import type { Bot } from '@bot-analytics/protocol/read-api';
import { fullCount, plural, shortCount } from '../../format/numbers.ts';
import type { MarkKind } from '../../ui/state-mark.tsx';

/** One line of the list of bots. */
export interface BotLine {
  readonly botId: string;
  readonly name: string;
  readonly href: string;
  readonly mark: MarkKind;
  readonly presence: string;
  readonly guilds: string | null;
  /** "12,400 of 50,000 events this month". */
  readonly events: string;
  /** Part of the quota that is used, 0 to 1; `null` without a quota. */
  readonly quotaPart: number | null;
}

/** Presence of a bot in a word or two. */
function presenceOf({ online, total }: Bot['presence']): Pick<BotLine, 'mark' | 'presence'> {
  if (total === 0) return { mark: 'unseen', presence: 'No heartbeat yet' };
  if (online === 0)
    return { mark: 'offline', presence: total === 1 ? 'Offline' : `All ${total} shards offline` };
  if (total === 1) return { mark: 'online', presence: 'Online' };
  return {
    mark: online === total ? 'online' : 'partly',
    presence: `${fullCount(online)} of ${fullCount(total)} shards online`,
  };
}

function guildsOf({ online, guildCount }: Bot['presence']): string | null {
  if (online === 0) return null;
  return `${shortCount(guildCount)} ${guildCount === 1 ? 'guild' : 'guilds'}`;
}

export function botLine(bot: Bot): BotLine {
  const { botId, name, monthlyQuota, quotaUsed } = bot;
  const events =
    monthlyQuota === null
      ? `${plural(quotaUsed, 'event')} this month`
      : `${fullCount(quotaUsed)} of ${fullCount(monthlyQuota)} events this month`;
  const quotaPart =
    monthlyQuota === null || monthlyQuota === 0 ? null : Math.min(1, quotaUsed / monthlyQuota);
  const presence = bot.suspended
    ? ({ mark: 'silent', presence: 'Suspended' } as const)
    : presenceOf(bot.presence);
  return {
    botId,
    name,
    href: `/b/${botId}/status`,
    ...presence,
    guilds: guildsOf(bot.presence),
    events,
    quotaPart,
  };
}
