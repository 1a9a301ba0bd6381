import type { JsonObject } from '../json.ts';
import {
  createChannel,
  createInvite,
  createThread,
  deleteChannel,
  deleteInvite,
  findInvite,
  updateChannel,
} from '../operations/channels.ts';
import { createRole, deleteRole, updateGuild, updateRole } from '../operations/guilds.ts';
import {
  pickGuild,
  pickMember,
  pickTextChannel,
  resolvePlace,
} from '../operations/interactions.ts';
import type { Place } from '../operations/interactions.ts';
import {
  banUser,
  joinMember,
  removeMember,
  unbanUser,
  updateMember,
} from '../operations/members.ts';
import { bulkDelete, createMessage, deleteMessage, editMessage } from '../operations/messages.ts';
import { addReaction, removeReaction } from '../operations/reactions.ts';
import { setVoiceChannel } from '../operations/voice.ts';
import type { Platform } from '../platform.ts';
import { CHANNEL_TYPE } from '../world/entities.ts';
import type { Channel, Guild, Invite, Member, Message, Role, User } from '../world/entities.ts';
import { NotFound } from '../world/errors.ts';
import { NOUNS, SENTENCES } from '../world/names.ts';
import { presence } from '../world/payloads.ts';

/** A guild this small is left by newcomers only, so that it never dies out. */
const FEW_MEMBERS = 4;

/** Further fields in the platform's own wire form, for example `embeds` or `nick`. */
export interface Fields {
  readonly fields?: JsonObject;
}

export interface MessageInput extends Place, Fields {
  readonly content?: string;
}

/** A message; default: the newest in the channel, or one that a user sends for it. */
export interface MessageChoice extends Place {
  readonly messageId?: string;
}

export interface ReactionInput extends MessageChoice {
  /** A character or `name:id`. */
  readonly emoji?: string;
}

export interface GuildChoice {
  readonly guildId?: string;
}

export interface MemberChoice extends GuildChoice {
  readonly userId?: string;
}

export interface ChannelChoice extends GuildChoice {
  readonly channelId?: string;
}

export interface RoleChoice extends GuildChoice {
  readonly roleId?: string;
}

/**
 * What happens on the platform without the bot: one method per gateway kind. Everything may be left
 * out; the seeded dice then choose. Where a thing is needed that does not exist yet (a message to
 * delete, a thread, a ban), it is made first, with its own dispatch.
 */
export class GatewayEvents {
  readonly #platform: Platform;

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  messageCreate(input: MessageInput = {}): Message {
    const place = resolvePlace(this.#platform, input);
    const content = input.content ?? this.#platform.random.pick(SENTENCES);
    const body = { content, ...input.fields };
    return createMessage(this.#platform, { channelId: place.channelId, author: place.user, body });
  }

  messageUpdate(input: MessageChoice & { content?: string } & Fields = {}): Message {
    const message = this.#message(input);
    const content = input.content ?? `${message.content} (edited)`;
    editMessage(this.#platform, message, { content, ...input.fields });
    return message;
  }

  messageDelete(input: MessageChoice = {}): Message {
    const message = this.#message(input);
    deleteMessage(this.#platform, message);
    return message;
  }

  /** Deletes the given messages of one channel; default: three new ones. */
  messageBulkDelete(input: ChannelChoice & { messageIds?: readonly string[] } = {}): string[] {
    const channelId = this.#textChannel(input).id;
    const guildId = this.#platform.world.channel(channelId).guild_id ?? null;
    const make = (): string => this.messageCreate({ guildId, channelId }).id;
    const ids = [...(input.messageIds ?? [make(), make(), make()])];
    bulkDelete(this.#platform, channelId, ids);
    return ids;
  }

  reactionAdd(input: ReactionInput = {}): Message {
    const { message, userId, emoji } = this.#reaction(input);
    addReaction(this.#platform, { message, userId, emoji });
    return message;
  }

  reactionRemove(input: ReactionInput = {}): Message {
    const { message, userId, emoji } = this.#reaction(input);
    removeReaction(this.#platform, { message, userId, emoji });
    return message;
  }

  /** A known user by id, or a new one, joins. */
  memberJoin(input: MemberChoice = {}): Member {
    const { world, maker } = this.#platform;
    const user = input.userId === undefined ? maker.makeUser() : world.user(input.userId);
    return joinMember(this.#platform, this.#guild(input), user);
  }

  /** Default: one of the members but not the owner; when few are left, one that joins for it. */
  memberLeave(input: MemberChoice = {}): User {
    const guild = this.#guild(input);
    const { user } = this.#leaver(guild, input);
    removeMember(this.#platform, guild, user);
    return user;
  }

  memberUpdate(input: MemberChoice & Fields = {}): Member {
    const guild = this.#guild(input);
    const member = this.#member(guild, input);
    const nick = `${member.user.username} ${this.#platform.random.int(1, 99)}`;
    updateMember(this.#platform, guild, member, input.fields ?? { nick });
    return member;
  }

  /** Default: a new user that never was a member, so that nobody leaves. */
  memberBan(input: MemberChoice = {}): User {
    const { world, maker } = this.#platform;
    const user = input.userId === undefined ? maker.makeUser() : world.user(input.userId);
    banUser(this.#platform, this.#guild(input), user, null);
    return user;
  }

  memberUnban(input: MemberChoice = {}): User {
    const guild = this.#guild(input);
    const banned = input.userId ?? [...guild.bans.keys()][0];
    const user =
      banned === undefined
        ? this.memberBan({ guildId: guild.facts.id })
        : this.#platform.world.user(banned);
    unbanUser(this.#platform, guild, user);
    return user;
  }

  channelCreate(input: GuildChoice & Fields = {}): Channel {
    const body = { name: `room-${this.#platform.random.int(1, 999)}`, ...input.fields };
    return createChannel(this.#platform, this.#guild(input), body);
  }

  channelUpdate(input: ChannelChoice & Fields = {}): Channel {
    const channel = this.#textChannel(input);
    const topic = `Topic ${this.#platform.random.int(1, 999)}`;
    updateChannel(this.#platform, channel, input.fields ?? { topic });
    return channel;
  }

  /** Default: a channel that is created for it. */
  channelDelete(input: ChannelChoice = {}): Channel {
    const channel =
      input.channelId === undefined
        ? this.channelCreate(input)
        : this.#platform.world.channel(input.channelId);
    deleteChannel(this.#platform, channel);
    return channel;
  }

  threadCreate(input: ChannelChoice & { userId?: string } & Fields = {}): Channel {
    const parent = this.#textChannel(input);
    const guild = this.#platform.world.guild(parent.guild_id ?? '');
    const ownerId = input.userId ?? pickMember(this.#platform, guild).user.id;
    const body = { name: `thread-${this.#platform.random.int(1, 999)}`, ...input.fields };
    return createThread(this.#platform, { parent, ownerId, body });
  }

  /** Default: a thread that is created for it. `channelId` = the thread. */
  threadDelete(input: ChannelChoice = {}): Channel {
    const thread =
      input.channelId === undefined
        ? this.threadCreate(input)
        : this.#platform.world.channel(input.channelId);
    deleteChannel(this.#platform, thread);
    return thread;
  }

  roleCreate(input: GuildChoice & Fields = {}): Role {
    const body = { name: `role ${this.#platform.random.int(1, 999)}`, ...input.fields };
    return createRole(this.#platform, this.#guild(input), body);
  }

  roleUpdate(input: RoleChoice & Fields = {}): Role {
    const guild = this.#guild(input);
    const role = this.#role(guild, input);
    const color = this.#platform.random.int(0, 0xff_ffff);
    updateRole(this.#platform, guild, role, input.fields ?? { color });
    return role;
  }

  /** Default: a role that is created for it. */
  roleDelete(input: RoleChoice = {}): Role {
    const guild = this.#guild(input);
    const role =
      input.roleId === undefined
        ? this.roleCreate({ guildId: guild.facts.id })
        : this.#role(guild, input);
    deleteRole(this.#platform, guild, role);
    return role;
  }

  /** Joins the guild's voice channel, or leaves voice when already there. */
  voiceStateUpdate(input: MemberChoice & { channelId?: string | null } = {}): void {
    const guild = this.#guild(input);
    const userId = this.#member(guild, input).user.id;
    const voice = [...guild.channels.values()].find(({ type }) => type === CHANNEL_TYPE.voice);
    const toggled = guild.voiceStates.has(userId) ? null : (voice?.id ?? null);
    const channelId = input.channelId === undefined ? toggled : input.channelId;
    setVoiceChannel(this.#platform, guild, userId, channelId);
  }

  inviteCreate(input: ChannelChoice & { userId?: string } = {}): Invite {
    const channel = this.#textChannel(input);
    const guild = this.#platform.world.guild(channel.guild_id ?? '');
    const inviterId = input.userId ?? pickMember(this.#platform, guild).user.id;
    return createInvite(this.#platform, channel, inviterId, {});
  }

  /** Default: an invite that is created for it. */
  inviteDelete(input: GuildChoice & { code?: string } = {}): Invite {
    const invite =
      input.code === undefined ? this.inviteCreate(input) : findInvite(this.#platform, input.code);
    deleteInvite(this.#platform, invite);
    return invite;
  }

  guildUpdate(input: GuildChoice & Fields = {}): Guild {
    const guild = this.#guild(input);
    const description = `About us, edition ${this.#platform.random.int(1, 999)}`;
    updateGuild(this.#platform, guild, input.fields ?? { description });
    return guild;
  }

  /** A rule of the guild blocked a message. `content` is what the member wrote. */
  automodAction(input: MemberChoice & { channelId?: string; content?: string } = {}): void {
    const guild = this.#guild(input);
    const { ids, gateway } = this.#platform;
    const content = input.content ?? 'blocked words';
    const executed = {
      guild_id: guild.facts.id,
      action: { type: 1, metadata: {} },
      rule_id: ids.next(),
      rule_trigger_type: 1,
      user_id: this.#member(guild, input).user.id,
      channel_id: input.channelId ?? pickTextChannel(this.#platform, guild),
      content,
      matched_keyword: content,
      matched_content: content,
    };
    gateway.dispatch('AUTO_MODERATION_ACTION_EXECUTION', executed, { guildId: guild.facts.id });
  }

  presenceUpdate(input: MemberChoice = {}): void {
    const guild = this.#guild(input);
    const { user } = this.#member(guild, input);
    const { random } = this.#platform;
    const activity = { id: random.hex(8), name: random.pick(NOUNS), type: 0, created_at: 0 };
    const status = random.pick(['online', 'idle', 'dnd']);
    const changed = { ...presence(guild, user), status, activities: [activity] };
    this.#platform.gateway.dispatch('PRESENCE_UPDATE', changed, { guildId: guild.facts.id });
  }

  typingStart(input: Place = {}): void {
    const { guild, channelId, user, member } = resolvePlace(this.#platform, input);
    const guildId = guild?.facts.id ?? null;
    const typing = {
      channel_id: channelId,
      user_id: user.id,
      timestamp: Math.floor(this.#platform.env.now() / 1000),
      ...(guildId === null ? {} : { guild_id: guildId, member }),
    };
    this.#platform.gateway.dispatch('TYPING_START', typing, { guildId });
  }

  /** Any dispatch as it is; the world does not change. `guildId: null` = shard 0. */
  raw(input: { readonly name: string; readonly data: JsonObject; guildId?: string | null }): void {
    const guildId = input.guildId === undefined ? this.#guild({}).facts.id : input.guildId;
    this.#platform.gateway.dispatch(input.name, input.data, { guildId });
  }

  #guild(input: GuildChoice): Guild {
    return input.guildId === undefined
      ? pickGuild(this.#platform)
      : this.#platform.world.guild(input.guildId);
  }

  #member(guild: Guild, input: MemberChoice): Member {
    return input.userId === undefined
      ? pickMember(this.#platform, guild)
      : this.#platform.world.member(guild, input.userId);
  }

  #leaver(guild: Guild, input: MemberChoice): Member {
    const { world, random } = this.#platform;
    if (input.userId !== undefined) return world.member(guild, input.userId);
    const { owner_id } = guild.facts;
    const people = [...guild.members.values()].filter(
      ({ user }) => user !== world.bot && user.id !== owner_id,
    );
    return people.length > FEW_MEMBERS
      ? random.pick(people)
      : this.memberJoin({ guildId: guild.facts.id });
  }

  #textChannel(input: ChannelChoice): Channel {
    const { world } = this.#platform;
    if (input.channelId !== undefined) return world.channel(input.channelId);
    return world.channel(pickTextChannel(this.#platform, this.#guild(input)));
  }

  #role(guild: Guild, input: RoleChoice): Role {
    const roleId = input.roleId ?? [...guild.roles.keys()].at(-1) ?? '';
    const role = guild.roles.get(roleId);
    if (role === undefined) throw new NotFound('role', roleId);
    return role;
  }

  #message(input: MessageChoice): Message {
    const { world } = this.#platform;
    if (input.messageId !== undefined) {
      const found = world.findMessage(input.messageId);
      if (found === undefined) throw new NotFound('message', input.messageId);
      return found;
    }
    const { channelId } = resolvePlace(this.#platform, input);
    const guildId = world.channel(channelId).guild_id ?? null;
    return world.messages(channelId).at(-1) ?? this.messageCreate({ guildId, channelId });
  }

  #reaction(input: ReactionInput): { message: Message; userId: string; emoji: string } {
    const message = this.#message(input);
    const { guildId, author } = message;
    const guild = guildId === null ? undefined : this.#platform.world.guilds.get(guildId);
    const someone = guild === undefined ? author : pickMember(this.#platform, guild).user;
    return { message, userId: input.userId ?? someone.id, emoji: input.emoji ?? '👍' };
  }
}
