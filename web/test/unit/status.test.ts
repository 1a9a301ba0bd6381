import type { Status, StatusDelta } from '@bot-analytics/protocol/read-api';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyDelta } from '../../src/live/apply-delta.ts';
import { find, shardOfGuild } from '../../src/pages/status/finder.ts';
import { cardFields, cardState, tileName } from '../../src/pages/status/grid/card-view.ts';
import { Grouper } from '../../src/pages/status/grid/groups.ts';
import { legendOf, tileLook } from '../../src/pages/status/grid/levels.ts';
import { rovingTarget } from '../../src/pages/status/grid/roving.ts';
import { readStatusSearch } from '../../src/pages/status/search.ts';
import type { StatusSearch } from '../../src/pages/status/search.ts';
import { nextSort, tableView } from '../../src/pages/status/table/table-view.ts';
import {
  groupSummary,
  joinRuns,
  median,
  statusView,
  withGroupOpen,
} from '../../src/pages/status/view-model.ts';
import { makeStatus } from '../mock/fleet.ts';
import type { FleetPlan } from '../mock/fleet.ts';

const NOW = Date.UTC(2026, 10, 21, 12);

function view(plan: FleetPlan, search: StatusSearch = {}) {
  const status = makeStatus(plan, NOW);
  return statusView({ status, groups: new Grouper().groups(status), search, name: 'Parrot' });
}

describe('headline', () => {
  test.each([
    [{ shards: 0, perCluster: 0, offline: [] }, 'unseen', 'Parrot has sent no heartbeat yet'],
    [{ shards: 1, perCluster: 0, offline: [] }, 'online', 'Parrot is online'],
    [{ shards: 1, perCluster: 0, offline: [0] }, 'offline', 'Parrot is offline'],
    [{ shards: 4, perCluster: 0, offline: [] }, 'online', 'All 4 shards online'],
    [{ shards: 4, perCluster: 0, offline: [2] }, 'partly', '3 of 4 shards online'],
    [{ shards: 4, perCluster: 2, offline: [0, 1, 2, 3] }, 'offline', '0 of 4 shards online'],
    [{ shards: 4, perCluster: 0, offline: [], unresponsive: [1] }, 'silent', 'All 4 shards online'],
  ])('%j', (plan: FleetPlan, mark, text) => {
    expect(view(plan).headline).toMatchObject({ mark, text });
  });

  test('counts offline shards and the clusters that they are in', () => {
    const offline = [113, 118, 400, 401, 1_990];
    const { headline } = view({ shards: 2_000, perCluster: 16, offline });
    expect(headline.text).toBe('1,995 of 2,000 shards online');
    expect(headline.detail).toMatch(/^5 offline in 3 clusters · /);
  });

  test('old guild counts of offline shards are not added up', () => {
    expect(view({ shards: 4, perCluster: 2, offline: [0, 1, 2, 3] }).headline.detail).toBe(
      '4 offline in 2 clusters',
    );
  });
});

describe('mode', () => {
  test.each([
    ['single', { shards: 1, perCluster: 0, offline: [] }],
    ['grid', { shards: 1, perCluster: 1, offline: [] }],
    ['grid', { shards: 1, perCluster: 0, offline: [], shardCount: 2 }],
    ['grid', { shards: 2, perCluster: 0, offline: [] }],
    ['empty', { shards: 0, perCluster: 0, offline: [] }],
  ])('%s: %j', (mode, plan: FleetPlan) => {
    expect(view(plan).mode).toBe(mode);
  });
});

describe('groups', () => {
  test('offline first inside a cluster, then not responding, then by number', () => {
    const { groups } = view({ shards: 4, perCluster: 4, offline: [2], unresponsive: [3] });
    expect(groups[0]?.group.shards.map((shard) => shard.shardId)).toEqual([2, 3, 0, 1]);
  });

  test('clusters with offline shards first, unless the order of names is asked for', () => {
    const plan = { shards: 6, perCluster: 2, offline: [4] };
    const titles = (search: StatusSearch) =>
      view(plan, search).groups.map(({ group }) => group.title);
    expect(titles({})).toEqual(['Cluster 2', 'Cluster 0', 'Cluster 1']);
    expect(titles({ order: 'id' })).toEqual(['Cluster 0', 'Cluster 1', 'Cluster 2']);
  });

  test('up to 64 shards groups are open; above they are closed', () => {
    const few = view({ shards: 64, perCluster: 16, offline: [] });
    expect(few.groups.every(({ open }) => open)).toBe(true);
    const many = view({ shards: 80, perCluster: 16, offline: [] });
    expect(many.groups.some(({ open }) => open)).toBe(false);
    const some = view({ shards: 80, perCluster: 16, offline: [] }, { open: 'c1,c3' });
    expect(some.groups.filter(({ open }) => open).map(({ group }) => group.key)).toEqual([
      'c1',
      'c3',
    ]);
    const all = view({ shards: 80, perCluster: 16, offline: [] }, { open: 'all' });
    expect(all.groups.every(({ open }) => open)).toBe(true);
  });

  test('shards without a cluster: one group without a title, above 64 ranges', () => {
    expect(view({ shards: 40, perCluster: 0, offline: [] }).groups).toMatchObject([
      { open: true, group: { title: null } },
    ]);
    const ranges = view({ shards: 96, perCluster: 0, offline: [] }).groups;
    expect(ranges.map(({ group }) => group.title)).toEqual([
      'Shards 0–31',
      'Shards 32–63',
      'Shards 64–95',
    ]);
  });

  test('offline only: what matches, opened', () => {
    const shown = view({ shards: 80, perCluster: 16, offline: [17, 70] }, { show: 'offline' });
    expect(shown.shown).toBe(2);
    expect(shown.groups.map(({ group, open }) => [group.key, open])).toEqual([
      ['c1', true],
      ['c4', true],
    ]);
    expect(shown.groups[0]?.group.total).toBe(16);
  });

  test('a group in which nothing changed keeps its identity', () => {
    const grouper = new Grouper();
    const status = makeStatus({ shards: 96, perCluster: 0, offline: [] }, NOW);
    const before = grouper.groups(status);
    const shard = { ...status.clusters[0]!.shards[40]!, wsPingMs: 999, clusterId: null };
    const after = grouper.groups(applyDelta(status, { ...status, shards: [shard] }));
    expect(after.map((group, index) => group === before[index])).toEqual([true, false, true]);
  });

  test('opening and closing names the group in the address', () => {
    expect(withGroupOpen({}, { key: 'c1', open: true }, true)).toEqual({ open: 'c1' });
    expect(withGroupOpen({ open: 'c1' }, { key: 'c1', open: false }, true)).toEqual({});
    expect(withGroupOpen({}, { key: 'c1', open: false }, false)).toEqual({ shut: 'c1' });
    expect(withGroupOpen({ shut: 'c1,c2' }, { key: 'c1', open: true }, false)).toEqual({
      shut: 'c2',
    });
  });

  test('summary: median ping and guilds of the shards that are online', () => {
    const { groups } = view({ shards: 2, perCluster: 2, offline: [] });
    expect(groupSummary(groups[0]!.group)).toMatch(/^median \d+ ms · [\d.,kK]+ guilds$/);
    const down = view({ shards: 2, perCluster: 2, offline: [0, 1] });
    expect(groupSummary(down.groups[0]!.group)).toBe('');
    const plan = { shards: 80, perCluster: 16, offline: [17, 70] };
    const hit = view(plan, { show: 'offline' }).groups[0]!.group;
    const whole = view(plan).groups.find(({ group }) => group.key === hit.key)!.group;
    expect([hit.shards.length, whole.shards.length]).toEqual([1, 16]);
    expect(groupSummary(hit)).toBe(groupSummary(whole));
  });
});

test.each([
  [[], null],
  [[4], 4],
  [[9, 1, 5], 5],
  [[1, 2, 3, 10], 2.5],
])('median of %j', (values, expected) => {
  expect(median(values)).toBe(expected);
});

test.each([
  [[], ''],
  [[3], '3'],
  [[3, 4], '3, 4'],
  [[4, 17, 100, 101, 102], '4, 17 and 100–102'],
])('runs of %j', (numbers, expected) => {
  expect(joinRuns(numbers)).toBe(expected);
});

test('a shard that was found is called unseen only when it was never seen', () => {
  const plan = { shards: 4, perCluster: 2, offline: [] };
  expect(view(plan, { q: '3', show: 'offline' })).toMatchObject({ foundSeen: true, shown: 0 });
  expect(view(plan, { q: '9' })).toMatchObject({ foundSeen: false, shown: 0 });
  expect(view(plan, { q: 'cluster 1' })).toMatchObject({ foundSeen: false, shown: 2 });
});

test('shards that were never seen are named, not called offline', () => {
  const seen = view({ shards: 96, perCluster: 0, offline: [], shardCount: 100 });
  expect(seen.unseen).toBe('Shards 96–99 of 100 have sent no heartbeat yet.');
  expect(seen.offline).toBe(0);
});

describe('finder', () => {
  test.each([
    ['', { kind: 'none' }],
    ['113', { kind: 'shard', shardId: 113 }],
    ['#7', { kind: 'shard', shardId: 7 }],
    ['Shard 12', { kind: 'shard', shardId: 12 }],
    ['81384788765712384', { kind: 'shard', shardId: 0 }],
    ['https://discord.com/channels/81384788765712384/381887/9', { kind: 'shard', shardId: 0 }],
    ['https://discord.com/channels/@me/381887/9', { kind: 'shard', shardId: 0 }],
    ['cluster eu-1', { kind: 'cluster', clusterId: 'eu-1' }],
    ['hello', { kind: 'unclear' }],
    ['99999', { kind: 'unclear' }],
  ])('%s', (text, expected) => {
    expect(find(text, 2)).toMatchObject(expected);
  });

  test('a guild cannot be placed before the bot has said how many shards it has', () => {
    expect(find('81384788765712384', null)).toMatchObject({ kind: 'unclear' });
  });

  test('the shard of a guild is inside the count', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
        fc.integer({ min: 1, max: 5_000 }),
        (id, count) => {
          const shard = shardOfGuild(String(id), count);
          expect(shard).toBeGreaterThanOrEqual(0);
          expect(shard).toBeLessThan(count);
        },
      ),
    );
  });
});

describe('cards and tiles', () => {
  const { clusters } = makeStatus(
    { shards: 3, perCluster: 0, offline: [1], unresponsive: [2] },
    NOW,
  );
  const [online, offline, silent] = clusters[0]!.shards;

  test('fields in the order of the spec, a dash for what was not measured', () => {
    const shard = {
      ...online!,
      wsPingMs: null,
      memoryMb: 1_083,
      cpuPercent: 35.1,
      guildCount: 1_004,
      voiceConnections: 12,
    };
    expect(cardFields(shard)).toEqual([
      { label: 'Ping', value: '–' },
      { label: 'Memory', value: '1,083 MB' },
      { label: 'CPU', value: '35.1 %' },
      { label: 'Guilds', value: '1,004' },
      { label: 'Voice', value: '12' },
    ]);
  });

  test('words for every state', () => {
    expect(cardState(online!)).toMatchObject({ mark: 'online', word: 'Online', why: null });
    expect(cardState(offline!)).toMatchObject({ mark: 'offline', word: 'Offline', why: null });
    expect(cardState(silent!)).toMatchObject({ mark: 'silent', word: 'Not responding' });
    expect(tileName(offline!, '', 'last heartbeat 11:12')).toBe(
      'Shard 1, offline, last heartbeat 11:12',
    );
    expect(tileName(online!, '84 ms', '')).toBe('Shard 0, 84 ms, online');
  });

  test.each([
    [10, '0'],
    [75, '1'],
    [149, '1'],
    [150, '2'],
    [499, '3'],
    [500, '4'],
  ])('fill by ping: %i ms is step %s', (wsPingMs, look) => {
    expect(tileLook({ ...online!, wsPingMs }, 'ping')).toMatchObject({ look });
  });

  test('offline tiles never show an old value', () => {
    expect(tileLook(offline!, 'ping')).toEqual({ look: 'offline', text: '' });
    expect(tileLook({ ...online!, cpuPercent: null }, 'cpu')).toMatchObject({ look: 'none' });
    expect(tileLook(silent!, 'status')).toMatchObject({ look: 'silent' });
    expect(legendOf('mem')).toHaveLength(5);
  });

  test.each([
    ['ArrowRight', 0, 1],
    ['ArrowLeft', 0, 0],
    ['ArrowDown', 0, 1],
    ['ArrowDown', 2, 6],
    ['ArrowDown', 4, 7],
    ['ArrowDown', 7, 7],
    ['ArrowUp', 5, 1],
    ['ArrowUp', 2, 0],
    ['ArrowRight', 7, 7],
    ['Home', 7, 0],
    ['End', 0, 7],
    ['Enter', 3, null],
  ])('%s from %i leads to %s', (key, at, to) => {
    // A heading, a row of four, a row of three.
    expect(rovingTarget(key, at, [0, 40, 40, 40, 40, 80, 80, 80])).toBe(to);
  });
});

describe('table', () => {
  const groups = new Grouper().groups(
    makeStatus({ shards: 250, perCluster: 16, offline: [77] }, NOW),
  );

  test('offline first by default, 100 rows a page', () => {
    const first = tableView(groups, undefined, undefined);
    expect(first.rows[0]?.shard.shardId).toBe(77);
    expect([first.rows.length, first.pages, first.total]).toEqual([100, 3, 250]);
    expect(tableView(groups, undefined, '3').rows).toHaveLength(50);
    expect(tableView(groups, undefined, '99').page).toBe(3);
    expect(tableView(groups, undefined, 'x').page).toBe(1);
  });

  test.each(['ping', '-ping'])('sorted by %s, a shard without a figure comes last', (sort) => {
    const { rows } = tableView(groups, sort, '3');
    expect(rows.at(-1)?.shard.shardId).toBe(77);
  });

  test('a second click turns the order round', () => {
    expect(nextSort({ sort: 'state', descending: false }, 'ping')).toBe('ping');
    expect(nextSort({ sort: 'ping', descending: false }, 'ping')).toBe('-ping');
    expect(nextSort({ sort: 'ping', descending: true }, 'ping')).toBe('ping');
  });
});

test('an address with odd values falls back to the defaults', () => {
  expect(
    readStatusSearch({ density: 'huge', fill: 7, show: 'x', open: 'c1', range: '7d' }),
  ).toEqual({
    open: 'c1',
    range: '7d',
  });
});

describe('delta', () => {
  const status = makeStatus({ shards: 6, perCluster: 2, offline: [] }, NOW);
  const delta = (shards: StatusDelta['shards']): StatusDelta => ({
    generatedAt: '2026-11-21T12:00:09.000Z',
    online: 5,
    total: 6,
    shards,
  });

  test('only the clusters of changed shards are new', () => {
    const shard = { ...status.clusters[1]!.shards[0]!, state: 'offline' as const, clusterId: '1' };
    const after = applyDelta(status, delta([shard]));
    expect(after.clusters[0]).toBe(status.clusters[0]);
    expect(after.clusters[1]).toMatchObject({ online: 1, total: 2 });
    expect(after.clusters[1]?.shards[1]).toBe(status.clusters[1]?.shards[1]);
    expect(after).toMatchObject({ online: 5, generatedAt: '2026-11-21T12:00:09.000Z' });
  });

  test('a new shard joins its cluster, a new cluster is made, a shard can move', () => {
    const shard = status.clusters[0]!.shards[0]!;
    const joined = applyDelta(status, delta([{ ...shard, shardId: 9, clusterId: '2' }]));
    expect(joined.clusters[2]?.shards.map((one) => one.shardId)).toEqual([4, 5, 9]);
    const made = applyDelta(status, delta([{ ...shard, shardId: 9, clusterId: 'new' }]));
    expect(made.clusters[3]).toMatchObject({ clusterId: 'new', total: 1, online: 1 });
    const moved = applyDelta(status, delta([{ ...shard, clusterId: '2' }]));
    expect(moved.clusters.map((cluster) => cluster.total)).toEqual([1, 2, 3]);
  });

  test('after any deltas the counts of clusters equal their shards', () => {
    const change = fc.record({
      shardId: fc.nat(7),
      clusterId: fc.constantFrom('0', '1', '2', null),
      state: fc.constantFrom('online' as const, 'offline' as const),
    });
    fc.assert(
      fc.property(
        fc.array(fc.uniqueArray(change, { selector: (one) => one.shardId })),
        (deltas) => {
          const base = status.clusters[0]!.shards[0]!;
          let now: Status = status;
          for (const one of deltas)
            now = applyDelta(now, delta(one.map((patch) => ({ ...base, ...patch }))));
          const ids = now.clusters.flatMap((cluster) =>
            cluster.shards.map((shard) => shard.shardId),
          );
          expect(new Set(ids).size).toBe(ids.length);
          for (const cluster of now.clusters) {
            expect(cluster.total).toBe(cluster.shards.length);
            expect(cluster.online).toBe(
              cluster.shards.filter((one) => one.state === 'online').length,
            );
          }
        },
      ),
    );
  });
});
