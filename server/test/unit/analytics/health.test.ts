import { Health } from '@bot-analytics/protocol/read-api';
import { expect, test } from 'vitest';
import { droppedBySdks, toHealth } from '../../../src/analytics/health.ts';
import type { HealthRow } from '../../../src/store/queries/health.ts';
import { shard, T0 } from '../status/heartbeats.ts';

const range = { fromMs: T0 - 86_400_000, toMs: T0 };
const row = (
  kind: HealthRow['kind'],
  code: string,
  total: number,
  lastValue: string | null = null,
): HealthRow => ({ kind, code, total: String(total), lastAtMs: String(T0 - 5), lastValue });

test('what was counted becomes the answer', () => {
  const health = toHealth(
    range,
    [
      row('event', 'received', 100),
      row('event', 'accepted', 90),
      row('event', 'duplicate', 6),
      row('event', 'batches', 4),
      row('rejected', 'unknown_type', 4),
      row('rejected', 'no_such_code', 9),
      row('warning', 'clock_skew', 2),
      row('refused', 'quota_reached', 3),
      row('sdk', '@vendor/chat.js@0.5.0', 3),
      row('sdk', 'other@', 1),
      row('skew', '', 4, '-130000'),
    ],
    17,
  );
  expect(Health.parse(health)).toEqual(health);
  const lastAt = new Date(T0 - 5).toISOString();
  expect(health).toMatchObject({
    received: 100,
    accepted: 90,
    duplicates: 6,
    rejected: [{ code: 'unknown_type', count: 4 }],
    warnings: [{ code: 'clock_skew', count: 2 }],
    refusedRequests: [{ code: 'quota_reached', count: 3, lastAt }],
    sdks: [
      { name: '@vendor/chat.js', version: '0.5.0', batches: 3, lastAt },
      { name: 'other', version: '', batches: 1, lastAt },
    ],
    clockSkewMs: -130_000,
    lastBatchAt: lastAt,
    sdkDropped: 17,
  });
});

test('a bot that never sent has nothing', () => {
  const health = toHealth(range, [], 0);
  expect(Health.parse(health)).toEqual(health);
  expect(health).toMatchObject({ received: 0, rejected: [], lastBatchAt: null, clockSkewMs: null });
});

test('what SDKs dropped counts once a process, and only while it is online', () => {
  expect(
    droppedBySdks(
      [
        shard(0, T0, { instanceId: 'a', sdkDropped: 5 }),
        shard(1, T0, { instanceId: 'a', sdkDropped: 5 }),
        shard(2, T0, { instanceId: 'b', sdkDropped: 2 }),
        shard(3, T0 - 300_000, { instanceId: 'c', sdkDropped: 100 }),
      ],
      T0,
    ),
  ).toBe(7);
});
