import type {
  Bot as BotAnswer,
  Key as KeyAnswer,
  KeyCreated,
} from '@bot-analytics/protocol/read-api';
import type { UsageBook } from '../ingest/usage-book.ts';
import type { Bot, BotChange, Key } from '../keys/records.ts';
import type { Registry } from '../keys/registry.ts';
import type { StatusView } from '../status/view.ts';
import type { Principal } from './auth.ts';
import { ApiError } from './problem.ts';
import type { Call, Handlers } from './routes.ts';

interface KeyDeps {
  readonly registry: Registry;
}

interface BotDeps extends KeyDeps {
  readonly usage: UsageBook;
  readonly viewOf: (botId: string) => StatusView;
}

/** Overlap of a rotation when the caller names none: 24 h. design.md 5, "Keys". */
const OVERLAP_DEFAULT_S = 86_400;

const iso = (ms: number): string => new Date(ms).toISOString();
const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));

/** True when the caller may see the bot: operators every one, a key or public link its own. */
export function maySee(principal: Principal | null, bot: Bot): boolean {
  if (principal === null) return false;
  const isBound = principal.kind === 'key' || principal.kind === 'share';
  return !isBound || principal.bot.botId === bot.botId;
}

/** The bot of the path. A foreign one is answered like a missing one. server.md T2. */
export function botOf(registry: Registry, { params, principal }: Call): Bot {
  const bot = registry.bot(String(params['bot']).toLowerCase());
  if (bot === undefined || !maySee(principal, bot)) throw new ApiError('not_found');
  return bot;
}

function presenceOf({ online, cards }: StatusView): BotAnswer['presence'] {
  let guildCount = 0;
  for (const card of cards) if (card.state === 'online') guildCount += card.guildCount ?? 0;
  return { online, total: cards.length, guildCount };
}

/** The bot of the path, if it takes keys. */
function keyBotOf(registry: Registry, call: Call): Bot {
  const bot = botOf(registry, call);
  if (bot.sample) throw new ApiError('sample_bot');
  return bot;
}

/** Bots and keys, for the command line and the dashboard. */
export function botHandlers({ registry, usage, viewOf }: BotDeps): Handlers {
  const describe = async (bot: Bot): Promise<BotAnswer> => ({
    botId: bot.botId,
    name: bot.name,
    createdAt: iso(bot.createdAtMs),
    monthlyQuota: bot.monthlyQuota,
    quotaUsed: await usage.count(bot.botId),
    retentionDays: bot.retentionDays,
    suspended: bot.suspended,
    sample: bot.sample,
    presence: presenceOf(viewOf(bot.botId)),
  });
  return {
    async botList({ principal }) {
      const visible = registry.bots().filter((bot) => maySee(principal, bot));
      return { bots: await Promise.all(visible.map(describe)) };
    },
    async botCreate({ body }) {
      const { bot, apiKey, readKey } = await registry.createBot(body.name);
      return { botId: bot.botId, name: bot.name, apiKey, readKey };
    },
    botGet: (call) => describe(botOf(registry, call)),
    async botSet(call) {
      const bot = botOf(registry, call);
      const change = Object.fromEntries(
        Object.entries(call.body).filter(([, value]) => value !== undefined),
      ) as BotChange; // Checked by the schema of the route.
      usage.forget(bot.botId);
      return describe(await registry.changeBot(bot, change));
    },
  };
}

/** Keys of bots. A key's text is in the answer that makes it and nowhere else. */
export function keyHandlers({ registry }: KeyDeps): Handlers {
  const describe = (key: Key): KeyAnswer => {
    const use = registry.lastUse(key.keyId);
    return {
      keyId: key.keyId,
      scope: key.scope,
      createdAt: iso(key.createdAtMs),
      expiresAt: isoOrNull(key.expiresAtMs),
      revokedAt: isoOrNull(key.revokedAtMs),
      lastUsedAt: isoOrNull(use?.atMs ?? null),
      lastSdk: use?.sdk ?? null,
    };
  };
  const created = (key: Key, text: string, oldKeysExpireAtMs: number | null): KeyCreated => ({
    keyId: key.keyId,
    scope: key.scope,
    key: text,
    oldKeysExpireAt: isoOrNull(oldKeysExpireAtMs),
  });
  return {
    async keyList(call) {
      return { keys: registry.keysOf(botOf(registry, call).botId).map(describe) };
    },
    async keyCreate(call) {
      const bot = keyBotOf(registry, call);
      const { key, text } = await registry.createKey(bot.botId, call.body.scope);
      return created(key, text, null);
    },
    async keyRotate(call) {
      const bot = keyBotOf(registry, call);
      const { scope = 'ingest', overlapS = OVERLAP_DEFAULT_S } = call.body;
      const made = await registry.rotateKey(bot.botId, scope, overlapS);
      return created(made.key, made.text, made.oldKeysExpireAtMs);
    },
    async keyRevoke({ params }) {
      const key = registry.key(String(params['keyId']));
      if (key === undefined) throw new ApiError('not_found');
      await registry.revokeKey(key);
      return null;
    },
  };
}
