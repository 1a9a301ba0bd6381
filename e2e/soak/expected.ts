import type { Counts, LedgerSnapshot } from '@bot-analytics/chat-sim';
import { GATEWAY_KINDS } from '@bot-analytics/protocol';

/** Which calls the platform saw for an action, as its ledger writes them. */
const CALLS = {
  action_message_send: ['POST /channels/{id}/messages'],
  action_message_edit: [
    'PATCH /channels/{id}/messages/{id}',
    'PATCH /webhooks/{id}/{token}/messages/{id}',
    'PATCH /webhooks/{id}/{token}/messages/@original',
  ],
  action_message_delete: [
    'DELETE /channels/{id}/messages/{id}',
    'DELETE /webhooks/{id}/{token}/messages/{id}',
    'DELETE /webhooks/{id}/{token}/messages/@original',
  ],
  action_message_bulk_delete: ['POST /channels/{id}/messages/bulk-delete'],
  action_message_pin: ['PUT /channels/{id}/messages/pins/{id}', 'PUT /channels/{id}/pins/{id}'],
  action_reaction_add: ['PUT /channels/{id}/messages/{id}/reactions/{emoji}/@me'],
  action_reaction_remove: [
    'DELETE /channels/{id}/messages/{id}/reactions',
    'DELETE /channels/{id}/messages/{id}/reactions/{emoji}',
    'DELETE /channels/{id}/messages/{id}/reactions/{emoji}/@me',
    'DELETE /channels/{id}/messages/{id}/reactions/{emoji}/{id}',
  ],
  action_thread_create: [
    'POST /channels/{id}/threads',
    'POST /channels/{id}/messages/{id}/threads',
  ],
  action_webhook_send: ['POST /webhooks/{id}/{token}'],
  action_dm_open: ['POST /users/@me/channels'],
  action_role_grant: ['PUT /guilds/{id}/members/{id}/roles/{id}'],
  action_role_revoke: ['DELETE /guilds/{id}/members/{id}/roles/{id}'],
  action_member_ban: ['PUT /guilds/{id}/bans/{id}', 'POST /guilds/{id}/bulk-ban'],
  action_member_unban: ['DELETE /guilds/{id}/bans/{id}'],
  action_member_kick: ['DELETE /guilds/{id}/members/{id}'],
  action_member_update: ['PATCH /guilds/{id}/members/{id}', 'PATCH /guilds/{id}/members/@me'],
  action_channel_create: ['POST /guilds/{id}/channels'],
  action_channel_update: [
    'PATCH /channels/{id}',
    'PUT /channels/{id}/permissions/{id}',
    'DELETE /channels/{id}/permissions/{id}',
  ],
  action_channel_delete: ['DELETE /channels/{id}'],
  action_role_create: ['POST /guilds/{id}/roles'],
  action_invite_create: ['POST /channels/{id}/invites'],
} as const satisfies Record<string, readonly string[]>;

const KINDS = ['slash', 'button', 'select', 'modal', 'context_menu', 'autocomplete'] as const;

/** What only the conductor knows: how often each act was done. */
export type ActsDone = Readonly<Record<string, number>>;

/** Events by type that a faithful SDK reports; gateway kinds as the sum of their counts. */
export function expectedEvents(ledger: LedgerSnapshot, done: ActsDone): Counts {
  return {
    ...interactions(ledger),
    ...actions(ledger, done['action_member_timeout'] ?? 0),
    ...gateway(ledger),
    ...shards(ledger),
    error: (done['captured_error'] ?? 0) + (done['stray_error'] ?? 0),
    command_error: (done['answer_twice'] ?? 0) + refused(ledger),
    guild_join: ledger.guilds.joins,
    guild_leave: ledger.guilds.leaves,
  };
}

function interactions(ledger: LedgerSnapshot): Counts {
  const heard = (kind: string): number =>
    (ledger.interactions[kind]?.['sent'] ?? 0) - (ledger.interactions[kind]?.['unheard'] ?? 0);
  return Object.fromEntries(KINDS.map((kind) => [`interaction_${kind}`, heard(kind)]));
}

/** Answers after the deadline and second ones are refused, and the reply method rejects. */
function refused(ledger: LedgerSnapshot): number {
  const counts = Object.values(ledger.interactions);
  return sum(counts.map(({ late = 0, repeated = 0 }) => late + repeated));
}

/**
 * Calls, not attempts: the libraries repeat what met a 429 or a 5xx, so an answer of another kind
 * ends a call. A time-out and another change of a member differ in their body only.
 */
function actions(ledger: LedgerSnapshot, timeouts: number): Counts {
  const counts: Counts = Object.fromEntries(
    Object.entries(CALLS).map(([type, routes]) => [
      type,
      sum(routes.map((route) => settled(ledger.rest[route] ?? {}))),
    ]),
  );
  counts['action_member_update'] = (counts['action_member_update'] ?? 0) - timeouts;
  return { ...counts, action_member_timeout: timeouts };
}

function settled(byStatus: Counts): number {
  const ends = Object.entries(byStatus).filter(([status]) => status < '5' && status !== '429');
  return sum(ends.map(([, count]) => count));
}

function gateway(ledger: LedgerSnapshot): Counts {
  const shardCounts = Object.values(ledger.dispatches);
  return Object.fromEntries(
    Object.entries(GATEWAY_KINDS).map(([type, { dispatch }]) => [
      type,
      sum(shardCounts.map((counts) => counts[dispatch] ?? 0)),
    ]),
  );
}

function shards(ledger: LedgerSnapshot): Counts {
  const all = Object.values(ledger.shards);
  const closed = sum(all.flatMap(({ disconnects }) => Object.values(disconnects)));
  const identified = sum(all.map(({ identifies }) => identifies));
  return {
    shard_connect: identified,
    shard_ready: identified,
    shard_disconnect: closed,
    shard_reconnect: closed,
    shard_resume: sum(all.map(({ resumes }) => resumes)),
  };
}

/** HTTP attempts that were answered. */
export function restAttempts(ledger: LedgerSnapshot): number {
  const answered = Object.values(ledger.rest).flatMap((byStatus) =>
    Object.entries(byStatus).filter(([status]) => status !== 'reset'),
  );
  return sum(answered.map(([, count]) => count));
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
