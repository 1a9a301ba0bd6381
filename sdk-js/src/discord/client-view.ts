import type { ClientView, GuildView, ShardView } from '../collect/adapter.ts';
import { finite, integer, path, prop, text } from '../core/read.ts';
import { mapLike, type MapLike } from './shape.ts';

/** `GuildPresences`: without it the cache knows no one's presence. */
const PRESENCE_INTENT = 256;

/** Status numbers of a shard. Source: discord.js, util/Status. */
const STATUS: ReadonlyMap<number, ShardView['status']> = new Map([
  [0, 'ready'],
  [5, 'disconnected'],
  [8, 'resuming'],
]);

const VERSION_IN_USER_AGENT = /discord\.js\/(\d[\w.-]*)/;

/** The bits of an intents option: a number, a list, or an object with a bitfield. */
export function intentBits(intents: unknown): number {
  if (Array.isArray(intents))
    return intents.reduce<number>((bits, one) => bits | intentBits(one), 0);
  return integer(intents) ?? integer(prop(intents, 'bitfield')) ?? 0;
}

/** Reads what the collectors ask for from a discord.js client. */
export class DiscordClientView implements ClientView {
  readonly library = 'discord.js';
  readonly libraryVersion: string;
  readonly clusterId: string | null;
  readonly #client: object;
  /** Shards that were seen ready or connecting; before that there is nothing to report. */
  readonly #connected = new Set<number>();

  constructor(client: object, variables: Readonly<Record<string, string | undefined>>) {
    this.#client = client;
    const userAgent = text(path(client, 'rest', 'options', 'userAgentAppendix')) ?? '';
    this.libraryVersion = VERSION_IN_USER_AGENT.exec(userAgent)?.[1] ?? 'unknown';
    this.clusterId = clusterOf(client, variables);
  }

  /** From now on the shard is reported. */
  markConnected(shardId: number): void {
    this.#connected.add(shardId);
  }

  /** Shards that were ready before the client was attached. */
  readyShardIds(): readonly number[] {
    return this.#shardEntries()
      .filter(([, shard]) => prop(shard, 'status') === 0)
      .map(([id]) => id);
  }

  isDestroyed(): boolean {
    return path(this.#client, 'ws', 'destroyed') === true;
  }

  shardCount(): number {
    const count = integer(path(this.#client, 'options', 'shardCount'));
    return Math.max(1, count ?? integer(path(this.#client, 'ws', 'totalShards')) ?? 1);
  }

  shards(): readonly ShardView[] {
    if (this.isDestroyed()) return [];
    const guilds = this.#countByShard(this.#guilds().values());
    const voices = this.#voicesByShard();
    return this.#shardEntries()
      .filter(([id]) => this.#connected.has(id))
      .map(([id, shard]) => ({
        id,
        status: STATUS.get(integer(prop(shard, 'status')) ?? -1) ?? 'connecting',
        pingMs: pingOf(shard),
        guildCount: guilds.get(id) ?? 0,
        voiceConnections: voices.get(id) ?? 0,
      }));
  }

  guildIds(): readonly string[] {
    return this.isDestroyed()
      ? []
      : [...this.#guilds().keys()].filter((id) => text(id) !== null).map(String);
  }

  guildIdsOfShard(shardId: number): readonly string[] {
    return this.guildIds().filter((id) => this.shardOfGuild(id) === shardId);
  }

  guild(id: string): GuildView | null {
    const guild = this.#guilds().get(id);
    const name = text(prop(guild, 'name'));
    // A guild that was in an outage since the start has an id and nothing else.
    if (guild === undefined || name === null) return null;
    return {
      memberCount: integer(prop(guild, 'memberCount')),
      onlineCount: this.#onlineCount(guild),
      name,
      locale: text(prop(guild, 'preferredLocale')),
      available: prop(guild, 'available') !== false,
      shardId: integer(prop(guild, 'shardId')) ?? 0,
    };
  }

  guildOfChannel(channelId: string): string | null {
    const channel = mapLike(path(this.#client, 'channels', 'cache'))?.get(channelId);
    return text(prop(channel, 'guildId'));
  }

  shardOfGuild(guildId: string): number | null {
    return integer(prop(this.#guilds().get(guildId), 'shardId'));
  }

  applicationId(): string | null {
    return text(path(this.#client, 'application', 'id'));
  }

  #guilds(): MapLike {
    return mapLike(path(this.#client, 'guilds', 'cache')) ?? new Map();
  }

  #shardEntries(): readonly (readonly [number, unknown])[] {
    const shards = mapLike(path(this.#client, 'ws', 'shards')) ?? new Map();
    return [...shards.keys()]
      .map((key) => [integer(key) ?? -1, shards.get(key)] as const)
      .filter(([id]) => id >= 0);
  }

  #countByShard(guilds: Iterable<unknown>): ReadonlyMap<number, number> {
    const counts = new Map<number, number>();
    for (const guild of guilds) {
      const id = integer(prop(guild, 'shardId')) ?? 0;
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    return counts;
  }

  #voicesByShard(): ReadonlyMap<number, number> {
    const adapters = mapLike(path(this.#client, 'voice', 'adapters')) ?? new Map();
    const guilds = this.#guilds();
    return this.#countByShard([...adapters.keys()].map((id) => guilds.get(id)));
  }

  #onlineCount(guild: unknown): number | null {
    const bits = intentBits(path(this.#client, 'options', 'intents'));
    const presences = mapLike(path(guild, 'presences', 'cache'));
    if ((bits & PRESENCE_INTENT) === 0 || presences === null) return null;
    let online = 0;
    for (const presence of presences.values()) {
      if (prop(presence, 'status') !== 'offline') online += 1;
    }
    return online;
  }
}

/** -1 stands for "no acknowledgement yet". */
function pingOf(shard: unknown): number | null {
  const ping = finite(prop(shard, 'ping'));
  return ping === null || ping < 0 ? null : ping;
}

/** discord-hybrid-sharding: `client.cluster.id`, or its environment. platform.md B1. */
function clusterOf(
  client: object,
  variables: Readonly<Record<string, string | undefined>>,
): string | null {
  const id = path(client, 'cluster', 'id');
  if (typeof id === 'number' || (typeof id === 'string' && id !== '')) return String(id);
  return variables['CLUSTER_MANAGER'] === undefined ? null : (variables['CLUSTER'] ?? null);
}
