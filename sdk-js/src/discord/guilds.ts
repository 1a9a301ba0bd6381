import type { GuildChanged, Observer } from '../collect/adapter.ts';
import { integer, path, prop, text } from '../core/read.ts';
import { mapLike } from './shape.ts';

/** What a change of membership needs from the client. */
export interface GuildSource {
  /** Cached guild, undefined when unknown. */
  cached(id: string): unknown;
  cacheSize(): number;
}

/**
 * Tells joins and leaves from everything else that makes guilds appear and vanish: the start,
 * outages, resumes, re-identifying. Works on the raw dispatches, with its own list of the guilds of
 * each shard. The list of READY is the truth: what it lacks was left while the shard was away, what
 * is new in it was joined. platform.md B1.
 */
export class GuildMembership {
  readonly #observer: Observer;
  readonly #source: GuildSource;
  readonly #known = new Map<number, Set<string>>();

  constructor(observer: Observer, source: GuildSource) {
    this.#observer = observer;
    this.#source = source;
  }

  /** The client was ready before it was attached: its cache is the list. */
  startFrom(shardId: number, guildIds: Iterable<string>): void {
    this.#known.set(shardId, new Set(guildIds));
  }

  /** READY: a new session of the shard. */
  ready(packet: unknown, shardId: number): void {
    const guilds = prop(packet, 'guilds');
    if (!Array.isArray(guilds)) return;
    const listed = new Set(
      guilds.map((guild) => text(prop(guild, 'id'))).filter((id) => id !== null),
    );
    const known = this.#known.get(shardId);
    if (known === undefined) {
      this.#known.set(shardId, listed);
      return;
    }
    for (const id of known) {
      if (listed.has(id)) continue;
      known.delete(id);
      this.#emit('guild_leave', id, shardId, this.#source.cached(id));
    }
    // A guild that is new in the list is reported when its GUILD_CREATE brings its name.
  }

  /** GUILD_CREATE: joined, or back from an outage, or part of the start. */
  create(packet: unknown, shardId: number): void {
    const id = text(prop(packet, 'id'));
    if (id === null || prop(packet, 'unavailable') === true) return;
    const known = this.#known.get(shardId);
    if (known === undefined) {
      // READY was missed: what comes now is the start.
      this.#known.set(shardId, new Set([id]));
      return;
    }
    if (known.has(id)) return;
    known.add(id);
    this.#emit('guild_join', id, shardId, packet);
  }

  /** GUILD_DELETE: left, or in an outage. */
  remove(packet: unknown, shardId: number): void {
    const id = text(prop(packet, 'id'));
    if (id === null || prop(packet, 'unavailable') === true) return;
    if (this.#known.get(shardId)?.delete(id) !== true) return;
    this.#emit('guild_leave', id, shardId, this.#source.cached(id));
  }

  #emit(type: GuildChanged['type'], guildId: string, shardId: number, guild: unknown): void {
    const cached = this.#source.cached(guildId) !== undefined;
    const size = this.#source.cacheSize();
    const joined = type === 'guild_join';
    const guildCount = joined ? size + (cached ? 0 : 1) : size - (cached ? 1 : 0);
    this.#observer.guild({ type, guildId, data: { ...facts(guild), shardId, guildCount } });
  }
}

/** Name, locale and size of a raw guild or of one from the cache. */
function facts(guild: unknown): Pick<GuildChanged['data'], 'name' | 'locale' | 'memberCount'> {
  return {
    name: text(prop(guild, 'name')),
    locale: text(prop(guild, 'preferred_locale')) ?? text(prop(guild, 'preferredLocale')),
    memberCount: integer(prop(guild, 'member_count')) ?? integer(prop(guild, 'memberCount')),
  };
}

/** The guild cache of a client as a source. */
export function guildSource(client: object): GuildSource {
  return {
    cached: (id) => mapLike(path(client, 'guilds', 'cache'))?.get(id),
    cacheSize: () => mapLike(path(client, 'guilds', 'cache'))?.size ?? 0,
  };
}
