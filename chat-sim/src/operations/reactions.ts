import type { Platform } from '../platform.ts';
import type { Message, Reaction } from '../world/entities.ts';
import { guildField } from './messages.ts';

/** One user's reaction to one message; `emoji` is a character or `name:id`. */
export interface ReactionChange {
  readonly message: Message;
  readonly userId: string;
  readonly emoji: string;
}

export function addReaction(platform: Platform, { message, userId, emoji }: ReactionChange): void {
  let reaction = message.reactions.get(emoji);
  if (reaction === undefined) {
    reaction = { emoji: readEmoji(emoji), userIds: new Set() };
    message.reactions.set(emoji, reaction);
  }
  reaction.userIds.add(userId);
  const member =
    message.guildId === null
      ? undefined
      : platform.world.guilds.get(message.guildId)?.members.get(userId);
  const change = {
    ...where(message),
    user_id: userId,
    emoji: reaction.emoji,
    message_author_id: message.author.id,
    burst: false,
    type: 0,
    ...(member === undefined ? {} : { member }),
  };
  platform.gateway.dispatch('MESSAGE_REACTION_ADD', change, message);
}

export function removeReaction(platform: Platform, change: ReactionChange): void {
  const { message, userId, emoji } = change;
  const reaction = message.reactions.get(emoji);
  reaction?.userIds.delete(userId);
  if (reaction?.userIds.size === 0) message.reactions.delete(emoji);
  const gone = {
    ...where(message),
    user_id: userId,
    emoji: readEmoji(emoji),
    burst: false,
    type: 0,
  };
  platform.gateway.dispatch('MESSAGE_REACTION_REMOVE', gone, message);
}

export function clearReactions(platform: Platform, message: Message): void {
  message.reactions.clear();
  platform.gateway.dispatch('MESSAGE_REACTION_REMOVE_ALL', where(message), message);
}

export function clearEmoji(platform: Platform, message: Message, emoji: string): void {
  message.reactions.delete(emoji);
  const gone = { ...where(message), emoji: readEmoji(emoji) };
  platform.gateway.dispatch('MESSAGE_REACTION_REMOVE_EMOJI', gone, message);
}

function where(message: Message): object {
  return {
    channel_id: message.channelId,
    message_id: message.id,
    ...guildField(message.guildId),
  };
}

function readEmoji(emoji: string): Reaction['emoji'] {
  const custom = /^(?:a:)?(\w+):(\d{17,20})$/.exec(emoji);
  return { id: custom?.[2] ?? null, name: custom?.[1] ?? emoji };
}
