import {
  EVENT_TYPES,
  isSnapshotType,
  LIMITS,
  type EventType,
  type RejectCode,
  type SnapshotType,
  type WarningCode,
} from '@bot-analytics/protocol';
import { expiryOf, newestTs, oldestTs, type BatchBuilder, type BatchContext } from './batch.ts';
import { CHANGES, guardData } from './guards.ts';
import { decimalOf, isV7, readUuid } from './ids.ts';
import type { Report } from './report.ts';
import { isSnowflake } from './snowflake.ts';
import { readHeartbeat, shardIdOf, snapshotRows } from '../snapshot-rows.ts';
import { isOverBytes } from './text-guard.ts';
import { parseIso } from './time.ts';

const ID_CHARS_LISTED = 100;

interface Fault {
  readonly code: RejectCode;
  /** Below the event. */
  readonly pointer: string;
}

type Json = Record<string, unknown>;
const TYPES: ReadonlyMap<unknown, EventType> = new Map(EVENT_TYPES.map((type) => [type, type]));
const SNAPSHOTS = new Set<EventType>(EVENT_TYPES.filter(isSnapshotType));
const NO_ID = '0';

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const at = (field: string, code: RejectCode): Fault => ({ code, pointer: `/${field}` });

/** Judges the parsed events of one request, one after the other, and makes their rows. */
export class EventReader {
  readonly #context: BatchContext;
  readonly #report: Report;
  readonly #batch: BatchBuilder;
  readonly #oldestMs: number;
  readonly #newestMs: number;

  constructor(context: BatchContext, report: Report, batch: BatchBuilder) {
    this.#context = context;
    this.#report = report;
    this.#batch = batch;
    this.#oldestMs = oldestTs(context);
    this.#newestMs = newestTs(context);
  }

  /** Takes the event at place `index` of the request: a good one joins the batch, a bad one the report. */
  add(event: unknown, index: number): void {
    const fault = isObject(event)
      ? this.#take(event, index)
      : ({ code: 'invalid_event', pointer: '' } as const);
    if (fault === null) return;
    const id = isObject(event) && typeof event['id'] === 'string' ? event['id'] : null;
    this.#report.reject({
      index,
      id: id?.slice(0, ID_CHARS_LISTED) ?? null,
      code: fault.code,
      pointer: `/events/${index}${fault.pointer}`,
    });
  }

  /** The order of the checks is part of the contract: protocol/vectors/events.json. */
  #take(event: Json, index: number): Fault | null {
    const { id, ts, guildId, channelId, userId, data } = event;
    const { words, wordsAt } = this.#batch;
    if (typeof id !== 'string' || !readUuid(id, words, wordsAt)) return at('id', 'invalid_id');
    const type = TYPES.get(event['type']);
    if (type === undefined) return at('type', 'unknown_type');
    const sentTs = typeof ts === 'string' ? parseIso(ts) : Number.NaN;
    if (Number.isNaN(sentTs)) return at('ts', 'invalid_ts');
    if (type === 'heartbeat' && isObject(data)) this.#beat(data);
    const shifted = sentTs + this.#context.shiftMs;
    if (shifted < this.#oldestMs) return at('ts', 'ts_too_old');
    if (!isSnowflakeOrAbsent(guildId)) return at('guildId', 'invalid_snowflake');
    if (!isSnowflakeOrAbsent(channelId)) return at('channelId', 'invalid_snowflake');
    if (!isSnowflakeOrAbsent(userId)) return at('userId', 'invalid_snowflake');
    if (type === 'guild_snapshot' && !guildId) return at('guildId', 'missing_guild');
    if (!isObject(data)) return at('data', 'invalid_data');
    const changes = guardData(type, data, this.#context.repair);
    const json = JSON.stringify(data);
    if (isOverBytes(json, LIMITS.dataBytesMax)) return at('data', 'data_too_large');
    const tsMs = shifted > this.#newestMs ? this.#context.receivedAtMs : shifted;
    this.#warn(changes, isV7(words, wordsAt), tsMs !== shifted);
    const ids = [guildId ?? NO_ID, channelId ?? NO_ID, userId ?? NO_ID] as const;
    this.#keep({ type, index, tsMs, ids, data, json });
    return null;
  }

  #keep(good: {
    readonly type: EventType;
    readonly index: number;
    readonly tsMs: number;
    readonly ids: readonly [string, string, string];
    readonly data: Json;
    readonly json: string;
  }): void {
    const { type, tsMs, ids, index } = good;
    const { words, wordsAt, rows } = this.#batch;
    const { botId, receivedAtMs } = this.#context;
    const id = decimalOf(words, wordsAt);
    const expiresOn = expiryOf(tsMs, this.#context);
    if (SNAPSHOTS.has(type)) {
      const head = { botId, id, tsMs, receivedAtMs, expiresOn, guildId: ids[0] };
      const snapshot = snapshotRows(type as SnapshotType, head, good.data, LIMITS.apiRoutesMax);
      this.#batch.keepSnapshot(index, snapshot);
      return;
    }
    // Every part is digits, a value of a closed set, or JSON that was just written. `data` goes in as a
    // string: the engine reads that 15 % faster than an object that it has to skip over.
    rows.add(
      `["${botId}",${id},"${type}",${tsMs},${receivedAtMs},${ids[0]},${ids[1]},${ids[2]},${JSON.stringify(good.json)},"${expiresOn}"]\n`,
    );
    this.#batch.keep(index);
  }

  #beat(data: Json): void {
    const shardId = shardIdOf(data) ?? 0;
    const heartbeat = readHeartbeat(data);
    this.#batch.beat({
      shardId,
      clusterId: heartbeat.clusterId ?? null,
      arrivedAtMs: this.#context.receivedAtMs,
      heartbeat,
    });
  }

  #warn(changes: number, isVersion7: boolean, clamped: boolean): void {
    if (clamped) this.#report.warn('ts_clamped');
    if (!isVersion7) this.#report.warn('id_not_v7');
    if (changes === 0) return;
    for (const [code, bit] of CHANGE_LIST) if ((changes & bit) !== 0) this.#report.warn(code);
  }
}

const CHANGE_LIST: readonly (readonly [WarningCode, number])[] = [
  ['string_cut', CHANGES.string_cut],
  ['text_repaired', CHANGES.text_repaired],
  ['content_stripped', CHANGES.content_stripped],
  ['key_dropped', CHANGES.key_dropped],
];

function isSnowflakeOrAbsent(value: unknown): value is string | null | undefined {
  return value === undefined || value === null || isSnowflake(value);
}
