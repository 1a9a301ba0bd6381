import { QUIET_EXEMPT_TYPES, type EventType } from '@bot-analytics/protocol';
import { guardData } from './guards.ts';
import { utf8Bytes } from './text.ts';

/** An event before it gets id and text. */
export interface EventInput {
  readonly type: EventType;
  /** When it occurred, Unix ms. */
  readonly tsMs: number;
  readonly guildId?: string | null;
  readonly channelId?: string | null;
  readonly userId?: string | null;
  readonly data: object;
}

/** An event as it waits: text that no later change of the bot's objects can reach. */
export interface QueuedEvent {
  /** Order of enqueueing, from 1. */
  readonly seq: number;
  readonly type: EventType;
  /** JSON of the whole event. A later snapshot of the same guild takes its place. */
  json: string;
  /** Guild of a guild_snapshot, of which only the latest waits; the number for everything else. */
  readonly key: string | number;
}

const EXEMPT: ReadonlySet<EventType> = new Set<EventType>(QUIET_EXEMPT_TYPES);
const SNOWFLAKE = /^[1-9]\d{0,19}$/;

/** True for the types that are still sent in a quiet period. Spec: Limits. */
export function isExempt(type: EventType): boolean {
  return EXEMPT.has(type);
}

/** The text of an event. `id` and `ts` come from the SDK and need no escaping. */
export function encodeEvent(
  event: EventInput,
  id: string,
  ts: string,
): { json: string; bytes: number; changed: boolean } {
  const { type, guildId, channelId, userId } = event;
  const data = guardData(event.data, type === 'error' || type === 'command_error');
  const ids =
    idField('"guildId":"', guildId) +
    idField('"channelId":"', channelId) +
    idField('"userId":"', userId);
  const json = `{"id":"${id}","type":"${type}","ts":"${ts}",${ids}"data":${data.json}}`;
  // Counting also makes V8 join the pieces: they die young, and a waiting event is one flat text.
  return { json, bytes: utf8Bytes(json), changed: data.changed };
}

/** An id of the platform; one that is none is left out, since the server would refuse the event. */
function idField(key: string, id: string | null | undefined): string {
  return typeof id === 'string' && SNOWFLAKE.test(id) ? `${key}${id}",` : '';
}
