import type { FieldTable } from '../field.ts';
import { errorCode, shardId, shardIdOrNull, success } from './shared.ts';

/** What a user did to the bot; shared by event and error fields. */
export const INTERACTION_KINDS = [
  'slash',
  'button',
  'string_select',
  'user_select',
  'role_select',
  'mentionable_select',
  'channel_select',
  'modal',
  'user_context',
  'message_context',
  'autocomplete',
] as const;

/** The 6 interaction types. catalogue.md A1. */
export const INTERACTION_FIELDS = {
  commandName: {
    kind: 'string',
    doc: 'Command with its subcommand path (`config set`); for components and modals the custom id with snowflakes replaced by `{id}`, at most 100 code points.',
    js: 'commandName, options.getSubcommand(), customId',
    py: 'data.name, data.options, data.custom_id',
  },
  interactionKind: {
    kind: 'string',
    values: INTERACTION_KINDS,
    doc: 'Finer kind of the interaction.',
    js: 'type, commandType, componentType',
    py: 'type, data.type, data.component_type',
  },
  success,
  latencyMs: {
    kind: 'number',
    unit: 'ms',
    min: 0,
    nullable: true,
    doc: 'From receipt to the first settled response, on the monotonic clock; null when nobody answered.',
    js: 'performance.now() at interactionCreate to settlement of the callback',
    py: 'time.perf_counter() at dispatch to settlement of the callback',
  },
  timedOut: {
    kind: 'boolean',
    doc: 'True when there was no response within 15 s. Spec: Limits.',
    js: 'timer',
    py: 'timer',
  },
  shardId,
  responseKind: {
    kind: 'string',
    nullable: true,
    values: ['reply', 'defer', 'update', 'defer_update', 'modal', 'autocomplete', 'raw'],
    doc: 'First response; `raw` when it was sent around the library, null when there was none.',
    js: 'type of the callback body',
    py: 'type of the callback body',
  },
  errorCode,
  gatewayDelayMs: {
    kind: 'number',
    unit: 'ms',
    nullable: true,
    doc: 'From creation on the platform to receipt, corrected by the platform clock; null without a clock sample.',
    js: 'Date.now() + skew - createdTimestamp',
    py: 'time.time() + skew - created_at',
  },
} as const satisfies FieldTable;

/** The 22 action types. catalogue.md A2. */
export const ACTION_FIELDS = {
  success,
  status: {
    kind: 'integer',
    nullable: true,
    doc: 'HTTP status of a refused call; null when the library does not tell it.',
    js: 'error.status',
    py: 'exception.status',
  },
  errorCode,
  latencyMs: {
    kind: 'number',
    unit: 'ms',
    min: 0,
    doc: 'From call to settlement, waiting for rate limits included.',
    js: 'performance.now()',
    py: 'time.perf_counter()',
  },
  via: {
    kind: 'string',
    optional: true,
    values: ['channel', 'webhook', 'followup'],
    doc: 'For messages: sent to a channel, by a webhook, or as follow-up of an interaction.',
    js: 'route',
    py: 'route',
  },
  fields: {
    kind: 'strings',
    optional: true,
    doc: 'Names (never values) of the changed properties, from an allow-list; member and channel updates only.',
    js: 'keys of the request body',
    py: 'keys of the request body',
  },
  cleared: {
    kind: 'boolean',
    optional: true,
    doc: 'action_member_timeout: true when a timeout was lifted.',
    js: 'communication_disabled_until is null',
    py: 'communication_disabled_until is None',
  },
  count: {
    kind: 'integer',
    optional: true,
    min: 0,
    doc: 'Messages of a bulk delete, users of a bulk ban.',
    js: 'array length in the request body',
    py: 'array length in the request body',
  },
  shardId: shardIdOrNull,
} as const satisfies FieldTable;

/** The 24 gateway counters: one event per kind, shard and window with a count over 0. catalogue.md A3. */
export const GATEWAY_FIELDS = {
  count: {
    kind: 'integer',
    unit: 'events',
    min: 1,
    doc: 'Dispatches of this kind in the window.',
    js: 'client.ws dispatch',
    py: 'dispatch hook',
  },
  windowStart: {
    kind: 'iso',
    doc: 'Start of the window; `ts` is its end.',
    js: 'clock',
    py: 'clock',
  },
  windowMs: {
    kind: 'integer',
    unit: 'ms',
    min: 0,
    doc: 'Length of the window: 60,000, less for the last one at shutdown.',
    js: 'clock',
    py: 'clock',
  },
  shardId: shardIdOrNull,
  guilds: {
    kind: 'integer',
    unit: 'guilds',
    min: 0,
    optional: true,
    doc: 'Distinct guilds in the window.',
    js: 'guild_id of the dispatch',
    py: 'guild id of the dispatch',
  },
} as const satisfies FieldTable;
