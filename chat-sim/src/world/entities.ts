/*
 * The platform's objects in the form they have on the wire (snake_case), so that a payload is the
 * object itself. Only what the two client libraries and the tests read is kept.
 */

/** Discord channel types. */
export const CHANNEL_TYPE = {
  text: 0,
  dm: 1,
  voice: 2,
  category: 4,
  announcementThread: 10,
  publicThread: 11,
  privateThread: 12,
  forum: 15,
} as const satisfies Record<string, number>;

/** Message flags. */
export const MESSAGE_FLAG = { ephemeral: 64, loading: 128 } as const;

export interface User {
  readonly id: string;
  username: string;
  readonly discriminator: string;
  global_name: string | null;
  readonly avatar: null;
  readonly bot: boolean;
  readonly public_flags: number;
}

/** The newer form of a role's colour; the older one is its first. */
export interface RoleColors {
  readonly primary_color: number;
  readonly secondary_color: null;
  readonly tertiary_color: null;
}

export interface Role {
  readonly id: string;
  name: string;
  color: number;
  colors: RoleColors;
  hoist: boolean;
  readonly icon: null;
  readonly unicode_emoji: null;
  position: number;
  permissions: string;
  readonly managed: boolean;
  mentionable: boolean;
  readonly flags: number;
}

export interface Overwrite {
  readonly id: string;
  readonly type: number;
  readonly allow: string;
  readonly deny: string;
}

export interface ThreadMetadata {
  archived: boolean;
  auto_archive_duration: number;
  archive_timestamp: string;
  locked: boolean;
  create_timestamp: string;
}

export interface Channel {
  readonly id: string;
  readonly type: number;
  readonly guild_id?: string;
  name: string;
  position: number;
  parent_id: string | null;
  topic: string | null;
  nsfw: boolean;
  rate_limit_per_user: number;
  last_message_id: string | null;
  permission_overwrites: Overwrite[];
  readonly bitrate?: number;
  readonly user_limit?: number;
  readonly available_tags?: readonly unknown[];
  readonly recipients?: readonly User[];
  readonly owner_id?: string;
  readonly message_count?: number;
  readonly member_count?: number;
  readonly thread_metadata?: ThreadMetadata;
}

export interface Member {
  readonly user: User;
  nick: string | null;
  readonly avatar: null;
  roles: string[];
  readonly joined_at: string;
  readonly premium_since: null;
  deaf: boolean;
  mute: boolean;
  readonly pending: boolean;
  readonly flags: number;
  communication_disabled_until: string | null;
}

export interface VoiceState {
  readonly guild_id: string;
  channel_id: string | null;
  readonly user_id: string;
  readonly session_id: string;
  readonly deaf: boolean;
  readonly mute: boolean;
  readonly self_deaf: boolean;
  self_mute: boolean;
  readonly self_video: boolean;
  readonly suppress: boolean;
  readonly request_to_speak_timestamp: null;
}

export interface Reaction {
  readonly emoji: { readonly id: string | null; readonly name: string };
  /** Users that reacted; sent as a count. */
  readonly userIds: Set<string>;
}

export interface Message {
  readonly id: string;
  readonly channelId: string;
  readonly guildId: string | null;
  readonly author: User;
  readonly webhookId: string | null;
  readonly applicationId: string | null;
  readonly type: number;
  readonly timestamp: string;
  editedTimestamp: string | null;
  content: string;
  embeds: readonly unknown[];
  components: readonly unknown[];
  flags: number;
  pinned: boolean;
  readonly reactions: Map<string, Reaction>;
}

export interface Invite {
  readonly code: string;
  readonly channelId: string;
  readonly guildId: string;
  readonly inviter: User;
  readonly maxAgeSeconds: number;
  readonly maxUses: number;
  readonly temporary: boolean;
  readonly createdAt: string;
}

export interface Webhook {
  readonly id: string;
  readonly token: string;
  readonly channelId: string;
  readonly guildId: string;
  readonly name: string;
}

/** The guild's own scalar fields. Roles, channels and members are kept in {@link Guild}. */
export interface GuildFacts {
  readonly id: string;
  name: string;
  description: string | null;
  owner_id: string;
  preferred_locale: string;
  system_channel_id: string | null;
  readonly joined_at: string;
}

export interface Guild {
  readonly facts: GuildFacts;
  /** False during an outage: the gateway tells it as `unavailable`. */
  available: boolean;
  readonly roles: Map<string, Role>;
  readonly channels: Map<string, Channel>;
  readonly threads: Map<string, Channel>;
  readonly members: Map<string, Member>;
  readonly bans: Map<string, { readonly user: User; readonly reason: string | null }>;
  readonly invites: Map<string, Invite>;
  readonly voiceStates: Map<string, VoiceState>;
}

/** A registered application command, as the bot sent it. */
export interface Command {
  readonly id: string;
  readonly type: number;
  readonly name: string;
  readonly description: string;
  readonly guildId: string | null;
  readonly version: string;
  /** The rest of what was registered (options, permissions, ...), sent back unchanged. */
  readonly definition: object;
}
