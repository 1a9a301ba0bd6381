import { textsAt } from '../../json.ts';
import { createChannel } from '../../operations/channels.ts';
import {
  createRole,
  deleteRole,
  leaveGuild,
  updateGuild,
  updateRole,
} from '../../operations/guilds.ts';
import {
  banUser,
  grantRole,
  removeMember,
  revokeRole,
  unbanUser,
  updateMember,
} from '../../operations/members.ts';
import type { Platform } from '../../platform.ts';
import type { Guild, Member, Role } from '../../world/entities.ts';
import { NotFound, PlatformError } from '../../world/errors.ts';
import { guildPayload, invitePayload } from '../../world/payloads.ts';
import { NO_CONTENT, created, isSet, ok } from '../route.ts';
import type { RestReply, RestRequest, RestRoute } from '../route.ts';

/** Guilds, their members, bans, roles and channels. */
export const GUILD_ROUTES: readonly RestRoute[] = [
  ['GET', '/guilds/{guild}', getGuild],
  ['PATCH', '/guilds/{guild}', editGuild],
  ['DELETE', '/users/@me/guilds/{guild}', leave],
  ['GET', '/guilds/{guild}/channels', channels],
  ['POST', '/guilds/{guild}/channels', addChannel],
  ['GET', '/guilds/{guild}/invites', invites],
  ['GET', '/guilds/{guild}/roles', roles],
  ['POST', '/guilds/{guild}/roles', addRole],
  ['PATCH', '/guilds/{guild}/roles/{role}', editRole],
  ['DELETE', '/guilds/{guild}/roles/{role}', removeRole],
  ['GET', '/guilds/{guild}/members', members],
  ['PATCH', '/guilds/{guild}/members/@me', editMember],
  ['GET', '/guilds/{guild}/members/{user}', (p, request) => ok(memberOf(p, request))],
  ['PATCH', '/guilds/{guild}/members/{user}', editMember],
  ['DELETE', '/guilds/{guild}/members/{user}', kick],
  ['PUT', '/guilds/{guild}/members/{user}/roles/{role}', grant],
  ['DELETE', '/guilds/{guild}/members/{user}/roles/{role}', revoke],
  ['GET', '/guilds/{guild}/bans', bans],
  ['GET', '/guilds/{guild}/bans/{user}', getBan],
  ['PUT', '/guilds/{guild}/bans/{user}', ban],
  ['DELETE', '/guilds/{guild}/bans/{user}', unban],
  ['POST', '/guilds/{guild}/bulk-ban', bulkBan],
];

function guildOf({ world }: Platform, request: RestRequest): Guild {
  return world.guild(request.param('guild'));
}

function memberOf(platform: Platform, request: RestRequest): Member {
  const userId = request.param('user') || platform.world.bot.id;
  return platform.world.member(guildOf(platform, request), userId);
}

function getGuild(platform: Platform, request: RestRequest): RestReply {
  const guild = guildOf(platform, request);
  const counts = {
    approximate_member_count: guild.members.size,
    approximate_presence_count: guild.members.size,
  };
  const wanted = isSet(request.query, 'with_counts');
  return ok({ ...guildPayload(guild), ...(wanted ? counts : {}) });
}

function editGuild(platform: Platform, request: RestRequest): RestReply {
  const guild = guildOf(platform, request);
  updateGuild(platform, guild, request.body);
  return ok(guildPayload(guild));
}

function leave(platform: Platform, request: RestRequest): RestReply {
  leaveGuild(platform, guildOf(platform, request));
  return NO_CONTENT;
}

function channels(platform: Platform, request: RestRequest): RestReply {
  return ok([...guildOf(platform, request).channels.values()]);
}

function addChannel(platform: Platform, request: RestRequest): RestReply {
  return created(createChannel(platform, guildOf(platform, request), request.body));
}

function invites(platform: Platform, request: RestRequest): RestReply {
  const all = [...guildOf(platform, request).invites.values()];
  return ok(all.map((one) => invitePayload(platform.world, one)));
}

function roles(platform: Platform, request: RestRequest): RestReply {
  return ok([...guildOf(platform, request).roles.values()]);
}

function addRole(platform: Platform, request: RestRequest): RestReply {
  return ok(createRole(platform, guildOf(platform, request), request.body));
}

function roleOf(guild: Guild, request: RestRequest): Role {
  const role = guild.roles.get(request.param('role'));
  if (role === undefined) throw new NotFound('role', request.param('role'));
  return role;
}

function editRole(platform: Platform, request: RestRequest): RestReply {
  const guild = guildOf(platform, request);
  const role = roleOf(guild, request);
  updateRole(platform, guild, role, request.body);
  return ok(role);
}

function removeRole(platform: Platform, request: RestRequest): RestReply {
  const guild = guildOf(platform, request);
  deleteRole(platform, guild, roleOf(guild, request));
  return NO_CONTENT;
}

function members(platform: Platform, request: RestRequest): RestReply {
  const limit = Number(request.query.get('limit') ?? '1');
  const after = BigInt(request.query.get('after') ?? '0');
  const rows = [...guildOf(platform, request).members.values()]
    .filter(({ user }) => BigInt(user.id) > after)
    .toSorted((a, b) => (BigInt(a.user.id) < BigInt(b.user.id) ? -1 : 1));
  return ok(rows.slice(0, limit));
}

function editMember(platform: Platform, request: RestRequest): RestReply {
  const member = memberOf(platform, request);
  updateMember(platform, guildOf(platform, request), member, request.body);
  return ok(member);
}

function kick(platform: Platform, request: RestRequest): RestReply {
  const guild = guildOf(platform, request);
  removeMember(platform, guild, memberOf(platform, request).user);
  return NO_CONTENT;
}

function grant(platform: Platform, request: RestRequest): RestReply {
  const member = memberOf(platform, request);
  grantRole(platform, guildOf(platform, request), member, request.param('role'));
  return NO_CONTENT;
}

function revoke(platform: Platform, request: RestRequest): RestReply {
  const member = memberOf(platform, request);
  revokeRole(platform, guildOf(platform, request), member, request.param('role'));
  return NO_CONTENT;
}

function bans(platform: Platform, request: RestRequest): RestReply {
  return ok([...guildOf(platform, request).bans.values()]);
}

function getBan(platform: Platform, request: RestRequest): RestReply {
  const found = guildOf(platform, request).bans.get(request.param('user'));
  if (found === undefined) throw new NotFound('ban', request.param('user'));
  return ok(found);
}

function ban(platform: Platform, request: RestRequest): RestReply {
  const user = platform.world.user(request.param('user'));
  banUser(platform, guildOf(platform, request), user, request.reason);
  return NO_CONTENT;
}

function unban(platform: Platform, request: RestRequest): RestReply {
  unbanUser(platform, guildOf(platform, request), platform.world.user(request.param('user')));
  return NO_CONTENT;
}

function bulkBan(platform: Platform, request: RestRequest): RestReply {
  const guild = guildOf(platform, request);
  const ids = textsAt(request.body, 'user_ids');
  const known = ids.filter((id) => platform.world.users.has(id) && !guild.bans.has(id));
  if (known.length === 0) throw new PlatformError(500, 500000, 'Failed to ban users');
  for (const id of known) banUser(platform, guild, platform.world.user(id), request.reason);
  return ok({ banned_users: known, failed_users: ids.filter((id) => !known.includes(id)) });
}
