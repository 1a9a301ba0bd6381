import { uuidV7 } from '../keys/uuid.ts';
import { rowText } from '../store/inserts.ts';
import { dice, diceBytes, pick } from './dice.ts';
import { isMeasured, SHARD_IDS, SHARDS, SLOT_MS, tide } from './fleet.ts';
import { decimalId, expiresOn, type SampleBot } from './heartbeats.ts';

/** One made-up event. */
export interface SampleEvent {
  readonly type: string;
  readonly atMs: number;
  /** Tells events of one moment apart. */
  readonly serial: number;
  readonly shard: number;
  /** Snowflakes; '0': none. */
  readonly guildId?: string;
  readonly channelId?: string;
  readonly userId?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Six slots of ten seconds: about one interaction a minute. */
const INTERACTIONS_OF_SLOT = 1 / 6;
const GUILDS_OF_SHARD = 12;

const COMMANDS = ['play', 'play', 'play', 'skip', 'queue', 'rank', 'rank', 'ban', 'purge'] as const;
const KINDS = [
  { type: 'interaction_slash', kind: 'slash', names: COMMANDS },
  { type: 'interaction_slash', kind: 'slash', names: ['help', 'config set', 'ticket open'] },
  { type: 'interaction_slash', kind: 'slash', names: COMMANDS },
  { type: 'interaction_button', kind: 'button', names: ['ticket-{id}', 'next-page', 'confirm'] },
  { type: 'interaction_select', kind: 'string_select', names: ['pick-genre', 'pick-language'] },
  { type: 'interaction_modal', kind: 'modal', names: ['ticket-form'] },
  { type: 'interaction_context_menu', kind: 'user_context', names: ['Show rank'] },
  { type: 'interaction_autocomplete', kind: 'autocomplete', names: ['play'] },
] as const;

const FOLLOWED_BY: Readonly<Record<string, string>> = {
  ban: 'action_member_ban',
  purge: 'action_message_bulk_delete',
  rank: 'action_role_grant',
  'ticket open': 'action_thread_create',
};

/** A snowflake whose guild belongs to the shard: `(id >> 22) % shards`. */
function guildOf(shard: number, number: number): string {
  return (
    (BigInt(8_000_000_000 + number * 977) * BigInt(SHARDS) + BigInt(shard)) <<
    22n
  ).toString();
}

const snowflake = (number: number): string =>
  ((260_000_000_000n + BigInt(number)) << 22n).toString();

function interaction(shard: number, slot: number): readonly SampleEvent[] {
  const of = (what: number): number => dice(what, slot, shard);
  const atMs = slot * SLOT_MS + Math.floor(of(40) * SLOT_MS);
  const { type, kind, names } = pick(KINDS, of(41));
  const commandName = pick<string>(names, of(42));
  const failed = of(43) < 0.02;
  const timedOut = !failed && of(44) < 0.004;
  const latencyMs = timedOut ? null : Math.round((60 + 90 / (0.08 + of(45))) * 10) / 10;
  const place = {
    shard,
    guildId: guildOf(shard, Math.floor(of(46) * GUILDS_OF_SHARD)),
    channelId: snowflake(Math.floor(of(47) * 900)),
    userId: snowflake(1_000 + Math.floor(of(48) * 4_000)),
  };
  const shared = { commandName, interactionKind: kind, shardId: shard };
  const first: SampleEvent = {
    ...place,
    type,
    atMs,
    serial: 0,
    data: {
      ...shared,
      success: !failed && !timedOut,
      latencyMs,
      timedOut,
      responseKind: timedOut ? null : kind === 'autocomplete' ? 'autocomplete' : 'reply',
      errorCode: failed ? 50_013 : null,
      gatewayDelayMs: Math.round(40 + 60 * of(49)),
    },
  };
  const after = { ...place, atMs: atMs + Math.round(latencyMs ?? 0), serial: 1 };
  if (failed) {
    const error = {
      name: 'DiscordAPIError[50013]',
      message: 'Missing Permissions',
      stack: 'DiscordAPIError[50013]: Missing Permissions\n    at reply (src/commands.js:41:11)',
      code: 50_013,
      phase: 'reply',
    };
    return [first, { ...after, type: 'command_error', data: { ...shared, ...error } }];
  }
  if (timedOut || kind === 'autocomplete') return [first];
  const action = FOLLOWED_BY[commandName] ?? (of(50) < 0.4 ? 'action_message_send' : null);
  if (action === null) return [first];
  const data = {
    success: true,
    status: null,
    errorCode: null,
    latencyMs: Math.round(90 + 120 * of(51)),
    ...(action === 'action_message_bulk_delete' ? { count: 2 + Math.floor(40 * of(52)) } : {}),
    shardId: shard,
  };
  return [first, { ...after, type: action, data }];
}

function guildChange(shard: number, slot: number): SampleEvent {
  const joined = dice(60, slot) < 0.6;
  const number = 100 + Math.floor(dice(61, slot) * 900);
  return {
    type: joined ? 'guild_join' : 'guild_leave',
    atMs: slot * SLOT_MS + 2_000,
    serial: 2,
    shard,
    guildId: guildOf(shard, number),
    data: {
      name: `Sample guild ${number}`,
      locale: pick(['en-US', 'de', 'fr', 'ja', 'pt-BR'], dice(62, slot)),
      memberCount: 20 + Math.floor(900 * dice(63, slot) ** 3),
      shardId: shard,
      guildCount: 7_900,
    },
  };
}

/** Events that happen in one slot of ten seconds, on shards that are measured then. */
export function eventsOfSlot(bot: SampleBot, slot: number): readonly SampleEvent[] {
  const atMs = slot * SLOT_MS;
  const shard = pick(SHARD_IDS as [number, ...number[]], dice(70, slot));
  if (!isMeasured(shard, atMs, bot.createdAtMs)) return [];
  const events: SampleEvent[] = [];
  if (dice(71, slot) < INTERACTIONS_OF_SLOT * tide(atMs)) events.push(...interaction(shard, slot));
  if (dice(72, slot) < 0.002) events.push(guildChange(shard, slot));
  return events;
}

/** The row of `events`. */
export function eventRow(bot: SampleBot, event: SampleEvent): string {
  const { type, atMs, serial, shard, guildId = '0', channelId = '0', userId = '0', data } = event;
  const id = uuidV7(atMs, diceBytes(73, Math.floor(atMs / 1_000), atMs % 1_000, shard, serial));
  return rowText([
    bot.botId,
    decimalId(id),
    type,
    atMs,
    atMs,
    guildId,
    channelId,
    userId,
    JSON.stringify(data),
    expiresOn(bot, atMs),
  ]);
}
