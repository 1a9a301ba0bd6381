import { HistoryHour } from '@bot-analytics/protocol/read-api';
import { describe, expect, test } from 'vitest';
import { fillHours, primaryOf } from '../../../src/analytics/history.ts';
import { shard, T0 } from '../status/heartbeats.ts';

const HOUR = 3_600_000;
const at = (hours: number) => T0 + hours * HOUR;
const row = (hours: number, wsPingMs: number | null, memoryMb: number | null = 100) => ({
  hour: at(hours) / 1_000,
  wsPingMs,
  memoryMb,
  cpuPercent: 1,
  eventLoopDelayP95Ms: 2,
  heartbeats: 60,
});

describe('the hours of a range', () => {
  test('are all there, and what was not measured is null, never 0', () => {
    const hours = fillHours({ fromMs: at(0), toMs: at(4) }, [row(1, 84)], []);
    expect(hours.map((hour) => [hour.hour, hour.wsPingMs, hour.memoryMb, hour.heartbeats])).toEqual(
      [
        [new Date(at(0)).toISOString(), null, null, 0],
        [new Date(at(1)).toISOString(), 84, 100, 60],
        [new Date(at(2)).toISOString(), null, null, 0],
        [new Date(at(3)).toISOString(), null, null, 0],
      ],
    );
    expect(hours.map((hour) => HistoryHour.parse(hour))).toEqual(hours);
  });

  test('400 days are 9,600 hours', () => {
    expect(fillHours({ fromMs: at(0), toMs: at(9_600) }, [], [])).toHaveLength(9_600);
  });

  test('a fresh hour counts before a computed one, which fills what it lacks', () => {
    const [hour] = fillHours(
      { fromMs: at(0), toMs: at(1) },
      [{ ...row(0, 80, 90), heartbeats: 30 }],
      [row(0, 84, null)],
    );
    expect(hour).toMatchObject({ wsPingMs: 84, memoryMb: 90, heartbeats: 60 });
  });

  test('a measured 0 stays 0', () => {
    const zero = { ...row(0, 0, 0), cpuPercent: 0, eventLoopDelayP95Ms: 0 };
    const [hour] = fillHours({ fromMs: at(0), toMs: at(1) }, [row(0, 5)], [zero]);
    expect(hour).toMatchObject({ wsPingMs: 0, memoryMb: 0, cpuPercent: 0, eventLoopDelayP95Ms: 0 });
  });
});

test('the primary shard of a process is found by its instance', () => {
  const shards = [
    shard(0, T0, { instanceId: 'a', primary: true }),
    shard(1, T0, { instanceId: 'a', primary: false }),
    shard(2, T0, { instanceId: 'b', primary: true }),
    shard(3, T0, { instanceId: 'gone', primary: false }),
  ];
  expect(shards.map((each) => primaryOf(each, shards))).toEqual([0, 0, 2, 3]);
});
