/** Steps for the bot, per thousand of all steps: every fourth or so. */
export const VISITS = {
  slash: 140,
  autocomplete: 30,
  button: 55,
  select: 25,
  modal: 20,
  userMenu: 6,
  messageMenu: 6,
} as const satisfies Record<string, number>;

/** Steps among people, per thousand of all steps: messages lead, administration is rare. */
export const HAPPENINGS = {
  messageCreate: 420,
  messageUpdate: 40,
  messageDelete: 25,
  messageBulkDelete: 2,
  reactionAdd: 90,
  reactionRemove: 20,
  memberJoin: 25,
  memberLeave: 18,
  memberUpdate: 15,
  memberBan: 2,
  memberUnban: 1,
  channelCreate: 2,
  channelUpdate: 4,
  channelDelete: 2,
  threadCreate: 8,
  threadDelete: 3,
  roleCreate: 2,
  roleUpdate: 3,
  roleDelete: 2,
  voiceStateUpdate: 40,
  inviteCreate: 6,
  inviteDelete: 3,
  guildUpdate: 1,
  automodAction: 4,
} as const satisfies Record<string, number>;

export type VisitKind = keyof typeof VISITS;
export type ActivityKind = VisitKind | keyof typeof HAPPENINGS;
