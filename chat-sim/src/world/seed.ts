import { Random } from '../random.ts';
import { CHANNEL_TYPE } from './entities.ts';
import type { Channel, Guild, Member, Role, RoleColors, User } from './entities.ts';
import { ADJECTIVES, CHANNEL_NAMES, LOCALES, NOUNS, ROLE_NAMES } from './names.ts';
import { guildSnowflake, makeSnowflake, snowflakeMs } from './snowflake.ts';
import { platformTime } from './time.ts';
import { World } from './world.ts';

/** Ids of users and the bot carry times from here on: 2018-01-01T00:00:00Z. */
const USERS_BORN_MS = 1_514_764_800_000;
const HOUR_MS = 3_600_000;
const ADMINISTRATOR = '8';

export interface SeedOptions {
  /** Same seed, same world. Whole number. */
  readonly seed: number;
  /** Guilds the bot is in at the start, 0 or more. */
  readonly guilds: number;
  /** Users (beside the bot) in each guild at the start: from, to. */
  readonly membersPerGuild: readonly [number, number];
}

/** Builds guilds beyond the first ones too, so that a later join is as reproducible as the start. */
export class GuildMaker {
  readonly #random: Random;
  readonly #world: World;
  readonly #membersPerGuild: readonly [number, number];
  readonly #people: User[] = [];
  #made = 0;

  constructor(world: World, options: SeedOptions) {
    this.#world = world;
    this.#random = new Random(options.seed ^ 0x5eed);
    this.#membersPerGuild = options.membersPerGuild;
  }

  /** The next guild, not yet in the world. */
  make(): Guild {
    const random = this.#random;
    const id = guildSnowflake(this.#made, random.next());
    this.#made += 1;
    const bornMs = snowflakeMs(id);
    // Counters from 1000 keep these ids apart from the guild's own.
    let counter = 1000 + this.#made * 100;
    const nextId = (): string => makeSnowflake(bornMs + HOUR_MS, (counter += 1));
    const guild: Guild = {
      facts: {
        id,
        name: `${capital(random.pick(ADJECTIVES))} ${capital(random.pick(NOUNS))}`,
        description: null,
        owner_id: '',
        preferred_locale: random.pick(LOCALES),
        system_channel_id: null,
        joined_at: platformTime(bornMs + 24 * HOUR_MS),
      },
      available: true,
      roles: new Map(),
      channels: new Map(),
      threads: new Map(),
      members: new Map(),
      bans: new Map(),
      invites: new Map(),
      voiceStates: new Map(),
    };
    this.#addRoles(guild, nextId);
    this.#addChannels(guild, nextId);
    this.#addMembers(guild);
    return guild;
  }

  /** A user that is in no guild yet. */
  makeUser(): User {
    const user = newUser(this.#world, this.#random);
    this.#people.push(user);
    return user;
  }

  #addRoles(guild: Guild, nextId: () => string): void {
    const everyone = role(guild.facts.id, '@everyone', 0);
    const own = { ...role(nextId(), 'Bot', 1), managed: true, permissions: ADMINISTRATOR };
    guild.roles.set(everyone.id, everyone);
    guild.roles.set(own.id, own);
    ROLE_NAMES.slice(0, this.#random.int(2, ROLE_NAMES.length)).forEach((name, index) => {
      const made = role(nextId(), name, index + 2);
      guild.roles.set(made.id, made);
    });
    const joined_at = guild.facts.joined_at;
    guild.members.set(this.#world.bot.id, member(this.#world.bot, joined_at, [own.id]));
  }

  #addChannels(guild: Guild, nextId: () => string): void {
    const names = CHANNEL_NAMES.slice(0, this.#random.int(3, CHANNEL_NAMES.length));
    const rows = [
      ...names.map((name) => [name, CHANNEL_TYPE.text] as const),
      ['Lounge', CHANNEL_TYPE.voice] as const,
      ['questions', CHANNEL_TYPE.forum] as const,
    ];
    rows.forEach(([name, type], position) => {
      const made = guildChannel({ id: nextId(), guildId: guild.facts.id, type, name, position });
      guild.channels.set(made.id, made);
      guild.facts.system_channel_id ??= made.id;
    });
  }

  #addMembers(guild: Guild): void {
    const [least, most] = this.#membersPerGuild;
    const joined_at = guild.facts.joined_at;
    const wanted = this.#random.int(least, most);
    while (guild.members.size <= wanted) {
      // A fifth of the people are in several guilds, as in life.
      const reuse = this.#people.length > 0 && this.#random.chance(0.2);
      const user = reuse ? this.#random.pick(this.#people) : this.makeUser();
      if (guild.members.has(user.id)) continue;
      guild.members.set(user.id, member(user, joined_at, []));
      if (guild.facts.owner_id === '') guild.facts.owner_id = user.id;
    }
    if (guild.facts.owner_id === '') guild.facts.owner_id = this.#world.bot.id;
  }
}

/** The world a seed describes, and the maker of its further guilds and users. */
export function seedWorld(options: SeedOptions): { world: World; maker: GuildMaker } {
  const random = new Random(options.seed);
  const botId = makeSnowflake(USERS_BORN_MS + random.int(0, 30 * 24) * HOUR_MS, 1);
  const world = new World({
    id: botId,
    username: `${random.pick(NOUNS)}-bot`,
    discriminator: '0',
    global_name: null,
    avatar: null,
    bot: true,
    public_flags: 0,
  });
  const maker = new GuildMaker(world, options);
  for (let made = 0; made < options.guilds; made += 1) world.addGuild(maker.make());
  return { world, maker };
}

export function roleColors(color: number): RoleColors {
  return { primary_color: color, secondary_color: null, tertiary_color: null };
}

export function role(id: string, name: string, position: number): Role {
  return {
    id,
    name,
    color: 0,
    colors: roleColors(0),
    hoist: false,
    icon: null,
    unicode_emoji: null,
    position,
    permissions: '0',
    managed: false,
    mentionable: false,
    flags: 0,
  };
}

export function member(user: User, joined_at: string, roles: string[]): Member {
  return {
    user,
    nick: null,
    avatar: null,
    roles,
    joined_at,
    premium_since: null,
    deaf: false,
    mute: false,
    pending: false,
    flags: 0,
    communication_disabled_until: null,
  };
}

export interface NewChannel {
  readonly id: string;
  readonly guildId: string;
  readonly type: number;
  readonly name: string;
  readonly position: number;
}

export function guildChannel({ id, guildId, type, name, position }: NewChannel): Channel {
  return {
    id,
    type,
    guild_id: guildId,
    name,
    position,
    parent_id: null,
    topic: null,
    nsfw: false,
    rate_limit_per_user: 0,
    last_message_id: null,
    permission_overwrites: [],
    ...(type === CHANNEL_TYPE.voice ? { bitrate: 64_000, user_limit: 0 } : {}),
    ...(type === CHANNEL_TYPE.forum ? { available_tags: [] } : {}),
  };
}

function newUser(world: World, random: Random): User {
  const number = world.users.size;
  const name = `${random.pick(ADJECTIVES)}.${random.pick(NOUNS)}.${number}`;
  const user: User = {
    id: makeSnowflake(USERS_BORN_MS + random.int(800, 20_000) * HOUR_MS, number),
    username: name,
    discriminator: '0',
    global_name: capital(name.replaceAll('.', ' ')),
    avatar: null,
    bot: false,
    public_flags: 0,
  };
  world.users.set(user.id, user);
  return user;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
