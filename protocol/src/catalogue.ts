/**
 * The closed set of event types. Spec: Events; names that the spec does not give are settled in
 * `docs/decisions/0002-event-type-names.md`.
 */

/** A user's input to the bot. Spec: "6 kinds are collected". */
export const INTERACTION_TYPES = [
  'interaction_slash',
  'interaction_button',
  'interaction_select',
  'interaction_modal',
  'interaction_context_menu',
  'interaction_autocomplete',
] as const;

/** A call of the bot to the platform's REST API. Spec: "22 kinds are detected". */
export const ACTION_TYPES = [
  'action_message_send',
  'action_message_edit',
  'action_message_delete',
  'action_message_bulk_delete',
  'action_message_pin',
  'action_reaction_add',
  'action_reaction_remove',
  'action_thread_create',
  'action_webhook_send',
  'action_dm_open',
  'action_role_grant',
  'action_role_revoke',
  'action_member_ban',
  'action_member_unban',
  'action_member_kick',
  'action_member_timeout',
  'action_member_update',
  'action_channel_create',
  'action_channel_update',
  'action_channel_delete',
  'action_role_create',
  'action_invite_create',
] as const;

/** Life of a gateway connection. Spec: `shard_ready` and 4 more kinds. */
export const SHARD_TYPES = [
  'shard_connect',
  'shard_ready',
  'shard_disconnect',
  'shard_reconnect',
  'shard_resume',
] as const;

/** Failures in the bot's own code. */
export const ERROR_TYPES = ['command_error', 'error'] as const;

/** The bot enters or leaves a guild. */
export const GUILD_TYPES = ['guild_join', 'guild_leave'] as const;

/** Periodic state; not stored as events, not counted toward the quota. Spec: Events. */
export const SNAPSHOT_TYPES = ['heartbeat', 'guild_snapshot', 'api_routes_snapshot'] as const;

/** Types that are still sent in a quiet period. Spec: Limits, "Quiet period exemptions". */
export const QUIET_EXEMPT_TYPES = ['heartbeat', 'guild_snapshot'] as const;

/** Gateway intent bits that the counters depend on. Source: the platform's gateway documentation. */
export const INTENTS = {
  Guilds: 1,
  GuildMembers: 2,
  GuildModeration: 4,
  GuildInvites: 64,
  GuildVoiceStates: 128,
  GuildMessages: 512,
  GuildMessageReactions: 1_024,
  DirectMessages: 4_096,
  DirectMessageReactions: 8_192,
  AutoModerationExecution: 2_097_152,
} as const satisfies Record<string, number>;

/** Name of an intent. */
export type IntentName = keyof typeof INTENTS;

/** How one gateway kind is recognised. */
export interface GatewayKind {
  /** Dispatch name on the gateway. */
  readonly dispatch: string;
  /** The dispatch arrives when any of these intents is on. */
  readonly intents: readonly IntentName[];
  /** discord.js event. It fires for cached objects only where `cachedOnly` is set. */
  readonly js: string;
  /** discord.py event. */
  readonly py: string;
  readonly cachedOnly?: true;
}

/** The 24 gateway counters. Spec: "24 kinds are collected"; catalogue.md A3. */
export const GATEWAY_KINDS = {
  event_message_create: {
    dispatch: 'MESSAGE_CREATE',
    intents: ['GuildMessages', 'DirectMessages'],
    js: 'messageCreate',
    py: 'message',
  },
  event_message_update: {
    dispatch: 'MESSAGE_UPDATE',
    intents: ['GuildMessages', 'DirectMessages'],
    js: 'messageUpdate',
    py: 'raw_message_edit',
    cachedOnly: true,
  },
  event_message_delete: {
    dispatch: 'MESSAGE_DELETE',
    intents: ['GuildMessages', 'DirectMessages'],
    js: 'messageDelete',
    py: 'raw_message_delete',
    cachedOnly: true,
  },
  event_message_bulk_delete: {
    dispatch: 'MESSAGE_DELETE_BULK',
    intents: ['GuildMessages'],
    js: 'messageDeleteBulk',
    py: 'raw_bulk_message_delete',
  },
  event_reaction_add: {
    dispatch: 'MESSAGE_REACTION_ADD',
    intents: ['GuildMessageReactions', 'DirectMessageReactions'],
    js: 'messageReactionAdd',
    py: 'raw_reaction_add',
    cachedOnly: true,
  },
  event_reaction_remove: {
    dispatch: 'MESSAGE_REACTION_REMOVE',
    intents: ['GuildMessageReactions', 'DirectMessageReactions'],
    js: 'messageReactionRemove',
    py: 'raw_reaction_remove',
    cachedOnly: true,
  },
  event_member_join: {
    dispatch: 'GUILD_MEMBER_ADD',
    intents: ['GuildMembers'],
    js: 'guildMemberAdd',
    py: 'member_join',
  },
  event_member_leave: {
    dispatch: 'GUILD_MEMBER_REMOVE',
    intents: ['GuildMembers'],
    js: 'guildMemberRemove',
    py: 'raw_member_remove',
    cachedOnly: true,
  },
  event_member_update: {
    dispatch: 'GUILD_MEMBER_UPDATE',
    intents: ['GuildMembers'],
    js: 'guildMemberUpdate',
    py: 'member_update',
    cachedOnly: true,
  },
  event_member_ban: {
    dispatch: 'GUILD_BAN_ADD',
    intents: ['GuildModeration'],
    js: 'guildBanAdd',
    py: 'member_ban',
  },
  event_member_unban: {
    dispatch: 'GUILD_BAN_REMOVE',
    intents: ['GuildModeration'],
    js: 'guildBanRemove',
    py: 'member_unban',
  },
  event_channel_create: {
    dispatch: 'CHANNEL_CREATE',
    intents: ['Guilds'],
    js: 'channelCreate',
    py: 'guild_channel_create',
  },
  event_channel_update: {
    dispatch: 'CHANNEL_UPDATE',
    intents: ['Guilds'],
    js: 'channelUpdate',
    py: 'guild_channel_update',
  },
  event_channel_delete: {
    dispatch: 'CHANNEL_DELETE',
    intents: ['Guilds'],
    js: 'channelDelete',
    py: 'guild_channel_delete',
  },
  event_thread_create: {
    dispatch: 'THREAD_CREATE',
    intents: ['Guilds'],
    js: 'threadCreate',
    py: 'thread_create',
  },
  event_thread_delete: {
    dispatch: 'THREAD_DELETE',
    intents: ['Guilds'],
    js: 'threadDelete',
    py: 'raw_thread_delete',
  },
  event_role_create: {
    dispatch: 'GUILD_ROLE_CREATE',
    intents: ['Guilds'],
    js: 'roleCreate',
    py: 'guild_role_create',
  },
  event_role_update: {
    dispatch: 'GUILD_ROLE_UPDATE',
    intents: ['Guilds'],
    js: 'roleUpdate',
    py: 'guild_role_update',
  },
  event_role_delete: {
    dispatch: 'GUILD_ROLE_DELETE',
    intents: ['Guilds'],
    js: 'roleDelete',
    py: 'guild_role_delete',
  },
  event_voice_state_update: {
    dispatch: 'VOICE_STATE_UPDATE',
    intents: ['GuildVoiceStates'],
    js: 'voiceStateUpdate',
    py: 'voice_state_update',
  },
  event_invite_create: {
    dispatch: 'INVITE_CREATE',
    intents: ['GuildInvites'],
    js: 'inviteCreate',
    py: 'invite_create',
  },
  event_invite_delete: {
    dispatch: 'INVITE_DELETE',
    intents: ['GuildInvites'],
    js: 'inviteDelete',
    py: 'invite_delete',
  },
  event_guild_update: {
    dispatch: 'GUILD_UPDATE',
    intents: ['Guilds'],
    js: 'guildUpdate',
    py: 'guild_update',
  },
  event_automod_action: {
    dispatch: 'AUTO_MODERATION_ACTION_EXECUTION',
    intents: ['AutoModerationExecution'],
    js: 'autoModerationActionExecution',
    py: 'automod_action',
  },
} as const satisfies Record<`event_${string}`, GatewayKind>;

export type InteractionType = (typeof INTERACTION_TYPES)[number];
export type ActionType = (typeof ACTION_TYPES)[number];
export type GatewayType = keyof typeof GATEWAY_KINDS;
export type ShardType = (typeof SHARD_TYPES)[number];
export type ErrorType = (typeof ERROR_TYPES)[number];
export type GuildType = (typeof GUILD_TYPES)[number];
export type SnapshotType = (typeof SNAPSHOT_TYPES)[number];

/** Every event type. */
export type EventType =
  | InteractionType
  | ActionType
  | GatewayType
  | ShardType
  | ErrorType
  | GuildType
  | SnapshotType;

/** The gateway types in catalogue order. */
export const GATEWAY_TYPES = Object.keys(GATEWAY_KINDS) as readonly GatewayType[];

/** What an event belongs to. Spec: "Metric group". */
export type EventGroup =
  | 'interactions'
  | 'actions'
  | 'discord_events'
  | 'shards'
  | 'errors'
  | 'guilds'
  | 'snapshots';

/** Group of every event type; its keys are the closed set of types. */
export const EVENT_GROUPS: Readonly<Record<EventType, EventGroup>> = Object.freeze(
  Object.fromEntries([
    ...INTERACTION_TYPES.map((type) => [type, 'interactions'] as const),
    ...ACTION_TYPES.map((type) => [type, 'actions'] as const),
    ...GATEWAY_TYPES.map((type) => [type, 'discord_events'] as const),
    ...SHARD_TYPES.map((type) => [type, 'shards'] as const),
    ...ERROR_TYPES.map((type) => [type, 'errors'] as const),
    ...GUILD_TYPES.map((type) => [type, 'guilds'] as const),
    ...SNAPSHOT_TYPES.map((type) => [type, 'snapshots'] as const),
  ]),
) as Readonly<Record<EventType, EventGroup>>;

/** Every event type in catalogue order. */
export const EVENT_TYPES = Object.keys(EVENT_GROUPS) as readonly EventType[];

/** True for one of the closed set of event types. */
export function isEventType(text: string): text is EventType {
  return Object.hasOwn(EVENT_GROUPS, text);
}

/** True for the snapshot types, which are not stored as events. */
export function isSnapshotType(type: EventType): type is SnapshotType {
  return EVENT_GROUPS[type] === 'snapshots';
}
