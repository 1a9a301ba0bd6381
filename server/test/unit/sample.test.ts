import { describe, expect, test } from 'vitest';
import { eventRow, eventsOfSlot } from '../../src/sample/events.ts';
import { OUTAGES, SHARDS, SLOT_MS } from '../../src/sample/fleet.ts';
import { beatRow, beatsOfSlot } from '../../src/sample/heartbeats.ts';
import { hourRows, measuredMinutes } from '../../src/sample/hours.ts';
import { eraseBot } from '../../src/store/erase.ts';
import { addColumns } from '../../src/store/schema/parameters.ts';

const HOUR_MS = 3_600_000;
const createdAtMs = Date.UTC(2026, 10, 21, 9, 17);
const bot = { botId: '01990000-0000-7000-8000-000000000001', createdAtMs, retentionDays: 8 };
const firstSlot = createdAtMs / SLOT_MS - 24 * 360;
const slots = Array.from({ length: 24 * 360 }, (_, index) => firstSlot + index);

describe('made-up data', () => {
  test('a minute brings one heartbeat of every shard that lives', () => {
    const minute = slots.slice(-6).flatMap((slot) => beatsOfSlot(bot, slot));
    expect(minute).toHaveLength(SHARDS - 2);
    expect(new Set(minute.map(({ shardId }) => shardId)).size).toBe(SHARDS - 2);
  });

  test('the same slot gives the same rows, another slot other ids', () => {
    const rowsOf = (slot: number): string =>
      [
        ...beatsOfSlot(bot, slot).map((beat) => beatRow(bot, beat)),
        ...eventsOfSlot(bot, slot).map((event) => eventRow(bot, event)),
      ].join('');
    const all = slots.map(rowsOf);
    expect(slots.map(rowsOf)).toEqual(all);
    const ids = all
      .join('')
      .trim()
      .split('\n')
      .map((row) => String(JSON.parse(row)[1]));
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('a guild belongs to the shard that tells of it', () => {
    const events = slots.flatMap((slot) => eventsOfSlot(bot, slot));
    expect(events.length).toBeGreaterThan(500);
    for (const { guildId = '0', shard } of events) {
      expect(Number((BigInt(guildId) >> 22n) % BigInt(SHARDS))).toBe(shard);
    }
  });

  test('an outage leaves no row of a whole hour, and part of the hours at its ends', () => {
    const [whole] = OUTAGES;
    const fromMs = createdAtMs - (whole?.fromMs ?? 0);
    const firstHourMs = Math.floor(fromMs / HOUR_MS) * HOUR_MS;
    expect(measuredMinutes(bot, 0, firstHourMs).length).toBeGreaterThan(0);
    expect(measuredMinutes(bot, 0, firstHourMs).length).toBeLessThan(60);
    expect(hourRows(bot, firstHourMs + HOUR_MS)).toBe('');
    expect(
      hourRows(bot, firstHourMs - HOUR_MS)
        .trim()
        .split('\n'),
    ).toHaveLength(SHARDS);
  });
});

describe('statements of the store', () => {
  test('a column is added on one server, and on every server of a cluster', () => {
    expect(addColumns('bots', ['sample Bool'], { cluster: null })).toEqual([
      'ALTER TABLE bots ADD COLUMN IF NOT EXISTS sample Bool',
    ]);
    expect(addColumns('bots', ['sample Bool'], { cluster: 'main' })).toEqual([
      "ALTER TABLE bots_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS sample Bool",
      "ALTER TABLE bots ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS sample Bool",
    ]);
  });

  test('erasing names one bot and nothing else', async () => {
    const ran: string[] = [];
    const store = {
      address: { kind: 'url', url: 'http://store', cluster: 'main' },
      run: async (sql: string) => void ran.push(sql),
    } as const;
    await eraseBot(store, bot.botId);
    expect(ran[0]).toBe(
      `ALTER TABLE events_local ON CLUSTER 'main' DELETE WHERE bot_id = '${bot.botId}'`,
    );
    await expect(eraseBot(store, "x' OR 1 = 1 --")).rejects.toThrow(RangeError);
    expect(ran).toHaveLength(7);
  });
});
