import type { AnalyticsEvent } from '../api/events.ts';
import type { AnalyticsOptions } from '../api/options.ts';
import { isObject, prop, text } from '../core/read.ts';
import type { EventInput } from './encode.ts';
import { isoTime } from './iso.ts';

type BeforeSend = NonNullable<AnalyticsOptions['beforeSend']>;

/**
 * Shows an event to the bot's `beforeSend`. What it changes counts, except `id` and `type`. Never
 * throws.
 *
 * @returns the event; null when it is to be dropped; what the hook did instead of answering
 */
export function applyHook(
  hook: BeforeSend,
  event: EventInput,
  id: string,
): EventInput | 'threw' | 'is async' | 'returned no event' | null {
  const { type, tsMs, guildId, channelId, userId, data } = event;
  try {
    const answer: unknown = hook({
      id,
      type,
      ts: isoTime(tsMs),
      // An id that is unknown is left out.
      ...(guildId && { guildId }),
      ...(channelId && { channelId }),
      ...(userId && { userId }),
      data,
      // `type` and `data` belong together: the collectors pair them.
    } as AnalyticsEvent);
    if (answer === null) return null;
    if (answer instanceof Promise) {
      // Its rejection would be one more unhandled one.
      answer.catch(() => undefined);
      return 'is async';
    }
    const changed = prop(answer, 'data');
    if (!isObject(changed)) return 'returned no event';
    const ts = Date.parse(text(prop(answer, 'ts')) ?? '');
    return {
      type,
      tsMs: ts || tsMs,
      guildId: text(prop(answer, 'guildId')),
      channelId: text(prop(answer, 'channelId')),
      userId: text(prop(answer, 'userId')),
      data: changed,
    };
  } catch {
    return 'threw';
  }
}
