import { listAt, numberAt, textAt } from '../json.ts';
import type { JsonObject } from '../json.ts';
import { isoNow } from '../platform.ts';
import type { Platform } from '../platform.ts';
import { CHANNEL_TYPE, MESSAGE_FLAG } from '../world/entities.ts';
import type { Message, User } from '../world/entities.ts';
import { PlatformError } from '../world/errors.ts';
import { isEphemeral, messageDispatch, withoutContent } from '../world/payloads.ts';

/** Longest text of a message, characters. */
const CONTENT_CHARACTERS_MAX = 2000;

/** What a bot or a user sends; `body` is the platform's own message form. */
export interface NewMessage {
  readonly channelId: string;
  readonly author: User;
  readonly body: JsonObject;
  readonly webhookId?: string;
  readonly applicationId?: string;
  /** Added to the flags of the body. */
  readonly flags?: number;
  /** A deferred reply may be empty. */
  readonly mayBeEmpty?: boolean;
  /** Message type; 0 = plain, 20 = answer to a slash command, 23 = to a context menu. */
  readonly type?: number;
}

/** Stores a message and tells the gateway, unless only one user may see it. */
export function createMessage(platform: Platform, message: NewMessage): Message {
  const { channelId, author, body } = message;
  const channel = platform.world.channel(channelId);
  const content = readContent(body);
  if (message.mayBeEmpty !== true) refuseEmpty(body, content);
  const made: Message = {
    id: platform.ids.next(),
    channelId,
    guildId: channel.guild_id ?? null,
    author,
    webhookId: message.webhookId ?? null,
    applicationId: message.applicationId ?? null,
    type: message.type ?? 0,
    timestamp: isoNow(platform),
    editedTimestamp: null,
    content,
    embeds: listAt(body, 'embeds'),
    components: listAt(body, 'components'),
    flags: (numberAt(body, 'flags') ?? 0) | (message.flags ?? 0),
    pinned: false,
    reactions: new Map(),
  };
  platform.world.addMessage(made);
  channel.last_message_id = made.id;
  tell(platform, 'MESSAGE_CREATE', made);
  return made;
}

export function editMessage(platform: Platform, message: Message, body: JsonObject): void {
  if (body['content'] !== undefined) message.content = readContent(body);
  if (body['embeds'] !== undefined) message.embeds = listAt(body, 'embeds');
  if (body['components'] !== undefined) message.components = listAt(body, 'components');
  platform.world.noteComponents(message);
  message.flags &= ~MESSAGE_FLAG.loading;
  message.editedTimestamp = isoNow(platform);
  tell(platform, 'MESSAGE_UPDATE', message);
}

export function deleteMessage(platform: Platform, message: Message): void {
  platform.world.removeMessage(message.channelId, message.id);
  if (isEphemeral(message)) return;
  const gone = { id: message.id, channel_id: message.channelId, ...guildField(message.guildId) };
  platform.gateway.dispatch('MESSAGE_DELETE', gone, { guildId: message.guildId });
}

/** Deletes 2 to 100 messages with one dispatch; ids that are not there are passed over. */
export function bulkDelete(platform: Platform, channelId: string, ids: readonly string[]): void {
  if (ids.length < 2 || ids.length > 100) {
    throw new PlatformError(400, 50016, 'Provided too few or too many messages to delete.');
  }
  const guildId = platform.world.channel(channelId).guild_id ?? null;
  for (const id of ids) platform.world.removeMessage(channelId, id);
  const gone = { ids, channel_id: channelId, ...guildField(guildId) };
  platform.gateway.dispatch('MESSAGE_DELETE_BULK', gone, { guildId });
}

/** Pins or unpins; the channel's pins and the message change. */
export function setPinned(platform: Platform, message: Message, pinned: boolean): void {
  message.pinned = pinned;
  const { guildId, channelId } = message;
  const changed = {
    channel_id: channelId,
    ...guildField(guildId),
    last_pin_timestamp: pinned ? isoNow(platform) : null,
  };
  platform.gateway.dispatch('CHANNEL_PINS_UPDATE', changed, { guildId });
  tell(platform, 'MESSAGE_UPDATE', message);
}

/** The direct-message channel with a user, made on first use. */
export function openDm(platform: Platform, user: User): string {
  for (const channel of platform.world.dmChannels.values()) {
    if (channel.recipients?.some(({ id }) => id === user.id) === true) return channel.id;
  }
  const id = platform.ids.next();
  platform.world.dmChannels.set(id, {
    id,
    type: CHANNEL_TYPE.dm,
    name: '',
    position: 0,
    parent_id: null,
    topic: null,
    nsfw: false,
    rate_limit_per_user: 0,
    last_message_id: null,
    permission_overwrites: [],
    recipients: [user],
  });
  return id;
}

export function guildField(guildId: string | null): { guild_id?: string } {
  return guildId === null ? {} : { guild_id: guildId };
}

function tell(platform: Platform, name: string, message: Message): void {
  if (isEphemeral(message)) return;
  const { world, gateway } = platform;
  const payload = messageDispatch(world, message);
  // Without the intent a bot still reads its own messages, direct ones and those that mention it.
  const open =
    message.author.id === world.bot.id ||
    message.guildId === null ||
    message.content.includes(`<@${world.bot.id}>`);
  const { guildId } = message;
  const target = open ? { guildId } : { guildId, contentFree: withoutContent(payload) };
  gateway.dispatch(name, payload, target);
}

function readContent(body: JsonObject): string {
  const content = textAt(body, 'content') ?? '';
  if (content.length > CONTENT_CHARACTERS_MAX) {
    throw new PlatformError(400, 50035, 'Invalid Form Body');
  }
  return content;
}

function refuseEmpty(body: JsonObject, content: string): void {
  const parts = ['embeds', 'components', 'attachments', 'sticker_ids'];
  const filled = parts.some((part) => listAt(body, part).length > 0);
  if (content === '' && !filled && body['poll'] === undefined) {
    throw new PlatformError(400, 50006, 'Cannot send an empty message');
  }
}
