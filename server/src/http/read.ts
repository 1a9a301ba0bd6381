import { Readable } from 'node:stream';
import { EVENT_TYPES, LIMITS, SNAPSHOT_TYPES } from '@bot-analytics/protocol';
import { RANGE_LIMITS } from '@bot-analytics/protocol/read-api';
import { readUsage } from '../analytics/api-usage.ts';
import { readCursor, writeCursor } from '../analytics/cursor.ts';
import { CSV_HEADER, csvLine, ndjsonLine, type EventRecord } from '../analytics/event-text.ts';
import { eventPages, PAGE_EVENTS, type EventFilter } from '../analytics/events.ts';
import { droppedBySdks, toHealth } from '../analytics/health.ts';
import { readHistory } from '../analytics/history.ts';
import { hourOf, parseRange, type RangeRule, type TimeRange } from '../analytics/range.ts';
import type { Bot } from '../keys/records.ts';
import type { Parts } from '../parts.ts';
import type { Reading } from '../reading.ts';
import { toStatus } from '../status/view.ts';
import { ingestHealth } from '../store/queries/health.ts';
import { botOf } from './admin.ts';
import { ApiError } from './problem.ts';
import type { Call, Handlers } from './routes.ts';

const DAY_MS = 86_400_000;
/** Hourly figures: the last day unless the caller names a range. */
export const HOURLY = { defaultMs: DAY_MS, maxMs: RANGE_LIMITS.hourlyRangeMsMax } as const;
const PAGE_DEFAULT = 100;

const text = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** The range of a request. @throws ApiError invalid_range */
export function rangeOf(
  params: Readonly<Record<string, unknown>>,
  rule: RangeRule,
  nowMs: number,
): TimeRange {
  const range = parseRange({ from: text(params['from']), to: text(params['to']) }, rule, nowMs);
  if ('problem' in range) throw new ApiError('invalid_range', { detail: range.problem });
  return range;
}

const STORED_TYPES: ReadonlySet<string> = new Set(
  EVENT_TYPES.filter((type) => !SNAPSHOT_TYPES.some((snapshot) => snapshot === type)),
);

function refuse(name: string, detail: string): ApiError {
  return new ApiError('invalid_parameter', { errors: [{ pointer: `/${name}`, detail }] });
}

function typesOf(value: unknown): readonly string[] {
  const types = (text(value) ?? '').split(',').filter((type) => type !== '');
  const unknown = types.find((type) => !STORED_TYPES.has(type));
  if (unknown === undefined) return [...new Set(types)];
  throw refuse('type', 'A type is not one of the stored event types.');
}

/** What the caller asks for; nothing older than the bot's retention, whether deleted yet or not. */
function filterOf(params: Call['params'], bot: Bot, nowMs: number): EventFilter {
  const keptMs = nowMs - bot.retentionDays * DAY_MS;
  // An event may be stored this far ahead of the clock, and "everything" holds it too.
  const endMs = nowMs + LIMITS.tsAheadMaxMs + 1;
  const toMs = params['to'] === undefined ? endMs : undefined;
  const rule = {
    maxMs: RANGE_LIMITS.hourlyRangeMsMax,
    defaultMs: Math.min(endMs - keptMs, RANGE_LIMITS.hourlyRangeMsMax),
    ...(toMs === undefined ? {} : { defaultToMs: toMs }),
  };
  const asked = rangeOf(params, rule, nowMs);
  const cursor = text(params['cursor']);
  const after = cursor === undefined ? null : readCursor(cursor);
  if (after === undefined) throw refuse('cursor', 'The cursor is not one of this server.');
  const range = { ...asked, fromMs: Math.max(asked.fromMs, keptMs) };
  const order = params['order'] === 'newest' ? 'newest' : 'oldest';
  return { botId: bot.botId, range, types: typesOf(params['type']), order, after };
}

/** A page of events as JSON text; `data` is stored as JSON and goes out as it is. */
async function jsonPage(
  store: Parts['store'],
  filter: EventFilter,
  limit: number,
): Promise<string> {
  const events: EventRecord[] = [];
  for await (const page of eventPages(store, filter, limit + 1)) {
    events.push(...page);
    if (events.length > limit) break;
  }
  const shown = events.slice(0, limit);
  const last = events.length > limit ? shown.at(-1) : undefined;
  const nextCursor = last === undefined ? null : writeCursor(last);
  const lines = shown.map((event) => ndjsonLine(event).trimEnd());
  return `{"events":[${lines.join(',')}],"nextCursor":${JSON.stringify(nextCursor)}}`;
}

const FORMATS = {
  ndjson: { type: 'application/x-ndjson; charset=utf-8', header: '', line: ndjsonLine },
  csv: { type: 'text/csv; charset=utf-8; header=present', header: CSV_HEADER, line: csvLine },
} as const;

/** Lines of the export; the first page is read before the answer begins, so that a dead store is a 503. */
async function exportBody(
  store: Parts['store'],
  filter: EventFilter,
  format: (typeof FORMATS)[keyof typeof FORMATS],
): Promise<Readable> {
  const pages = eventPages(store, filter, PAGE_EVENTS);
  const first = await pages.next();
  async function* lines(): AsyncGenerator<Buffer, void, undefined> {
    try {
      if (format.header !== '') yield Buffer.from(format.header);
      let page = first;
      while (page.done !== true) {
        yield Buffer.from(page.value.map(format.line).join(''));
        page = await pages.next();
      }
    } finally {
      // The client may be gone: ask the store for nothing more.
      await pages.return();
    }
  }
  return Readable.from(lines(), { objectMode: false, highWaterMark: 1 });
}

/** Stored events and what became of the others. */
export function eventHandlers(parts: Parts): Handlers {
  const { registry, env, store, presence, health } = parts;
  let flushedMs = Number.NEGATIVE_INFINITY;
  return {
    async events(call) {
      const { params, reply } = call;
      const bot = botOf(registry, call);
      const filter = filterOf(params, bot, env.nowMs());
      const name = text(params['format']) ?? 'json';
      if (name !== 'ndjson' && name !== 'csv') {
        const limit = typeof params['limit'] === 'number' ? params['limit'] : PAGE_DEFAULT;
        const body = await jsonPage(store, filter, limit);
        await reply
          .header('cache-control', 'no-store')
          .type('application/json; charset=utf-8')
          .send(body);
        return undefined;
      }
      const format = FORMATS[name];
      const body = await exportBody(store, filter, format);
      const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
      const { fromMs, toMs } = filter.range;
      const file = `events_${bot.botId}_${day(fromMs)}_${day(toMs)}.${name}`;
      await reply
        .header('cache-control', 'no-store')
        .header('content-disposition', `attachment; filename="${file}"`)
        .type(format.type)
        .send(body);
      return undefined;
    },
    async health(call) {
      const bot = botOf(registry, call);
      const nowMs = env.nowMs();
      const asked = rangeOf(call.params, HOURLY, nowMs);
      // What is counted in this process reaches the store every 10 s; who looks sees it at once.
      if (env.monotonicMs() - flushedMs >= 1_000) {
        flushedMs = env.monotonicMs();
        await health.flush();
      }
      const range = { fromMs: hourOf(asked.fromMs), toMs: asked.toMs };
      const rows = await store.read(ingestHealth, { botId: bot.botId, ...range });
      return toHealth(range, rows, droppedBySdks(presence.shards(bot.botId), nowMs));
    },
  };
}

/** Presence, history and API usage. */
export function statusHandlers(parts: Parts, reading: Reading): Handlers {
  const { registry, env, store, presence } = parts;
  const freshFromMs = (): number => reading.rollup.freshFromMs();
  return {
    async status(call) {
      return toStatus(reading.viewOf(botOf(registry, call).botId));
    },
    async shardHistory(call) {
      const { botId } = botOf(registry, call);
      const nowMs = env.nowMs();
      const range = rangeOf(call.params, HOURLY, nowMs);
      const asked = { botId, shardId: Number(call.params['shard']), range };
      return readHistory({ store, presence, freshFromMs }, asked, nowMs);
    },
    async apiUsage(call) {
      const { botId } = botOf(registry, call);
      const nowMs = env.nowMs();
      const range = rangeOf(call.params, HOURLY, nowMs);
      const { shard } = call.params;
      const shardId = typeof shard === 'number' ? shard : undefined;
      return readUsage({ store, freshFromMs }, { botId, shardId, range }, nowMs);
    },
  };
}
