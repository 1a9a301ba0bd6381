import { ApiUsage } from '@bot-analytics/protocol/read-api';
import { describe, expect, test } from 'vitest';
import { rankRoutes, sumUsage, trendStepMs, withNow } from '../../../src/analytics/api-usage.ts';
import { T0 } from '../status/heartbeats.ts';

const HOUR = 3_600_000;
const range = { fromMs: T0, toMs: T0 + 3 * HOUR };
const counters = (restRequests: number, rest401 = 0) => ({
  restRequests: String(restRequests),
  rateLimitedGlobal: '1',
  rateLimitedBucket: '2',
  rest400: '3',
  rest401: String(rest401),
  rest403: '0',
});
const second = (hours: number) => (T0 + hours * HOUR) / 1_000;

describe('usage', () => {
  const rows = {
    hours: [{ hour: second(0), ...counters(100, 9), invalid: ['0', '7', '9', '0', '0', '0'] }],
    shards: [{ shardId: 16, ...counters(100, 9) }],
    fresh: [
      { shardId: 16, slot: second(2), ...counters(10), invalid: '4', invalidNow: '4' },
      { shardId: 0, slot: second(2), ...counters(5), invalid: '4', invalidNow: '1' },
      { shardId: 0, slot: second(2) + 600, ...counters(1), invalid: '2', invalidNow: '2' },
    ],
  };
  const usage = sumUsage(range, rows, 7);

  test('adds up the range, its hours and its processes', () => {
    expect(usage).toMatchObject({ restRequests: 116, rateLimitedGlobal: 4, rest401: 9 });
    expect(usage.hours.map((hour) => hour.restRequests)).toEqual([100, null, 16]);
    expect(usage.shards.map(({ shardId, restRequests }) => [shardId, restRequests])).toEqual([
      [0, 6],
      [16, 110],
    ]);
  });

  test('tells the worst ten minutes of all processes together', () => {
    expect(usage.invalidRequests).toEqual({
      limit: 10_000,
      windowMs: 600_000,
      now: 7,
      peak: 9,
      peakAt: new Date(T0 + 2 * 600_000).toISOString(),
    });
  });

  test('the last ten minutes may be the worst, unless the range ended before them', () => {
    const invalid = { ...usage.invalidRequests, now: 40 };
    const worst = { ...invalid, peak: 40, peakAt: new Date(T0 - 600_000).toISOString() };
    expect(withNow(invalid, true, T0)).toEqual(worst);
    expect(withNow(invalid, false, T0)).toBe(invalid);
    expect(withNow({ ...invalid, now: 8 }, true, T0)).toMatchObject({ now: 8, peak: 9 });
  });

  test('of a bot that never reported is 0 in all and null by the hour', () => {
    const none = sumUsage(range, { hours: [], shards: [], fresh: [] }, 0);
    expect(none).toMatchObject({ restRequests: 0, shards: [], invalidRequests: { peakAt: null } });
    expect(none.hours.map((hour) => hour.restRequests)).toEqual([null, null, null]);
  });

  test('has the form of the route table', () => {
    const answer = {
      ...usage,
      from: new Date(range.fromMs).toISOString(),
      to: new Date(range.toMs).toISOString(),
      routesAsOf: null,
      routesTotal: 0,
      trendStepMs: HOUR,
      routes: [],
    };
    expect(ApiUsage.parse(answer)).toEqual(answer);
  });
});

describe('routes', () => {
  test('are ranked by their calls, with a trend of the whole range', () => {
    const rows = [
      { method: 'GET', route: '/a', step: 0, calls: '3' },
      { method: 'GET', route: '/a', step: 2, calls: '1' },
      { method: 'POST', route: '/b', step: 1, calls: '9' },
    ];
    expect(rankRoutes(rows, range)).toEqual([
      { method: 'POST', route: '/b', count: 9, trend: [0, 9, 0] },
      { method: 'GET', route: '/a', count: 4, trend: [3, 0, 1] },
    ]);
  });

  test.each([
    [1, 1],
    [24, 1],
    [25, 2],
    [168, 7],
    [9_600, 400],
  ])('a range of %i hours has steps of %i hours', (hours, stepHours) => {
    const step = trendStepMs({ fromMs: T0, toMs: T0 + hours * HOUR });
    expect(step).toBe(stepHours * HOUR);
    expect(Math.ceil((hours * HOUR) / step)).toBeLessThanOrEqual(24);
  });
});
