import type {
  ActionType,
  ErrorType,
  GatewayType,
  GuildType,
  InteractionType,
} from '@bot-analytics/protocol/catalogue';
import type { StoredEvent } from '@bot-analytics/protocol/read-api';
import { plural } from '../../format/numbers.ts';

type Data = StoredEvent['data'];

export function textAt(data: Data, key: string): string | null {
  const value = data[key];
  return typeof value === 'string' && value !== '' ? value : null;
}

export function numberAt(data: Data, key: string): number | null {
  const value = data[key];
  return typeof value === 'number' ? value : null;
}

/** What the bot did, in the past tense. */
const ACTION_WORDS = {
  action_message_send: 'sent a message',
  action_message_edit: 'edited a message',
  action_message_delete: 'deleted a message',
  action_message_bulk_delete: 'deleted messages in bulk',
  action_message_pin: 'pinned a message',
  action_reaction_add: 'added a reaction',
  action_reaction_remove: 'removed a reaction',
  action_thread_create: 'created a thread',
  action_webhook_send: 'sent a message by webhook',
  action_dm_open: 'opened a direct message',
  action_role_grant: 'granted a role',
  action_role_revoke: 'revoked a role',
  action_member_ban: 'banned a member',
  action_member_unban: 'lifted a ban',
  action_member_kick: 'kicked a member',
  action_member_timeout: 'timed a member out',
  action_member_update: 'changed a member',
  action_channel_create: 'created a channel',
  action_channel_update: 'changed a channel',
  action_channel_delete: 'deleted a channel',
  action_role_create: 'created a role',
  action_invite_create: 'created an invite',
} as const satisfies Record<ActionType, string>;

/** What is plural, for one and for many. */
const COUNTER_WORDS = {
  event_message_create: ['message', 'messages'],
  event_message_update: ['message edited', 'messages edited'],
  event_message_delete: ['message deleted', 'messages deleted'],
  event_message_bulk_delete: ['bulk deletion of messages', 'bulk deletions of messages'],
  event_reaction_add: ['reaction', 'reactions'],
  event_reaction_remove: ['reaction removed', 'reactions removed'],
  event_member_join: ['member joined', 'members joined'],
  event_member_leave: ['member left', 'members left'],
  event_member_update: ['member changed', 'members changed'],
  event_member_ban: ['member banned', 'members banned'],
  event_member_unban: ['ban lifted', 'bans lifted'],
  event_channel_create: ['channel created', 'channels created'],
  event_channel_update: ['channel changed', 'channels changed'],
  event_channel_delete: ['channel deleted', 'channels deleted'],
  event_thread_create: ['thread created', 'threads created'],
  event_thread_delete: ['thread deleted', 'threads deleted'],
  event_role_create: ['role created', 'roles created'],
  event_role_update: ['role changed', 'roles changed'],
  event_role_delete: ['role deleted', 'roles deleted'],
  event_voice_state_update: ['voice state change', 'voice state changes'],
  event_invite_create: ['invite created', 'invites created'],
  event_invite_delete: ['invite deleted', 'invites deleted'],
  event_guild_update: ['guild change', 'guild changes'],
  event_automod_action: ['AutoMod action', 'AutoMod actions'],
} as const satisfies Record<GatewayType, readonly [one: string, many: string]>;

/** What stands before the name of a component or command. */
const INTERACTION_PREFIX = {
  interaction_slash: '/',
  interaction_button: 'button ',
  interaction_select: 'select menu ',
  interaction_modal: 'form ',
  interaction_context_menu: 'context menu ',
  interaction_autocomplete: 'suggestions for /',
} as const satisfies Record<InteractionType, string>;

/** "/play", "button ticket-{id}". */
export function interactionWords(type: InteractionType, data: Data): string {
  return `${INTERACTION_PREFIX[type]}${textAt(data, 'commandName') ?? '?'}`;
}

/** "sent a message", "deleted 40 messages in bulk". */
export function actionWords(type: ActionType, data: Data): string {
  const count = numberAt(data, 'count');
  if (type === 'action_message_bulk_delete' && count !== null) {
    return `deleted ${plural(count, 'message', 'messages')} in bulk`;
  }
  if (type === 'action_member_ban' && count !== null) {
    return `banned ${plural(count, 'member', 'members')}`;
  }
  if (type === 'action_member_timeout' && data['cleared'] === true) return 'lifted a timeout';
  if (type === 'action_message_send' && data['via'] === 'followup') return 'sent a follow-up';
  if (type === 'action_webhook_send' && data['via'] === 'followup') return 'sent a follow-up';
  return ACTION_WORDS[type];
}

/** "12 messages". */
export function counterWords(type: GatewayType, data: Data): string {
  const [one, many] = COUNTER_WORDS[type];
  return plural(numberAt(data, 'count') ?? 0, one, many);
}

/** "error in /play: TypeError". */
export function errorWords(type: ErrorType, data: Data): string {
  const name = textAt(data, 'name') ?? 'Error';
  const command = textAt(data, 'commandName');
  if (type === 'error' || command === null) return `error: ${name}`;
  const slash = data['interactionKind'] === 'slash' ? '/' : '';
  return `error in ${slash}${command}: ${name}`;
}

/** "joined Parrot Fans, 120 members". */
export function guildWords(type: GuildType, data: Data): string {
  const members = numberAt(data, 'memberCount');
  const verb = type === 'guild_join' ? 'joined' : 'left';
  const size = members === null ? '' : `, ${plural(members, 'member', 'members')}`;
  return `${verb} ${textAt(data, 'name') ?? 'a guild'}${size}`;
}
