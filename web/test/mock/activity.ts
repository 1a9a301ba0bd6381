import type { StoredEvent } from '@bot-analytics/protocol/read-api';

const GUILDS = ['81384788765712384', '613425648685547541', null] as const;

type Plan = readonly [type: string, data: StoredEvent['data']];

const answered = (commandName: string, latencyMs: number) => ({
  commandName,
  latencyMs,
  success: true,
  timedOut: false,
  errorCode: null,
});
const windowed = (count: number) => ({ count, windowMs: 60_000 });

/** One of everything that looks different, newest first. */
const PLANS: readonly Plan[] = [
  ['interaction_slash', { ...answered('ping', 84), interactionKind: 'slash' }],
  ['action_message_send', { success: true, latencyMs: 132, status: null, errorCode: null }],
  ['interaction_button', answered('ticket-{id}', 61.5)],
  [
    'interaction_slash',
    { commandName: 'config set', success: false, latencyMs: null, timedOut: true, errorCode: null },
  ],
  ['event_message_create', windowed(12)],
  ['event_reaction_add', windowed(1)],
  [
    'command_error',
    {
      name: 'DiscordAPIError',
      message: 'Missing Permissions',
      code: 50_013,
      commandName: 'purge',
      interactionKind: 'slash',
    },
  ],
  ['action_member_ban', { success: false, latencyMs: 12_300, status: 403, errorCode: 50_013 }],
  ['interaction_autocomplete', answered('play', 18)],
  ['shard_disconnect', { code: 1_006, willReconnect: true }],
  ['guild_join', { name: 'Parrot Fans', memberCount: 1_204 }],
];

/** Events as the events route answers them with `order=newest`. */
export function makeEvents(nowMs: number, count: number): readonly StoredEvent[] {
  return Array.from({ length: count }, (_, index) => {
    const [type, data] = PLANS[index % PLANS.length] ?? ['error', {}];
    return {
      id: `01990000-0000-7000-8000-${String(count - index).padStart(12, '0')}`,
      type,
      ts: new Date(nowMs - index * 1_700).toISOString(),
      guildId: GUILDS[index % GUILDS.length] ?? null,
      channelId: null,
      userId: null,
      data: { ...data, shardId: index % 16 },
    };
  });
}
