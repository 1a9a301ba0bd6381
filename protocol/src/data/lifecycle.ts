import type { FieldTable } from '../field.ts';
import { INTERACTION_FIELDS } from './activity.ts';
import { errorCode, guildName, locale, memberCount, shardId, shardIdOrNull } from './shared.ts';

const shardCount = {
  kind: 'integer',
  min: 1,
  doc: 'Shards of the whole bot.',
  js: 'client.ws / options.shardCount',
  py: 'client.shard_count',
} as const;

/** The 5 shard types. catalogue.md A4. */
export const SHARD_FIELDS = {
  shard_connect: {
    shardId,
    shardCount,
    resumed: {
      kind: 'boolean',
      doc: 'False: a session was made; a resumed one reports shard_resume.',
      js: 'always false',
      py: 'always false',
    },
  },
  shard_ready: {
    shardId,
    shardCount,
    guildCount: {
      kind: 'integer',
      unit: 'guilds',
      min: 0,
      doc: 'Guilds of the shard.',
      js: 'guilds.cache by shardId',
      py: 'guilds by shard_id',
    },
    unavailableGuilds: {
      kind: 'integer',
      unit: 'guilds',
      min: 0,
      doc: 'Guilds of the shard in an outage.',
      js: 'Events.ShardReady second argument',
      py: 'guild.unavailable',
    },
    startupMs: {
      kind: 'number',
      unit: 'ms',
      min: 0,
      nullable: true,
      doc: 'From connect to ready; null when connect was not seen.',
      js: 'performance.now()',
      py: 'time.perf_counter()',
    },
  },
  shard_disconnect: {
    shardId,
    shardCount,
    code: {
      kind: 'integer',
      nullable: true,
      doc: 'WebSocket close code; null when not given.',
      js: 'close event of the shard',
      py: 'not given',
    },
    willReconnect: {
      kind: 'boolean',
      doc: 'False after a code that the library gives up on, and at shutdown.',
      js: 'close code',
      py: 'client.is_closed()',
    },
  },
  shard_reconnect: {
    shardId,
    shardCount,
    attempt: {
      kind: 'integer',
      min: 1,
      doc: 'Attempts since the last ready or resume.',
      js: 'Events.ShardReconnecting',
      py: 'counted at disconnect',
    },
  },
  shard_resume: {
    shardId,
    shardCount,
    replayedEvents: {
      kind: 'integer',
      min: 0,
      nullable: true,
      doc: 'Missed dispatches that were replayed, RESUMED itself not counted.',
      js: 'Events.ShardResume second argument - 1',
      py: 'null',
    },
    downMs: {
      kind: 'number',
      unit: 'ms',
      min: 0,
      nullable: true,
      doc: 'From disconnect to resume.',
      js: 'performance.now()',
      py: 'time.perf_counter()',
    },
  },
} as const satisfies Record<string, FieldTable>;

const errorText = {
  name: {
    kind: 'string',
    doc: 'Error class, at most 200 code points.',
    js: 'error.name',
    py: 'type(exception).__name__',
  },
  message: {
    kind: 'string',
    doc: 'Error text, at most 2 KiB; may quote what a user typed, so a redactor can be set.',
    js: 'error.message',
    py: 'str(exception)',
  },
  stack: {
    kind: 'string',
    nullable: true,
    doc: 'Stack, at most 8 KiB.',
    js: 'error.stack',
    py: 'traceback',
  },
  code: errorCode,
} as const;

/** command_error and error. catalogue.md A5. */
export const ERROR_FIELDS = {
  command_error: {
    ...errorText,
    phase: {
      kind: 'string',
      doc: 'Reply method that failed (`reply`, `deferReply`, `editReply`), or `handler`.',
      js: 'wrapped method',
      py: 'wrapped method or error hook',
    },
    commandName: { ...INTERACTION_FIELDS.commandName, nullable: true },
    interactionKind: { ...INTERACTION_FIELDS.interactionKind, nullable: true },
    shardId: shardIdOrNull,
  },
  error: {
    ...errorText,
    origin: {
      kind: 'string',
      values: [
        'captureError',
        'unhandledRejection',
        'uncaughtException',
        'client_error',
        'asyncio',
        'event_handler',
      ],
      doc: 'How the error was seen.',
      js: 'hook',
      py: 'hook',
    },
    handled: { kind: 'boolean', doc: 'True when the bot caught it.', js: 'hook', py: 'hook' },
    context: {
      kind: 'object',
      nullable: true,
      doc: 'What the caller of captureError() added.',
      js: 'argument',
      py: 'argument',
    },
  },
} as const satisfies Record<string, FieldTable>;

const guildChange = {
  name: guildName,
  locale,
  memberCount,
  shardId,
  guildCount: {
    kind: 'integer',
    unit: 'guilds',
    min: 0,
    doc: 'Guilds of this process afterwards.',
    js: 'guilds.cache.size',
    py: 'len(guilds)',
  },
} as const;

/** guild_join, guild_leave; the guild itself is the event's `guildId`. catalogue.md A5. */
export const GUILD_FIELDS = {
  guild_join: guildChange,
  guild_leave: guildChange,
} as const satisfies Record<string, FieldTable>;
