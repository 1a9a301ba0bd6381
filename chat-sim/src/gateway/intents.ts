/** Gateway intents, bit values. Source: gateway documentation, "List of Intents". */
export const INTENT = {
  guilds: 1 << 0,
  guildMembers: 1 << 1,
  guildModeration: 1 << 2,
  guildExpressions: 1 << 3,
  guildIntegrations: 1 << 4,
  guildWebhooks: 1 << 5,
  guildInvites: 1 << 6,
  guildVoiceStates: 1 << 7,
  guildPresences: 1 << 8,
  guildMessages: 1 << 9,
  guildMessageReactions: 1 << 10,
  guildMessageTyping: 1 << 11,
  directMessages: 1 << 12,
  directMessageReactions: 1 << 13,
  directMessageTyping: 1 << 14,
  messageContent: 1 << 15,
  guildScheduledEvents: 1 << 16,
  autoModerationConfiguration: 1 << 20,
  autoModerationExecution: 1 << 21,
  guildMessagePolls: 1 << 24,
  directMessagePolls: 1 << 25,
} as const satisfies Record<string, number>;

/** Every bit above. */
export const ALL_INTENTS = Object.values(INTENT).reduce((sum, bit) => sum | bit, 0);

/** Any one of these bits lets a dispatch through: in a guild, and in a direct message. */
interface Needed {
  readonly guild: number;
  readonly direct: number;
}

const NEEDED: ReadonlyMap<string, Needed> = new Map([
  ...each(INTENT.guilds, [
    'GUILD_CREATE',
    'GUILD_UPDATE',
    'GUILD_DELETE',
    'GUILD_ROLE_CREATE',
    'GUILD_ROLE_UPDATE',
    'GUILD_ROLE_DELETE',
    'CHANNEL_CREATE',
    'CHANNEL_UPDATE',
    'CHANNEL_DELETE',
    'CHANNEL_PINS_UPDATE',
    'THREAD_CREATE',
    'THREAD_UPDATE',
    'THREAD_DELETE',
  ]),
  ...each(INTENT.guildMembers, ['GUILD_MEMBER_ADD', 'GUILD_MEMBER_UPDATE', 'GUILD_MEMBER_REMOVE']),
  ...each(INTENT.guildModeration, ['GUILD_BAN_ADD', 'GUILD_BAN_REMOVE']),
  ...each(INTENT.guildWebhooks, ['WEBHOOKS_UPDATE']),
  ...each(INTENT.guildInvites, ['INVITE_CREATE', 'INVITE_DELETE']),
  ...each(INTENT.guildVoiceStates, ['VOICE_STATE_UPDATE']),
  ...each(INTENT.guildPresences, ['PRESENCE_UPDATE']),
  ...each(INTENT.autoModerationExecution, ['AUTO_MODERATION_ACTION_EXECUTION']),
  ...each(
    INTENT.guildMessages,
    ['MESSAGE_CREATE', 'MESSAGE_UPDATE', 'MESSAGE_DELETE', 'MESSAGE_DELETE_BULK'],
    INTENT.directMessages,
  ),
  ...each(
    INTENT.guildMessageReactions,
    [
      'MESSAGE_REACTION_ADD',
      'MESSAGE_REACTION_REMOVE',
      'MESSAGE_REACTION_REMOVE_ALL',
      'MESSAGE_REACTION_REMOVE_EMOJI',
    ],
    INTENT.directMessageReactions,
  ),
  ...each(INTENT.guildMessageTyping, ['TYPING_START'], INTENT.directMessageTyping),
]);

function each(guild: number, names: readonly string[], direct = 0): [string, Needed][] {
  return names.map((name) => [name, { guild, direct: direct === 0 ? guild : direct }]);
}

/** Whether a session with these intents gets the dispatch. Names without a rule always pass. */
export function intentsAllow(name: string, inGuild: boolean, intents: number): boolean {
  const needed = NEEDED.get(name);
  return needed === undefined || (intents & (inGuild ? needed.guild : needed.direct)) !== 0;
}
