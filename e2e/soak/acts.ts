/** The 22 actions of the catalogue, each done by the bot through its library. */
export const ACTIONS = [
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

/**
 * Faults of the bot's own code: an error that it reports by hand, one that nobody catches (a rejected
 * promise, a task that fails), a second answer to the same command.
 */
export const FAULTS = ['captured_error', 'stray_error', 'answer_twice'] as const;

/** What the option `what` of the command `act` may say. */
export type Act = (typeof ACTIONS)[number] | (typeof FAULTS)[number];

/** Stands in every text that nobody but the platform may see. */
export const CANARY = 'canary-7f3a';
