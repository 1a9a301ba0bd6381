import type { ClientView, GuildView, ShardView } from '../collect/adapter.ts';
import { finite, integer, path, prop, text } from '../core/read.ts';

/** `GuildPresences`: without it the cache knows no one's presence. */
const PRESENCE_INTENT = 256;

/** Status numbers of a shard. Source: discord.js, util/Status. */
const STATUS: ReadonlyMap<unknown, ShardView['status']> = new Map([
  [0, 'ready'],
  [5, 'disconnected'],
  [8, 'resuming'],
]);

const CHANNEL = /\/channels\/(\d+)/;
const VERSION_IN_USER_AGENT = /discord\.js\/(\d[\w.-]*)/;

/** The bits of an intents option: a number, a list, or an object with a bitfield. */
export function intentBits(intents: unknown): number {
  if (Array.isArray(intents))
    return intents.reduce<number>((bits, one) => bits | intentBits(one), 0);
  return integer(prop(intents, 'bitfield') ?? intents) ?? 0;
}

/** Name, locale and size of a guild of the cache or of a raw one. */
export function guildFacts(guild: unknown) {
  return {
    name: text(prop(guild, 'name')),
    locale: text(prop(guild, 'preferredLocale') ?? prop(guild, 'preferred_locale')),
    memberCount: integer(prop(guild, 'memberCount') ?? prop(guild, 'member_count')),
  };
}

/** What the hooks ask of a client besides. */
export interface DiscordView extends ClientView {
  /** Guilds of each shard that has connected; before that there is nothing to report of it. */
  readonly known: Map<number, Set<string>>;
  readonly hasEnded: () => boolean;
  /** Cached guilds by id. */
  readonly cachedGuilds: () => ReadonlyMap<string, unknown>;
  /** Shards of this process by id. */
  allShards(): ReadonlyMap<number, unknown>;
  /** Guild of the channel in a path of the API, null when unknown. */
  readonly guildOfPath: (route: string) => string | null;
  /** Known guilds of a shard; at first those of its READY, or of the cache where that was missed. */
  guildsOf(shardId: number, listed?: Iterable<string>): Set<string>;
}

/** Reads what the collectors ask for from a discord.js client. */
export function discordView(
  client: unknown,
  variables: Readonly<Record<string, string | undefined>>,
): DiscordView {
  const known = new Map<number, Set<string>>();
  const hasEnded = (): boolean => path(client, 'ws', 'destroyed') === true;
  const cachedGuilds = (): ReadonlyMap<string, unknown> => mapOf(client, 'guilds', 'cache');
  const allShards = (): ReadonlyMap<number, unknown> => mapOf(client, 'ws', 'shards');
  const guildIds = (): readonly string[] => (hasEnded() ? [] : [...cachedGuilds().keys()]);
  const shardOfGuild = (id: string): number | null =>
    integer(prop(cachedGuilds().get(id), 'shardId'));
  const userAgent = String(path(client, 'rest', 'options', 'userAgentAppendix'));
  return {
    library: 'discord.js',
    libraryVersion: VERSION_IN_USER_AGENT.exec(userAgent)?.[1] ?? 'unknown',
    clusterId: clusterOf(client, variables),
    known,
    hasEnded,
    cachedGuilds,
    allShards,
    guildsOf: (shardId, listed) => {
      const ids =
        known.get(shardId) ??
        new Set(listed ?? guildIds().filter((id) => shardOfGuild(id) === shardId));
      known.set(shardId, ids);
      return ids;
    },
    shardCount: () => integer(path(client, 'options', 'shardCount')) ?? 1,
    shards: () => {
      if (hasEnded()) return [];
      const voices = [...mapOf<string>(client, 'voice', 'adapters').keys()];
      return [...known].map(([id, ids]) => {
        const shard = allShards().get(id);
        const ping = finite(prop(shard, 'ping')) ?? -1;
        return {
          id,
          status: STATUS.get(prop(shard, 'status')) ?? 'connecting',
          // -1 stands for "no acknowledgement yet".
          pingMs: ping < 0 ? null : ping,
          guildCount: ids.size,
          voiceConnections: voices.filter((guildId) => ids.has(guildId)).length,
        };
      });
    },
    guildIds,
    guild: (id) =>
      guildView(cachedGuilds().get(id), intentBits(path(client, 'options', 'intents'))),
    guildOfPath: (route) => {
      const channel = mapOf(client, 'channels', 'cache').get(CHANNEL.exec(route)?.[1]);
      return text(prop(channel, 'guildId'));
    },
    shardOfGuild,
    applicationId: () => text(path(client, 'application', 'id')),
  };
}

/** A cache of the library; an empty one when it is none. */
function mapOf<K>(owner: unknown, ...names: readonly string[]): ReadonlyMap<K, unknown> {
  const value = path(owner, ...names);
  return value instanceof Map ? value : new Map();
}

/** Null for a guild in an outage: nothing is known of it, or no longer. catalogue.md A5. */
function guildView(guild: unknown, intents: number): GuildView | null {
  const { name, locale, memberCount } = guildFacts(guild);
  const presences = [...mapOf(guild, 'presences', 'cache').values()];
  const online = presences.filter((presence) => prop(presence, 'status') !== 'offline').length;
  return name && prop(guild, 'available') !== false
    ? {
        memberCount,
        // Without the intent, or where the bot keeps no presences, nothing is known.
        onlineCount: intents & PRESENCE_INTENT && presences.length > 0 ? online : null,
        name,
        locale,
        available: true,
        shardId: integer(prop(guild, 'shardId')) ?? 0,
      }
    : null;
}

/** discord-hybrid-sharding: `client.cluster.id`, or its environment. platform.md B1. */
function clusterOf(
  client: unknown,
  variables: Readonly<Record<string, string | undefined>>,
): string | null {
  const id = path(client, 'cluster', 'id');
  if (text(id) || integer(id) !== null) return String(id);
  return (variables['CLUSTER_MANAGER'] && variables['CLUSTER']) || null;
}
