import type { GuildChanged, Observer } from '../collect/adapter.ts';
import { guildFacts, type DiscordView } from './client-view.ts';
import type { OnDispatch } from './hooks.ts';
import type { GuildPacket } from './library.ts';

/**
 * Tells joins and leaves from everything else that makes guilds appear and vanish: the start,
 * outages, resumes, re-identifying. Works on the raw dispatches, with the view's own list of the
 * guilds of each shard. The list of READY is the truth: what it lacks was left while the shard was
 * away, what is new in it was joined and is reported when its GUILD_CREATE brings its name.
 * platform.md B1.
 *
 * @returns what a READY does, a new session of the shard
 */
export function watchGuilds(view: DiscordView, observer: Observer, onDispatch: OnDispatch) {
  const { known, cachedGuilds } = view;
  const changed = (
    type: GuildChanged['type'],
    guildId: string,
    shardId: number,
    guild: unknown,
  ): void => {
    const guildCount = [...known.values()].reduce((sum, ids) => sum + ids.size, 0);
    observer.guild({ type, guildId, data: { ...guildFacts(guild), shardId, guildCount } });
  };
  const left = (id: string, shardId: number): void => {
    if (known.get(shardId)?.delete(id)) changed('guild_leave', id, shardId, cachedGuilds().get(id));
  };
  // Joined, or back from an outage, or part of the start.
  onDispatch('GUILD_CREATE', (packet: GuildPacket, shardId) => {
    const { id } = packet;
    const ids = known.get(shardId);
    if (!ids || packet.unavailable || ids.has(id)) return;
    ids.add(id);
    changed('guild_join', id, shardId, packet);
  });
  // Left, or in an outage.
  onDispatch('GUILD_DELETE', (packet: GuildPacket, shardId) => {
    if (!packet.unavailable) left(packet.id, shardId);
  });
  return (packet: GuildPacket, shardId: number): void => {
    const ids = new Set(packet.guilds.map((guild) => guild.id));
    for (const id of view.guildsOf(shardId, ids)) if (!ids.has(id)) left(id, shardId);
  };
}
