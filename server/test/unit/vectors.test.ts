import { type EventType, type RejectCode, type WarningCode } from '@bot-analytics/protocol';
import { expect, test } from 'vitest';
import { loadVectors } from '../../../protocol/vectors/load.ts';
import { BufferPool } from '../../src/buffer-pool.ts';
import { BatchBuilder } from '../../src/ingest/check/batch.ts';
import { hasUnicodeEscape } from '../../src/ingest/check/body-text.ts';
import { readClock } from '../../src/ingest/check/clock.ts';
import { CHANGES, guardData } from '../../src/ingest/check/guards.ts';
import { readUuid, timeOf } from '../../src/ingest/check/ids.ts';
import { EventReader } from '../../src/ingest/check/events.ts';
import { Report } from '../../src/ingest/check/report.ts';
import { isOverBytes } from '../../src/ingest/check/text-guard.ts';
import { parseIso } from '../../src/ingest/check/time.ts';

const BOT = '018f3a6e-7a2b-7c3d-8e4f-0123456789ab';
type Json = Record<string, unknown>;

interface GuardOut {
  readonly data?: Json;
  readonly warnings?: readonly string[];
  readonly reject?: string;
}

test.each(loadVectors<{ type: EventType; data: Json }, GuardOut>('guards', 'server'))(
  'guards: $name',
  ({ in: { type, data }, out }) => {
    const body = Buffer.from(JSON.stringify(data));
    const parsed = JSON.parse(body.toString()) as Json;
    const changes = guardData(type, parsed, hasUnicodeEscape(body));
    if (out.reject !== undefined) {
      expect(out.reject).toBe('data_too_large');
      expect(isOverBytes(JSON.stringify(parsed), 16_384)).toBe(true);
      return;
    }
    expect(JSON.stringify(parsed)).toBe(JSON.stringify(out.data));
    const warnings = Object.entries(CHANGES).filter(([, bit]) => (changes & bit) !== 0);
    expect(warnings.map(([code]) => code).toSorted()).toEqual(out.warnings);
  },
);

interface EventIn {
  readonly event: unknown;
  readonly receivedAt: string;
  readonly sentAt?: string;
  readonly retentionDays: number;
}
interface EventOut {
  readonly accepted?: Json;
  readonly reject?: { readonly code: RejectCode; readonly pointer: string };
  readonly warnings: readonly WarningCode[];
}

/** What a row of `events` says, in the form of the vectors. */
function readBack(row: string): Json {
  const [, id, type, ts, , guildId, channelId, userId, data] = JSON.parse(
    row
      .replace(/^(\[[^,]+,)(\d+),/, '$1"$2",')
      .replace(/,(\d+),(\d+),(\d+),"\{/, ',"$1","$2","$3","{'),
  ) as [string, string, string, number, number, string, string, string, string];
  const hex = BigInt(id).toString(16).padStart(32, '0');
  const uuid = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  const ids = Object.entries({ guildId, channelId, userId }).filter(([, value]) => value !== '0');
  const tsText = new Date(ts).toISOString();
  return { id: uuid, type, ts: tsText, ...Object.fromEntries(ids), data: JSON.parse(data) };
}

test.each(loadVectors<EventIn, EventOut>('events', 'server'))(
  'events: $name',
  ({ in: given, out }) => {
    const receivedAtMs = parseIso(given.receivedAt);
    const clock = readClock(
      given.sentAt === undefined ? Number.NaN : parseIso(given.sentAt),
      receivedAtMs,
    );
    const report = new Report();
    if (clock.warning !== null) report.warn(clock.warning);
    const text = JSON.stringify(given.event);
    const context = {
      botId: BOT,
      retentionDays: given.retentionDays,
      receivedAtMs,
      shiftMs: clock.shiftMs,
      ascii: false,
      bodyBytes: text.length,
      repair: text.includes('\\u'),
    };
    const builder = new BatchBuilder(context, 1, new BufferPool());
    new EventReader(context, report, builder).add(JSON.parse(text), 0);
    const batch = builder.finish();
    if (out.reject === undefined) {
      expect(report.rejected).toEqual([]);
      expect(batch.size).toBe(1);
      const row = batch.rows.toString();
      if (row === '') expect(batch.snapshots.has(0)).toBe(true);
      else expect(readBack(row)).toEqual(out.accepted);
    } else {
      const pointer = `/events/0${out.reject.pointer}`;
      expect(report.rejected).toEqual([
        expect.objectContaining({ code: out.reject.code, pointer }),
      ]);
      expect(batch.size).toBe(0);
    }
    expect([...report.warnings.keys()].toSorted()).toEqual(out.warnings.toSorted());
  },
);

interface UuidIn {
  readonly unixMs?: number;
  readonly [part: string]: unknown;
}

test.each(loadVectors<UuidIn, string>('uuid7'))('uuid7: $name', ({ in: given, out }) => {
  const words = new Uint32Array(4);
  if (typeof out !== 'string') return;
  expect(readUuid(out, words, 0)).toBe(true);
  const ms = Object.values(given).find((value) => typeof value === 'number' && value > 1e11);
  if (ms !== undefined) expect(timeOf(words, 0)).toBe(ms);
});
