import {
  ACTION_TYPES,
  ERROR_TYPES,
  EVENT_GROUPS,
  GATEWAY_TYPES,
  GUILD_TYPES,
  INTERACTION_TYPES,
  isEventType,
  SHARD_TYPES,
} from '@bot-analytics/protocol/catalogue';
import type { EventType } from '@bot-analytics/protocol/catalogue';
import type { StoredEvent } from '@bot-analytics/protocol/read-api';
import { plural, fullCount, milliseconds, NOT_MEASURED, share } from '../../format/numbers.ts';
import { clockTimeSeconds, dayAndClock, dayShortText } from '../../format/time.ts';
import { lifecycleText } from '../shard/lifecycle.ts';
import type { Figure } from '../../ui/figures.tsx';
import type { Group } from './search.ts';
import {
  actionWords,
  counterWords,
  errorWords,
  guildWords,
  interactionWords,
  numberAt,
  textAt,
} from './words.ts';

/** Rows of the page: enough to scroll through, and about 60 KB every 3 s. */
export const ROWS_MAX = 200;

/** The filter, in the order of its buttons. */
export const FILTERS = [
  { value: 'all', label: 'All' },
  { value: 'interactions', label: 'Interactions' },
  { value: 'actions', label: 'Actions' },
  { value: 'gateway', label: 'Gateway' },
  { value: 'shards', label: 'Shards' },
  { value: 'errors', label: 'Errors' },
  { value: 'guilds', label: 'Guilds' },
] as const satisfies readonly { readonly value: Group | 'all'; readonly label: string }[];

const GROUP_TYPES = {
  interactions: INTERACTION_TYPES,
  actions: ACTION_TYPES,
  gateway: GATEWAY_TYPES,
  shards: SHARD_TYPES,
  errors: ERROR_TYPES,
  guilds: GUILD_TYPES,
} as const satisfies Record<Group, readonly EventType[]>;

/** Query of the events route for a group. */
export function queryOf(group: Group | undefined): {
  readonly order: 'newest';
  readonly limit: number;
  readonly type?: string;
} {
  const base = { order: 'newest', limit: ROWS_MAX } as const;
  return group === undefined ? base : { ...base, type: GROUP_TYPES[group].join(',') };
}

/** The events of a group among others. */
export function eventsOf(
  events: readonly StoredEvent[],
  group: Group | undefined,
): readonly StoredEvent[] {
  if (group === undefined) return events;
  const types: readonly string[] = GROUP_TYPES[group];
  return events.filter(({ type }) => types.includes(type));
}

/** What became of it. */
export interface Outcome {
  readonly kind: 'ok' | 'failed' | 'timed-out' | 'none';
  readonly word: string;
}

/** One line of the page. */
export interface ActivityRow {
  readonly id: string;
  readonly ts: string;
  readonly time: string;
  readonly fullTime: string;
  readonly what: string;
  /** Text of an error, else null. */
  readonly detail: string | null;
  readonly latency: string;
  readonly outcome: Outcome;
  readonly shard: string;
  readonly guildId: string;
}

type Data = StoredEvent['data'];

const isInteraction = ({ type }: StoredEvent): boolean =>
  isEventType(type) && EVENT_GROUPS[type] === 'interactions';

function among<const Type extends EventType>(
  types: readonly Type[],
  type: string,
): Type | undefined {
  return types.find((one) => one === type);
}

function wordsOf({ id, type, ts, data }: StoredEvent): string {
  const interaction = among(INTERACTION_TYPES, type);
  if (interaction !== undefined) return interactionWords(interaction, data);
  const action = among(ACTION_TYPES, type);
  if (action !== undefined) return actionWords(action, data);
  const counter = among(GATEWAY_TYPES, type);
  if (counter !== undefined) return counterWords(counter, data);
  const shard = among(SHARD_TYPES, type);
  if (shard !== undefined) {
    const text = lifecycleText({ id, type: shard, ts, data });
    return `shard ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
  }
  const error = among(ERROR_TYPES, type);
  if (error !== undefined) return errorWords(error, data);
  const guild = among(GUILD_TYPES, type);
  // A server newer than the page may know types that the page does not.
  return guild === undefined ? type : guildWords(guild, data);
}

function codeOf(data: Data, keys: readonly string[]): string {
  for (const key of keys) {
    const code = textAt(data, key) ?? numberAt(data, key);
    if (code !== null) return ` ${code}`;
  }
  return '';
}

/** Only interactions, actions and errors come out one way or the other. */
export function outcomeOf({ type, data }: StoredEvent): Outcome {
  if (among(ERROR_TYPES, type) !== undefined) {
    return { kind: 'failed', word: `Error${codeOf(data, ['code'])}` };
  }
  if (data['timedOut'] === true) return { kind: 'timed-out', word: 'Timed out' };
  if (data['success'] === true) return { kind: 'ok', word: 'OK' };
  if (data['success'] === false) {
    return { kind: 'failed', word: `Failed${codeOf(data, ['errorCode', 'status'])}` };
  }
  return { kind: 'none', word: NOT_MEASURED };
}

const isSameDay = (aMs: number, bMs: number): boolean =>
  new Date(aMs).toDateString() === new Date(bMs).toDateString();

/** "12:03:10" today, else "20 Nov, 12:03:10". */
function timeText(ms: number, nowMs: number): string {
  const time = clockTimeSeconds(ms);
  return isSameDay(ms, nowMs) ? time : `${dayShortText(ms)}, ${time}`;
}

export function rowOf(event: StoredEvent, nowMs: number): ActivityRow {
  const { id, type, ts, guildId, data } = event;
  const ms = Date.parse(ts);
  const shardId = numberAt(data, 'shardId');
  const latencyMs = numberAt(data, 'latencyMs');
  return {
    id,
    ts,
    time: timeText(ms, nowMs),
    fullTime: dayAndClock(ms),
    what: wordsOf(event),
    detail: among(ERROR_TYPES, type) === undefined ? null : textAt(data, 'message'),
    latency: milliseconds(latencyMs),
    outcome: outcomeOf(event),
    shard: shardId === null ? NOT_MEASURED : String(shardId),
    guildId: guildId ?? NOT_MEASURED,
  };
}

/** The middle value, or the lower one of two. Null of nothing. */
export function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length / 2) - 1] ?? null;
}

/** The page. */
export interface ActivityView {
  readonly rows: readonly ActivityRow[];
  /** What the figures are of, and of what not. */
  readonly scope: string;
  readonly figures: readonly Figure[];
}

function failuresText(judged: number, failed: number, timedOut: number): string {
  if (judged === 0) return 'no interaction shown';
  if (failed === 0) return 'none failed';
  const late = timedOut === 0 ? '' : `, ${fullCount(timedOut)} of them timed out`;
  return `${fullCount(failed)} failed${late}`;
}

function figuresOf(events: readonly StoredEvent[]): readonly Figure[] {
  const interactions = events.filter(isInteraction);
  const judged = interactions.filter(({ data }) => typeof data['success'] === 'boolean');
  const good = judged.filter(({ data }) => data['success'] === true).length;
  const timedOut = interactions.filter(({ data }) => data['timedOut'] === true).length;
  const latencies = interactions.flatMap(({ data }) => numberAt(data, 'latencyMs') ?? []);
  return [
    {
      key: 'interactions',
      label: 'Interactions',
      value: fullCount(interactions.length),
      help: `among ${plural(events.length, 'event', 'events')} shown`,
    },
    {
      key: 'success',
      label: 'Success rate',
      value: share(good, judged.length),
      help: failuresText(judged.length, judged.length - good, timedOut),
    },
    {
      key: 'latency',
      label: 'p50 latency',
      value: milliseconds(median(latencies)),
      help:
        latencies.length === 0
          ? 'no latency shown'
          : `of ${plural(latencies.length, 'interaction', 'interactions')} with an answer`,
    },
  ];
}

/** Events, newest first, as the page shows them. */
export function activityView(events: readonly StoredEvent[], nowMs: number): ActivityView {
  const rows = events.map((event) => rowOf(event, nowMs));
  const [newest, oldest] = [rows[0], rows.at(-1)];
  const what =
    rows.length === 1 ? 'the newest event' : `the ${fullCount(rows.length)} newest events`;
  const scope =
    newest === undefined || oldest === undefined
      ? ''
      : `Figures of ${what} only: ${oldest.time} to ${newest.time}.`;
  return { rows, scope, figures: figuresOf(events) };
}
