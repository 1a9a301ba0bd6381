import type { ACTION_TYPES } from '@bot-analytics/protocol';

/**
 * Faults of the bot's own code: an error that it reports by hand, one that nobody catches (a rejected
 * promise, a task that fails), a second answer to the same command.
 */
export const FAULTS = ['captured_error', 'stray_error', 'answer_twice'] as const;

/** What the option `what` of the command `act` may say. */
export type Act = (typeof ACTION_TYPES)[number] | (typeof FAULTS)[number];

/** Stands in every text that nobody but the platform may see. */
export const CANARY = 'canary-7f3a';
