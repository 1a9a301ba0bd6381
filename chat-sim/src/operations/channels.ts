import { booleanAt, listAt, isObject, numberAt, textAt } from '../json.ts';
import type { JsonObject } from '../json.ts';
import { isoNow } from '../platform.ts';
import type { Platform } from '../platform.ts';
import { CHANNEL_TYPE } from '../world/entities.ts';
import type { Channel, Guild, Invite, Overwrite } from '../world/entities.ts';
import { NotFound, PlatformError } from '../world/errors.ts';
import { inviteDispatch, threadMember } from '../world/payloads.ts';
import { guildChannel } from '../world/seed.ts';

/** The guild of a channel; direct-message channels are refused. */
export function guildOf(platform: Platform, channel: Channel): Guild {
  if (channel.guild_id === undefined) {
    throw new PlatformError(400, 50024, 'Cannot execute action on this channel type');
  }
  return platform.world.guild(channel.guild_id);
}

export function isThread(channel: Channel): boolean {
  return channel.thread_metadata !== undefined;
}

export function createChannel(platform: Platform, guild: Guild, body: JsonObject): Channel {
  const made = guildChannel({
    id: platform.ids.next(),
    guildId: guild.facts.id,
    type: numberAt(body, 'type') ?? CHANNEL_TYPE.text,
    name: textAt(body, 'name') ?? 'new-channel',
    position: guild.channels.size,
  });
  applyChannel(made, body);
  platform.world.addChannel(guild, made, 'channels');
  platform.gateway.dispatch('CHANNEL_CREATE', made, { guildId: guild.facts.id });
  return made;
}

export function updateChannel(platform: Platform, channel: Channel, body: JsonObject): void {
  const guild = guildOf(platform, channel);
  applyChannel(channel, body);
  const name = isThread(channel) ? 'THREAD_UPDATE' : 'CHANNEL_UPDATE';
  platform.gateway.dispatch(name, channel, { guildId: guild.facts.id });
}

/** Deletes a channel or a thread. */
export function deleteChannel(platform: Platform, channel: Channel): void {
  const guild = guildOf(platform, channel);
  platform.world.removeChannel(guild, channel.id);
  const target = { guildId: guild.facts.id };
  if (!isThread(channel)) return platform.gateway.dispatch('CHANNEL_DELETE', channel, target);
  const { id, type, parent_id } = channel;
  const gone = { id, type, parent_id, guild_id: guild.facts.id };
  platform.gateway.dispatch('THREAD_DELETE', gone, target);
}

export function setOverwrite(platform: Platform, channel: Channel, overwrite: Overwrite): void {
  const others = channel.permission_overwrites.filter(({ id }) => id !== overwrite.id);
  channel.permission_overwrites = [...others, overwrite];
  updateChannel(platform, channel, {});
}

export function removeOverwrite(platform: Platform, channel: Channel, id: string): void {
  channel.permission_overwrites = channel.permission_overwrites.filter((one) => one.id !== id);
  updateChannel(platform, channel, {});
}

export interface NewThread {
  readonly parent: Channel;
  readonly ownerId: string;
  readonly body: JsonObject;
  /** A thread that starts from a message has the message's id. */
  readonly messageId?: string;
}

export function createThread(platform: Platform, thread: NewThread): Channel {
  const { parent, ownerId, body, messageId } = thread;
  const guild = guildOf(platform, parent);
  const now = isoNow(platform);
  const made: Channel = {
    ...guildChannel({
      id: messageId ?? platform.ids.next(),
      guildId: guild.facts.id,
      type: numberAt(body, 'type') ?? CHANNEL_TYPE.publicThread,
      name: textAt(body, 'name') ?? 'thread',
      position: 0,
    }),
    parent_id: parent.id,
    owner_id: ownerId,
    message_count: 0,
    member_count: 1,
    thread_metadata: {
      archived: false,
      auto_archive_duration: numberAt(body, 'auto_archive_duration') ?? 1440,
      archive_timestamp: now,
      locked: false,
      create_timestamp: now,
    },
  };
  platform.world.addChannel(guild, made, 'threads');
  const own = ownerId === platform.world.bot.id;
  const created = {
    ...made,
    newly_created: true,
    ...(own ? { member: threadMember(made, ownerId, now) } : {}),
  };
  platform.gateway.dispatch('THREAD_CREATE', created, { guildId: guild.facts.id });
  return made;
}

export function createInvite(
  platform: Platform,
  channel: Channel,
  inviterId: string,
  body: JsonObject,
): Invite {
  const guild = guildOf(platform, channel);
  const invite: Invite = {
    code: platform.random.hex(8),
    channelId: channel.id,
    guildId: guild.facts.id,
    inviter: platform.world.user(inviterId),
    maxAgeSeconds: numberAt(body, 'max_age') ?? 86_400,
    maxUses: numberAt(body, 'max_uses') ?? 0,
    temporary: booleanAt(body, 'temporary') ?? false,
    createdAt: isoNow(platform),
  };
  guild.invites.set(invite.code, invite);
  platform.gateway.dispatch('INVITE_CREATE', inviteDispatch(invite), { guildId: guild.facts.id });
  return invite;
}

/** Finds an invite by its code, in whatever guild. */
export function findInvite(platform: Platform, code: string): Invite {
  for (const guild of platform.world.guilds.values()) {
    const invite = guild.invites.get(code);
    if (invite !== undefined) return invite;
  }
  throw new NotFound('invite', code);
}

export function deleteInvite(platform: Platform, invite: Invite): void {
  const { guildId, channelId, code } = invite;
  platform.world.guild(guildId).invites.delete(code);
  const gone = { channel_id: channelId, guild_id: guildId, code };
  platform.gateway.dispatch('INVITE_DELETE', gone, { guildId });
}

function applyChannel(channel: Channel, body: JsonObject): void {
  channel.name = textAt(body, 'name') ?? channel.name;
  channel.position = numberAt(body, 'position') ?? channel.position;
  channel.nsfw = booleanAt(body, 'nsfw') ?? channel.nsfw;
  channel.rate_limit_per_user =
    numberAt(body, 'rate_limit_per_user') ?? channel.rate_limit_per_user;
  if (body['topic'] !== undefined) channel.topic = textAt(body, 'topic') ?? null;
  if (body['parent_id'] !== undefined) channel.parent_id = textAt(body, 'parent_id') ?? null;
  if (Array.isArray(body['permission_overwrites'])) {
    channel.permission_overwrites = listAt(body, 'permission_overwrites')
      .filter(isObject)
      .map((row) => readOverwrite(textAt(row, 'id') ?? '', row));
  }
  if (channel.thread_metadata !== undefined) {
    const metadata = channel.thread_metadata;
    metadata.archived = booleanAt(body, 'archived') ?? metadata.archived;
    metadata.locked = booleanAt(body, 'locked') ?? metadata.locked;
  }
}

/** `type` 0 = role, 1 = member; permissions are decimal text. */
export function readOverwrite(id: string, body: JsonObject): Overwrite {
  return {
    id,
    type: numberAt(body, 'type') ?? 0,
    allow: textAt(body, 'allow') ?? '0',
    deny: textAt(body, 'deny') ?? '0',
  };
}
