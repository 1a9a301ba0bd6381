import { booleanAt, textAt, textsAt } from '../json.ts';
import type { JsonObject } from '../json.ts';
import { isoNow } from '../platform.ts';
import type { Platform } from '../platform.ts';
import type { Guild, Member, User } from '../world/entities.ts';
import { NotFound } from '../world/errors.ts';
import { member as newMember } from '../world/seed.ts';
import { setVoiceChannel } from './voice.ts';

export function joinMember(platform: Platform, guild: Guild, user: User): Member {
  const made = newMember(user, isoNow(platform), []);
  guild.members.set(user.id, made);
  const joined = { ...made, guild_id: guild.facts.id };
  platform.gateway.dispatch('GUILD_MEMBER_ADD', joined, { guildId: guild.facts.id });
  return made;
}

/** Leave and kick look the same from outside. */
export function removeMember(platform: Platform, guild: Guild, user: User): void {
  if (!guild.members.delete(user.id)) throw new NotFound('member', user.id);
  guild.voiceStates.delete(user.id);
  const gone = { guild_id: guild.facts.id, user };
  platform.gateway.dispatch('GUILD_MEMBER_REMOVE', gone, { guildId: guild.facts.id });
}

/** Nickname, roles, mute, deafen, timeout, voice channel: what the body names. */
export function updateMember(
  platform: Platform,
  guild: Guild,
  member: Member,
  body: JsonObject,
): void {
  if (body['nick'] !== undefined) member.nick = textAt(body, 'nick') ?? null;
  if (body['roles'] !== undefined) {
    const roles = textsAt(body, 'roles');
    for (const id of roles) if (!guild.roles.has(id)) throw new NotFound('role', id);
    member.roles = [...roles];
  }
  if (body['communication_disabled_until'] !== undefined) {
    member.communication_disabled_until = textAt(body, 'communication_disabled_until') ?? null;
  }
  member.mute = booleanAt(body, 'mute') ?? member.mute;
  member.deaf = booleanAt(body, 'deaf') ?? member.deaf;
  if (body['channel_id'] !== undefined) {
    setVoiceChannel(platform, guild, member.user.id, textAt(body, 'channel_id') ?? null);
  }
  tellMember(platform, guild, member);
}

export function grantRole(platform: Platform, guild: Guild, member: Member, roleId: string): void {
  if (!guild.roles.has(roleId)) throw new NotFound('role', roleId);
  if (!member.roles.includes(roleId)) member.roles.push(roleId);
  tellMember(platform, guild, member);
}

export function revokeRole(platform: Platform, guild: Guild, member: Member, roleId: string): void {
  if (!guild.roles.has(roleId)) throw new NotFound('role', roleId);
  member.roles = member.roles.filter((id) => id !== roleId);
  tellMember(platform, guild, member);
}

/** Bans a user, member or not; a member is removed first. */
export function banUser(platform: Platform, guild: Guild, user: User, reason: string | null): void {
  if (guild.members.has(user.id)) removeMember(platform, guild, user);
  guild.bans.set(user.id, { user, reason });
  const ban = { guild_id: guild.facts.id, user };
  platform.gateway.dispatch('GUILD_BAN_ADD', ban, { guildId: guild.facts.id });
}

export function unbanUser(platform: Platform, guild: Guild, user: User): void {
  if (!guild.bans.delete(user.id)) throw new NotFound('ban', user.id);
  const ban = { guild_id: guild.facts.id, user };
  platform.gateway.dispatch('GUILD_BAN_REMOVE', ban, { guildId: guild.facts.id });
}

function tellMember(platform: Platform, guild: Guild, member: Member): void {
  const changed = { ...member, guild_id: guild.facts.id };
  platform.gateway.dispatch('GUILD_MEMBER_UPDATE', changed, {
    guildId: guild.facts.id,
    // The bot always learns of changes to its own member.
    always: member.user.id === platform.world.bot.id,
  });
}
