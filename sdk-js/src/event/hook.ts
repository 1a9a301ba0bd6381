import type { AnalyticsEvent } from '../api/events.ts';
import type { AnalyticsOptions } from '../api/options.ts';
import type { EventInput } from './encode.ts';
import { isoTime } from './iso.ts';

type BeforeSend = NonNullable<AnalyticsOptions['beforeSend']>;

/** What came of `beforeSend`; `misuse` says what it did instead of answering an event or null. */
export type HookResult =
  | { readonly event: EventInput }
  | { readonly event: null; readonly misuse: 'threw' | 'is async' | 'returned no event' | null };

/**
 * Shows an event to the bot's `beforeSend`. What it changes counts, except `id` and `type`. Never
 * throws.
 */
export function applyHook(hook: BeforeSend, event: EventInput, id: string): HookResult {
  let answer: unknown;
  try {
    answer = hook(shown(event, id));
  } catch {
    return { event: null, misuse: 'threw' };
  }
  if (answer === null) return { event: null, misuse: null };
  if (answer instanceof Promise) {
    // Its rejection would be one more unhandled one.
    answer.catch(() => undefined);
    return { event: null, misuse: 'is async' };
  }
  if (!isEvent(answer)) return { event: null, misuse: 'returned no event' };
  return { event: taken(answer, event) };
}

/** The event as the hook sees it: without the ids that are unknown. */
function shown(event: EventInput, id: string): AnalyticsEvent {
  const { type, guildId, channelId, userId, data } = event;
  const plain = {
    id,
    type,
    ts: isoTime(event.tsMs),
    ...(guildId === null || guildId === undefined ? {} : { guildId }),
    ...(channelId === null || channelId === undefined ? {} : { channelId }),
    ...(userId === null || userId === undefined ? {} : { userId }),
    data,
  };
  // `type` and `data` belong together: the collectors pair them.
  return plain as AnalyticsEvent;
}

interface EventLike {
  readonly data: object;
  readonly ts?: unknown;
  readonly guildId?: unknown;
  readonly channelId?: unknown;
  readonly userId?: unknown;
}

function isEvent(value: unknown): value is EventLike {
  return (
    typeof value === 'object' &&
    value !== null &&
    'data' in value &&
    typeof value.data === 'object' &&
    value.data !== null
  );
}

function taken(answer: EventLike, event: EventInput): EventInput {
  const tsMs = typeof answer.ts === 'string' ? Date.parse(answer.ts) : Number.NaN;
  return {
    type: event.type,
    tsMs: Number.isFinite(tsMs) ? tsMs : event.tsMs,
    guildId: idOf(answer.guildId),
    channelId: idOf(answer.channelId),
    userId: idOf(answer.userId),
    data: answer.data,
  };
}

function idOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
