import { MESSAGE_FLAG } from './entities.ts';
import type { Channel, Guild, Invite, Member, Message, User, Webhook } from './entities.ts';
import type { World } from './world.ts';

/** Application flags: all three privileged intents granted, commands in use. */
const APPLICATION_FLAGS = (1 << 12) | (1 << 14) | (1 << 18) | (1 << 23);

/** A guild as REST and GUILD_UPDATE show it. */
export function guildPayload(guild: Guild): object {
  return {
    ...guild.facts,
    icon: null,
    splash: null,
    discovery_splash: null,
    banner: null,
    region: 'deprecated',
    afk_channel_id: null,
    afk_timeout: 300,
    widget_enabled: false,
    widget_channel_id: null,
    verification_level: 1,
    default_message_notifications: 0,
    explicit_content_filter: 0,
    features: [],
    emojis: [],
    stickers: [],
    mfa_level: 0,
    application_id: null,
    system_channel_flags: 0,
    rules_channel_id: null,
    public_updates_channel_id: null,
    safety_alerts_channel_id: null,
    max_presences: null,
    max_members: 500_000,
    vanity_url_code: null,
    premium_tier: 0,
    premium_subscription_count: 0,
    premium_progress_bar_enabled: false,
    nsfw_level: 0,
    roles: [...guild.roles.values()],
  };
}

/** Members that GUILD_CREATE carries: all with the presence intent, else only the bot itself. */
export function guildCreatePayload(guild: Guild, botId: string, withPresences: boolean): object {
  const members = [...guild.members.values()];
  return {
    ...guildPayload(guild),
    large: false,
    member_count: guild.members.size,
    channels: [...guild.channels.values()],
    threads: [...guild.threads.values()],
    members: withPresences ? members : members.filter(({ user }) => user.id === botId),
    presences: withPresences ? members.map(({ user }) => presence(guild, user)) : [],
    voice_states: [...guild.voiceStates.values()],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  };
}

export function presence(guild: Guild, user: User): object {
  return {
    user: { id: user.id },
    guild_id: guild.facts.id,
    status: 'online',
    activities: [],
    client_status: { desktop: 'online' },
  };
}

/** A member as it hangs on a message or an interaction: without the user. */
export function partialMember(member: Member): object {
  return { ...member, user: undefined };
}

/** A message as the given viewer sees it. `me` marks the viewer's own reactions. */
export function messagePayload(world: World, message: Message): Record<string, unknown> {
  const guild = message.guildId === null ? undefined : world.guilds.get(message.guildId);
  return {
    id: message.id,
    channel_id: message.channelId,
    type: message.type,
    author: message.author,
    content: message.content,
    embeds: message.embeds,
    components: message.components,
    attachments: [],
    mentions: mentioned(world, message.content),
    mention_roles: [],
    mention_everyone: false,
    timestamp: message.timestamp,
    edited_timestamp: message.editedTimestamp,
    tts: false,
    pinned: message.pinned,
    flags: message.flags,
    ...(message.webhookId === null ? {} : { webhook_id: message.webhookId }),
    ...(message.applicationId === null ? {} : { application_id: message.applicationId }),
    ...(message.reactions.size === 0 ? {} : { reactions: reactionCounts(world, message) }),
    ...(guild === undefined ? {} : { position: 0 }),
  };
}

/** MESSAGE_CREATE and MESSAGE_UPDATE add where it happened and who spoke. */
export function messageDispatch(world: World, message: Message): Record<string, unknown> {
  const guild = message.guildId === null ? undefined : world.guilds.get(message.guildId);
  const member = guild?.members.get(message.author.id);
  return {
    ...messagePayload(world, message),
    channel_type: world.channel(message.channelId).type,
    ...(guild === undefined ? {} : { guild_id: guild.facts.id }),
    ...(member === undefined ? {} : { member: partialMember(member) }),
  };
}

/** What a session without the MessageContent intent gets instead. */
export function withoutContent(payload: Record<string, unknown>): Record<string, unknown> {
  return { ...payload, content: '', embeds: [], components: [], attachments: [] };
}

export function isEphemeral(message: Message): boolean {
  return (message.flags & MESSAGE_FLAG.ephemeral) !== 0;
}

function reactionCounts(world: World, message: Message): object[] {
  return [...message.reactions.values()].map(({ emoji, userIds }) => ({
    emoji,
    count: userIds.size,
    count_details: { burst: 0, normal: userIds.size },
    me: userIds.has(world.bot.id),
    me_burst: false,
    burst_colors: [],
  }));
}

function mentioned(world: World, content: string): User[] {
  const found: User[] = [];
  for (const [, id] of content.matchAll(/<@!?(\d{17,20})>/g)) {
    const user = id === undefined ? undefined : world.users.get(id);
    if (user !== undefined && !found.includes(user)) found.push(user);
  }
  return found;
}

export function invitePayload(world: World, invite: Invite): object {
  const guild = world.guild(invite.guildId);
  const channel = world.channel(invite.channelId);
  return {
    code: invite.code,
    type: 0,
    guild: { id: guild.facts.id, name: guild.facts.name, features: [], icon: null, splash: null },
    channel: { id: channel.id, name: channel.name, type: channel.type },
    inviter: invite.inviter,
    ...inviteMetadata(invite),
  };
}

export function inviteDispatch(invite: Invite): object {
  return {
    code: invite.code,
    type: 0,
    guild_id: invite.guildId,
    channel_id: invite.channelId,
    inviter: invite.inviter,
    ...inviteMetadata(invite),
  };
}

function inviteMetadata(invite: Invite): object {
  return {
    uses: 0,
    max_uses: invite.maxUses,
    max_age: invite.maxAgeSeconds,
    temporary: invite.temporary,
    created_at: invite.createdAt,
    expires_at: null,
  };
}

export function webhookPayload(world: World, webhook: Webhook): object {
  return {
    id: webhook.id,
    type: 1,
    guild_id: webhook.guildId,
    channel_id: webhook.channelId,
    name: webhook.name,
    avatar: null,
    token: webhook.token,
    application_id: null,
    user: world.bot,
  };
}

export function threadMember(thread: Channel, userId: string, joinedAt: string): object {
  return { id: thread.id, user_id: userId, join_timestamp: joinedAt, flags: 0 };
}

export function applicationPayload(world: World): object {
  return {
    id: world.applicationId,
    name: world.bot.username,
    icon: null,
    description: '',
    summary: '',
    bot_public: true,
    bot_require_code_grant: false,
    verify_key: '0'.repeat(64),
    flags: APPLICATION_FLAGS,
    owner: { ...world.bot, bot: false },
    team: null,
    hook: true,
    tags: [],
    redirect_uris: [],
    interactions_endpoint_url: null,
    approximate_guild_count: world.guilds.size,
  };
}

/** The bot's own user: what a login reads. */
export function selfPayload(world: World): object {
  return {
    ...world.bot,
    flags: 0,
    verified: true,
    mfa_enabled: false,
    email: null,
    locale: 'en-US',
  };
}

/** The application as READY shows it. */
export function readyApplication(world: World): object {
  return { id: world.applicationId, flags: APPLICATION_FLAGS };
}
