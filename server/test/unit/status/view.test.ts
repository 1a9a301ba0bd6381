import { Status } from '@bot-analytics/protocol/read-api';
import { describe, expect, test } from 'vitest';
import { changeBetween } from '../../../src/status/delta.ts';
import { statusView, toStatus } from '../../../src/status/view.ts';
import { PROCESS, shard, T0 } from './heartbeats.ts';

const NO_TRACES = new Map();

describe('the two-minute rule', () => {
  test.each([
    [0, 'online'],
    [119_999, 'online'],
    [120_000, 'offline'],
    [86_400_000, 'offline'],
    // A clock that stepped back must not turn a shard grey.
    [-3_600_000, 'online'],
  ])('a heartbeat that arrived %i ms ago: %s', (ageMs, state) => {
    const status = toStatus(statusView([shard(0, T0 - ageMs)], NO_TRACES, T0));
    expect(status.clusters[0]?.shards[0]?.state).toBe(state);
    expect(status.online).toBe(state === 'online' ? 1 : 0);
  });

  test('an offline card keeps its last heartbeat and guild count, and no figure of a live shard', () => {
    const [card] = statusView([shard(3, T0 - 120_000, { shardCount: 4 })], NO_TRACES, T0).cards;
    expect(card).toEqual({
      shardId: 3,
      clusterId: null,
      state: 'offline',
      lastHeartbeatAt: new Date(T0 - 120_000).toISOString(),
      guildCount: 10,
      wsPingMs: null,
      memoryMb: null,
      cpuPercent: null,
      voiceConnections: null,
      gateway: null,
      unresponsive: null,
    });
  });
});

describe('cards', () => {
  test('a bot without heartbeats has no clusters', () => {
    const status = toStatus(statusView([], NO_TRACES, T0));
    expect(status).toMatchObject({ online: 0, total: 0, shardCount: null, clusters: [] });
    expect(Status.parse(status)).toEqual(status);
  });

  test('one shard without a cluster id is one card in the nameless cluster', () => {
    const status = toStatus(statusView([shard(0, T0)], NO_TRACES, T0));
    expect(Status.parse(status)).toEqual(status);
    expect(status.clusters).toHaveLength(1);
    expect(status.clusters[0]).toMatchObject({ clusterId: null, online: 1, total: 1 });
    expect(status.clusters[0]?.shards[0]).toMatchObject({
      wsPingMs: 84,
      memoryMb: 120.5,
      cpuPercent: 3.5,
      guildCount: 10,
      voiceConnections: 2,
      gateway: 'ready',
      unresponsive: null,
    });
  });

  test('clusters stand in the order of their numbers and count their own shards', () => {
    const shards = [
      shard(0, T0, { clusterId: '10', shardCount: 4 }),
      shard(1, T0 - 200_000, { clusterId: '2', shardCount: 4 }),
      shard(2, T0, { clusterId: '2', shardCount: 4 }),
      shard(3, T0, { shardCount: 4 }),
    ];
    const status = toStatus(statusView(shards, NO_TRACES, T0));
    expect(status.clusters.map((c) => [c.clusterId, c.online, c.total])).toEqual([
      [null, 1, 1],
      ['2', 1, 2],
      ['10', 1, 1],
    ]);
    expect(status).toMatchObject({ online: 3, total: 4, shardCount: 4 });
  });

  test('memory and CPU of a process stand on all of its shards', () => {
    const shards = [
      shard(0, T0, { primary: true, memoryMb: 512, cpuPercent: 40 }),
      shard(1, T0, { primary: false, memoryMb: 0, cpuPercent: 0 }),
      shard(2, T0, { primary: false, memoryMb: 0, cpuPercent: 0, instanceId: 'another' }),
    ];
    const { cards } = statusView(shards, NO_TRACES, T0);
    expect(cards.map((card) => [card.memoryMb, card.cpuPercent])).toEqual([
      [512, 40],
      [512, 40],
      [null, null],
    ]);
    expect(shards[0]?.heartbeat.instanceId).toBe(PROCESS);
  });

  test('shards that a resharding took away are not missed, unless they still send', () => {
    const shards = [
      shard(0, T0, { shardCount: 2 }),
      shard(1, T0 - 300_000, { shardCount: 4 }),
      shard(2, T0 - 300_000, { shardCount: 4 }),
      shard(3, T0 - 1_000, { shardCount: 4 }),
    ];
    const view = statusView(shards, NO_TRACES, T0);
    expect(view.cards.map((card) => [card.shardId, card.state])).toEqual([
      [0, 'online'],
      [1, 'offline'],
      [3, 'online'],
    ]);
    expect(view.shardCount).toBe(2);
  });

  test('a shard that was silent for 31 days is forgotten', () => {
    const day = 86_400_000;
    const seen = (days: number) => statusView([shard(0, T0 - days * day)], NO_TRACES, T0).cards;
    expect([seen(30).length, seen(31).length]).toEqual([1, 0]);
  });

  test('a field that the SDK left out is null, never 0', () => {
    const bare = { shardId: 0, clusterId: null, arrivedAtMs: T0, heartbeat: {} };
    const [card] = statusView([bare], NO_TRACES, T0).cards;
    expect(card).toMatchObject({ wsPingMs: null, memoryMb: null, guildCount: null, gateway: null });
  });
});

describe('changes', () => {
  const zero = shard(0, T0, { shardCount: 2 });
  const one = shard(1, T0, { shardCount: 2 });
  const two = [zero, one];
  const before = statusView(two, NO_TRACES, T0);

  test('nothing happened', () => {
    const after = statusView(two, NO_TRACES, T0 + 1_000);
    expect(changeBetween(before, after)).toEqual({ kind: 'none' });
  });

  test('only the shards that changed are told', () => {
    const shards = [zero, shard(1, T0 + 500, { shardCount: 2, wsPingMs: 90 })];
    const change = changeBetween(before, statusView(shards, NO_TRACES, T0 + 1_000));
    expect(change).toMatchObject({
      kind: 'delta',
      delta: {
        generatedAt: new Date(T0 + 1_000).toISOString(),
        online: 2,
        total: 2,
        shards: [{ shardId: 1, clusterId: null, wsPingMs: 90, state: 'online' }],
      },
    });
    expect(change.kind === 'delta' && change.delta.shards).toHaveLength(1);
  });

  test('the two-minute rule alone makes a delta', () => {
    const change = changeBetween(before, statusView(two, NO_TRACES, T0 + 120_000));
    expect(change).toMatchObject({ kind: 'delta', delta: { online: 0, total: 2 } });
    expect(change.kind === 'delta' && change.delta.shards.map((s) => s.state)).toEqual([
      'offline',
      'offline',
    ]);
  });

  test('a new shard is a delta, a shard that left or a new shard count is a snapshot', () => {
    const more = [...two, shard(2, T0, { shardCount: 2 })];
    const grown = statusView(more, NO_TRACES, T0);
    expect(changeBetween(before, grown).kind).toBe('delta');
    expect(changeBetween(grown, before).kind).toBe('snapshot');
    const reshard = statusView([shard(0, T0 + 1, { shardCount: 4 }), one], NO_TRACES, T0 + 1);
    expect(changeBetween(before, reshard).kind).toBe('snapshot');
  });
});
