import { eventHours, eventPage, type EventRow } from '../store/queries/events.ts';
import type { Store } from '../store/store.ts';
import type { EventCursor } from './cursor.ts';
import type { EventRecord } from './event-text.ts';
import type { TimeRange } from './range.ts';

/** Events that one slice of time should hold: enough to be quick, few enough to sort in no time. */
const SLICE_EVENTS = 50_000;
/** Rows in memory at once: about 1 MB, and 35 MB when every `data` is at its 16 KiB bound. */
export const PAGE_EVENTS = 2_000;
/** Before every id of its millisecond, and behind every id of the one before. */
const LAST_ID = (2n ** 128n - 1n).toString();

/** Which events, in order of time, then id. */
export interface EventFilter {
  readonly botId: string;
  readonly range: TimeRange;
  /** Empty: all. */
  readonly types: readonly string[];
  /** Events behind this one. */
  readonly after: EventCursor | null;
}

/** Joins hours with few events; an hour is never split. Empty hours are in no slice. */
export function slicesOf(
  hours: readonly { readonly hour: number; readonly events: string }[],
  range: TimeRange,
): readonly TimeRange[] {
  const slices: { fromMs: number; toMs: number; events: number }[] = [];
  for (const { hour, events } of hours) {
    const toMs = Math.min(range.toMs, (hour + 3_600) * 1_000);
    const last = slices.at(-1);
    if (last !== undefined && last.events + Number(events) <= SLICE_EVENTS) {
      last.toMs = toMs;
      last.events += Number(events);
    } else {
      slices.push({ fromMs: Math.max(range.fromMs, hour * 1_000), toMs, events: Number(events) });
    }
  }
  return slices.map(({ fromMs, toMs }) => ({ fromMs, toMs }));
}

const idOrNull = (text: string): string | null => (text === '0' ? null : text);

function eventFromRow(row: EventRow): EventRecord {
  return {
    id: row.eventId,
    type: row.type,
    tsMs: Number(row.tsMs),
    guildId: idOrNull(row.guildId),
    channelId: idOrNull(row.channelId),
    userId: idOrNull(row.userId),
    data: row.data,
  };
}

const decimalOf = (uuid: string): string => BigInt(`0x${uuid.replaceAll('-', '')}`).toString();

/**
 * Pages of events, oldest first, each id once. Time is cut into slices, because the store keeps events
 * by id and would sort the rest of the range for every page. Memory holds one page, and the work ends
 * where the caller stops asking. @throws StoreDownError
 */
export async function* eventPages(
  store: Pick<Store, 'read'>,
  { botId, range, types, after }: EventFilter,
  pageEvents: number = PAGE_EVENTS,
): AsyncGenerator<readonly EventRecord[], void, undefined> {
  const fromMs = Math.max(range.fromMs, after?.tsMs ?? range.fromMs);
  if (fromMs >= range.toMs) return;
  const rest = { fromMs, toMs: range.toMs };
  let position =
    after === null
      ? { afterMs: fromMs - 1, afterId: LAST_ID }
      : { afterMs: after.tsMs, afterId: decimalOf(after.id) };
  for (const slice of slicesOf(await store.read(eventHours, { botId, types, ...rest }), rest)) {
    let full = true;
    while (full) {
      // One page after the other: the next one starts where this one ended.
      const asked = { botId, types, ...slice, ...position, limit: pageEvents };
      const rows = await store.read(eventPage, asked);
      full = rows.length === pageEvents;
      const last = rows.at(-1);
      if (last === undefined) break;
      position = { afterMs: Number(last.tsMs), afterId: decimalOf(last.eventId) };
      yield rows.map(eventFromRow);
    }
  }
}
