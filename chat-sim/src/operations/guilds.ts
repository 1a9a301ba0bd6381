import { booleanAt, numberAt, objectAt, textAt } from '../json.ts';
import type { JsonObject } from '../json.ts';
import type { Platform } from '../platform.ts';
import type { Guild, Role } from '../world/entities.ts';
import { guildPayload } from '../world/payloads.ts';
import { role as newRole, roleColors } from '../world/seed.ts';

/** The bot is added to a guild that the seed describes next. */
export function joinGuild(platform: Platform): Guild {
  const guild = platform.maker.make();
  platform.world.addGuild(guild);
  platform.ledger.guild('joins');
  platform.gateway.dispatchGuildCreate(guild.facts.id, true);
  return guild;
}

/** The bot is removed: GUILD_DELETE without `unavailable`. */
export function leaveGuild(platform: Platform, guild: Guild): void {
  const { id } = guild.facts;
  platform.world.removeGuild(guild);
  platform.ledger.guild('leaves');
  platform.gateway.dispatch('GUILD_DELETE', { id }, { guildId: id });
}

/** An outage begins: GUILD_DELETE with `unavailable`. Nothing happens when it is down already. */
export function beginOutage(platform: Platform, guild: Guild): void {
  if (!guild.available) return;
  guild.available = false;
  platform.ledger.guild('outages');
  const { id } = guild.facts;
  platform.gateway.dispatch('GUILD_DELETE', { id, unavailable: true }, { guildId: id });
}

/** The outage is over: GUILD_CREATE. */
export function endOutage(platform: Platform, guild: Guild): void {
  if (guild.available) return;
  guild.available = true;
  platform.ledger.guild('recoveries');
  platform.gateway.dispatchGuildCreate(guild.facts.id, false);
}

export function updateGuild(platform: Platform, guild: Guild, body: JsonObject): void {
  guild.facts.name = textAt(body, 'name') ?? guild.facts.name;
  guild.facts.preferred_locale = textAt(body, 'preferred_locale') ?? guild.facts.preferred_locale;
  if (body['description'] !== undefined) {
    guild.facts.description = textAt(body, 'description') ?? null;
  }
  platform.gateway.dispatch('GUILD_UPDATE', guildPayload(guild), { guildId: guild.facts.id });
}

export function createRole(platform: Platform, guild: Guild, body: JsonObject): Role {
  const made = newRole(platform.ids.next(), 'new role', 1);
  applyRole(made, body);
  guild.roles.set(made.id, made);
  tellRole(platform, 'GUILD_ROLE_CREATE', guild, made);
  return made;
}

export function updateRole(platform: Platform, guild: Guild, role: Role, body: JsonObject): void {
  applyRole(role, body);
  tellRole(platform, 'GUILD_ROLE_UPDATE', guild, role);
}

export function deleteRole(platform: Platform, guild: Guild, role: Role): void {
  guild.roles.delete(role.id);
  for (const member of guild.members.values()) {
    member.roles = member.roles.filter((id) => id !== role.id);
  }
  const gone = { guild_id: guild.facts.id, role_id: role.id };
  platform.gateway.dispatch('GUILD_ROLE_DELETE', gone, { guildId: guild.facts.id });
}

function tellRole(platform: Platform, name: string, guild: Guild, role: Role): void {
  const { id } = guild.facts;
  platform.gateway.dispatch(name, { guild_id: id, role }, { guildId: id });
}

function applyRole(role: Role, body: JsonObject): void {
  role.name = textAt(body, 'name') ?? role.name;
  role.color =
    numberAt(objectAt(body, 'colors'), 'primary_color') ?? numberAt(body, 'color') ?? role.color;
  role.colors = roleColors(role.color);
  role.hoist = booleanAt(body, 'hoist') ?? role.hoist;
  role.mentionable = booleanAt(body, 'mentionable') ?? role.mentionable;
  role.permissions = textAt(body, 'permissions') ?? role.permissions;
}
