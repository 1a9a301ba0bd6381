import { eventHours, eventPage, eventPageNewest, type EventRow } from '../store/queries/events.ts';
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

/** Which events come first; those of one millisecond go by id, in the same direction. */
export type EventOrder = 'oldest' | 'newest';

/** Which events, in order of time, then id. */
export interface EventFilter {
  readonly botId: string;
  readonly range: TimeRange;
  /** Empty: all. */
  readonly types: readonly string[];
  readonly order: EventOrder;
  /** Events behind this one, in that order. */
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

interface Position {
  readonly afterMs: number;
  readonly afterId: string;
}

/**
 * How far back each look for the newest events goes: 1 hour, a day more, 24 days more, the rest. Who asks
 * for them wants one page, every 3 s while a page shows them, and counting a whole range of 400 days
 * each time would cost more than the page.
 */
const LOOK_BACK_MS = [1, 24, 576].map((hours) => hours * 3_600_000);

/** The range in pieces that are looked at one after the other. */
export function windowsOf(range: TimeRange, order: EventOrder): readonly TimeRange[] {
  if (order === 'oldest') return [range];
  const windows: TimeRange[] = [];
  let { toMs } = range;
  for (const backMs of [...LOOK_BACK_MS, Number.POSITIVE_INFINITY]) {
    const fromMs = Math.max(range.fromMs, toMs - backMs);
    if (fromMs < toMs) windows.push({ fromMs, toMs });
    toMs = fromMs;
  }
  return windows;
}

/** What is left of a range behind a cursor, and the position that reading starts from. */
function restOf({ range, order, after }: EventFilter): { range: TimeRange; position: Position } {
  const behind = after === null ? undefined : { afterMs: after.tsMs, afterId: decimalOf(after.id) };
  if (order === 'oldest') {
    const fromMs = Math.max(range.fromMs, after?.tsMs ?? range.fromMs);
    const position = behind ?? { afterMs: fromMs - 1, afterId: LAST_ID };
    return { range: { fromMs, toMs: range.toMs }, position };
  }
  const toMs = after === null ? range.toMs : Math.min(range.toMs, after.tsMs + 1);
  const position = behind ?? { afterMs: toMs, afterId: '0' };
  return { range: { fromMs: range.fromMs, toMs }, position };
}

/**
 * Pages of events in the order asked for, each id once. Time is cut into slices, because the store keeps
 * events by id and would sort the rest of the range for every page. Memory holds one page, and the work
 * ends where the caller stops asking. @throws StoreDownError
 */
export async function* eventPages(
  store: Pick<Store, 'read'>,
  filter: EventFilter,
  pageEvents: number = PAGE_EVENTS,
): AsyncGenerator<readonly EventRecord[], void, undefined> {
  const { botId, types, order } = filter;
  const rest = restOf(filter);
  if (rest.range.fromMs >= rest.range.toMs) return;
  const query = order === 'oldest' ? eventPage : eventPageNewest;
  let { position } = rest;
  for (const window of windowsOf(rest.range, order)) {
    const slices = slicesOf(await store.read(eventHours, { botId, types, ...window }), window);
    for (const slice of order === 'oldest' ? slices : slices.toReversed()) {
      let full = true;
      while (full) {
        // One page after the other: the next one starts where this one ended.
        const asked = { botId, types, ...slice, ...position, limit: pageEvents };
        const rows = await store.read(query, asked);
        full = rows.length === pageEvents;
        const last = rows.at(-1);
        if (last === undefined) break;
        position = { afterMs: Number(last.tsMs), afterId: decimalOf(last.eventId) };
        yield rows.map(eventFromRow);
      }
    }
  }
}
