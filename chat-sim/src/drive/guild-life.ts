import { beginOutage, endOutage, joinGuild, leaveGuild } from '../operations/guilds.ts';
import type { Platform } from '../platform.ts';
import type { Guild } from '../world/entities.ts';

/** The bot's guilds come, go and fail. */
export class GuildLife {
  readonly #platform: Platform;

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  /** The bot is added to the next guild of the seed. */
  join(): Guild {
    return joinGuild(this.#platform);
  }

  /** The bot is removed from a guild. */
  leave(guildId: string): void {
    leaveGuild(this.#platform, this.#platform.world.guild(guildId));
  }

  /** GUILD_DELETE with `unavailable`; default: every guild. */
  outage(guildId?: string): void {
    for (const guild of this.#chosen(guildId)) beginOutage(this.#platform, guild);
  }

  /** GUILD_CREATE for guilds under outage; default: all of them. */
  restore(guildId?: string): void {
    for (const guild of this.#chosen(guildId)) endOutage(this.#platform, guild);
  }

  #chosen(guildId: string | undefined): Guild[] {
    const { world } = this.#platform;
    return guildId === undefined ? [...world.guilds.values()] : [world.guild(guildId)];
  }
}
