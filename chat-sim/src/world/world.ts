import { NotFound } from './errors.ts';
import type { Channel, Command, Guild, Member, Message, User, Webhook } from './entities.ts';

/** Messages kept per channel; the oldest go first. The platform keeps all, memory does not. */
const MESSAGES_PER_CHANNEL_MAX = 500;
/** Messages with components that are remembered for users to click on. */
const INTERACTIVE_MAX = 200;

/** Everything the platform knows: a plain store, changed only through `operations/`. */
export class World {
  readonly bot: User;
  readonly users = new Map<string, User>();
  readonly guilds = new Map<string, Guild>();
  /** Direct-message channels by channel id; each has one recipient. */
  readonly dmChannels = new Map<string, Channel>();
  readonly webhooks = new Map<string, Webhook>();
  readonly commands = new Map<string, Command>();
  readonly #messages = new Map<string, Map<string, Message>>();
  #interactive: Message[] = [];
  #guildList: Guild[] = [];
  readonly #guildOfChannel = new Map<string, string>();

  constructor(bot: User) {
    this.bot = bot;
    this.users.set(bot.id, bot);
  }

  /** The application's id; as for every newer bot it equals the bot user's id. */
  get applicationId(): string {
    return this.bot.id;
  }

  guild(id: string): Guild {
    const guild = this.guilds.get(id);
    if (guild === undefined) throw new NotFound('guild', id);
    return guild;
  }

  user(id: string): User {
    const user = this.users.get(id);
    if (user === undefined) throw new NotFound('user', id);
    return user;
  }

  member(guild: Guild, userId: string): Member {
    const member = guild.members.get(userId);
    if (member === undefined) throw new NotFound('member', userId);
    return member;
  }

  /** A guild channel, a thread or a direct-message channel. */
  channel(id: string): Channel {
    const guildId = this.#guildOfChannel.get(id);
    const guild = guildId === undefined ? undefined : this.guilds.get(guildId);
    const channel = guild?.channels.get(id) ?? guild?.threads.get(id) ?? this.dmChannels.get(id);
    if (channel === undefined) throw new NotFound('channel', id);
    return channel;
  }

  /** Makes a guild and all its channels findable. */
  addGuild(guild: Guild): void {
    this.guilds.set(guild.facts.id, guild);
    this.#guildList.push(guild);
    for (const id of guild.channels.keys()) this.#guildOfChannel.set(id, guild.facts.id);
  }

  removeGuild(guild: Guild): void {
    this.guilds.delete(guild.facts.id);
    this.#guildList = this.#guildList.filter((other) => other !== guild);
    for (const id of [...guild.channels.keys(), ...guild.threads.keys()]) {
      this.removeChannel(guild, id);
    }
  }

  /** All guilds as a list, in the order in which they came. */
  guildList(): readonly Guild[] {
    return this.#guildList;
  }

  addChannel(guild: Guild, channel: Channel, where: 'channels' | 'threads'): void {
    guild[where].set(channel.id, channel);
    this.#guildOfChannel.set(channel.id, guild.facts.id);
  }

  removeChannel(guild: Guild, channelId: string): void {
    guild.channels.delete(channelId);
    guild.threads.delete(channelId);
    this.#guildOfChannel.delete(channelId);
    this.#messages.delete(channelId);
  }

  /** Messages of a channel, oldest first. */
  messages(channelId: string): readonly Message[] {
    return [...(this.#messages.get(channelId)?.values() ?? [])];
  }

  message(channelId: string, messageId: string): Message {
    const message = this.#messages.get(channelId)?.get(messageId);
    if (message === undefined) throw new NotFound('message', messageId);
    return message;
  }

  /** A message in whatever channel. */
  findMessage(messageId: string): Message | undefined {
    for (const kept of this.#messages.values()) {
      const message = kept.get(messageId);
      if (message !== undefined) return message;
    }
    return undefined;
  }

  addMessage(message: Message): void {
    let kept = this.#messages.get(message.channelId);
    if (kept === undefined) this.#messages.set(message.channelId, (kept = new Map()));
    kept.set(message.id, message);
    this.noteComponents(message);
    if (kept.size > MESSAGES_PER_CHANNEL_MAX) {
      for (const oldest of kept.keys()) {
        kept.delete(oldest);
        break;
      }
    }
  }

  removeMessage(channelId: string, messageId: string): void {
    this.#messages.get(channelId)?.delete(messageId);
  }

  /** Remembers a message of the bot that users can click on. */
  noteComponents(message: Message): void {
    if (message.components.length === 0 || message.author.id !== this.bot.id) return;
    this.#interactive = this.#interactive.filter((other) => other !== message);
    this.#interactive.push(message);
    if (this.#interactive.length > INTERACTIVE_MAX) this.#interactive.shift();
  }

  /** The bot's messages that still have components, oldest first; the newest 200. */
  interactiveMessages(): readonly Message[] {
    return this.#interactive.filter(
      ({ id, channelId, components }) =>
        components.length > 0 && this.#messages.get(channelId)?.has(id) === true,
    );
  }

  /** The newest message of the bot whose components hold this custom id. */
  messageWithComponent(customId: string): Message | undefined {
    const quoted = JSON.stringify(customId);
    return this.interactiveMessages().findLast(({ components }) =>
      JSON.stringify(components).includes(quoted),
    );
  }
}
