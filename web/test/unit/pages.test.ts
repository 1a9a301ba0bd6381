import { readFileSync } from 'node:fs';
import type { Health, Key, ShardEvent } from '@bot-analytics/protocol/read-api';
import { describe, expect, test } from 'vitest';
import { cut, gapsOf, middleOf } from '../../src/chart/gaps.ts';
import { csv, fileName } from '../../src/chart/download.ts';
import { topOf } from '../../src/chart/ticks.ts';
import {
  invalidView,
  usageCsvRows,
  processChart,
  processCsvRows,
  usageView,
} from '../../src/pages/api-usage/view-model.ts';
import { gridStep } from '../../src/chart/bars.ts';
import { botLine } from '../../src/pages/bots/view-model.ts';
import { curlTest, snippet } from '../../src/pages/connect/snippets.ts';
import { connectView } from '../../src/pages/connect/view-model.ts';
import { safeNext, tokenFrom } from '../../src/pages/login/view-model.ts';
import { lifecycleLines } from '../../src/pages/shard/lifecycle.ts';
import { placeOf } from '../../src/pages/shard/neighbours.ts';
import { customRange, resolveRange, toLocalInput } from '../../src/pages/shard/range.ts';
import { historyCsvRows, historyView, offlineNotice } from '../../src/pages/shard/view-model.ts';
import {
  healthView,
  keyRows,
  parseDays,
  parseQuota,
  shareRows,
  skewText,
} from '../../src/pages/settings/view-model.ts';
import { makeBot, makeHealth, makeHistory, makeStatus, makeUsage } from '../mock/fleet.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 30);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const RANGE = { fromMs: NOW - DAY, toMs: NOW };

describe('login', () => {
  test.each([
    ['#token=abc12345', 'abc12345'],
    ['https://stats.example.org/login#token=abc12345', 'abc12345'],
    ['  abc12345 ', 'abc12345'],
    ['#other=1', null],
    ['', null],
    ['two words', null],
  ])('token out of %j', (text, token) => {
    expect(tokenFrom(text)).toBe(token);
  });

  test.each([
    [undefined, '/'],
    ['/b/1/status?show=offline', '/b/1/status?show=offline'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['https://evil.example', '/'],
    ['/login?next=/login', '/'],
  ])('after the login %j leads to %s', (next, address) => {
    expect(safeNext(next)).toBe(address);
  });
});

describe('list of bots', () => {
  const bot = makeBot('id', 'Even', NOW);
  test.each([
    [{ shards: 1, perCluster: 0, offline: [] }, 'Online'],
    [{ shards: 1, perCluster: 0, offline: [0] }, 'Offline'],
    [{ shards: 4, perCluster: 0, offline: [0] }, '3 of 4 shards online'],
    [{ shards: 4, perCluster: 0, offline: [0, 1, 2, 3] }, 'All 4 shards offline'],
    [{ shards: 0, perCluster: 0, offline: [] }, 'No heartbeat yet'],
  ])('%j', (plan, presence) => {
    const { online, total } = makeStatus(plan, NOW);
    const line = botLine({ ...bot, presence: { online, total, guildCount: 7 } });
    expect(line.presence).toBe(presence);
    expect(line.guilds).toBe(online === 0 ? null : '7 guilds');
  });

  test('quota, suspension', () => {
    expect(botLine({ ...bot, monthlyQuota: 1_000, quotaUsed: 250 })).toMatchObject({
      events: '250 of 1,000 events this month',
      quotaPart: 0.25,
    });
    expect(botLine({ ...bot, monthlyQuota: null, quotaUsed: 1 }).events).toBe('1 event this month');
    expect(botLine({ ...bot, suspended: true }).presence).toBe('Suspended');
  });
});

describe('connecting a bot', () => {
  const values = { apiKey: 'bak_x', endpoint: 'https://stats.example.org' };
  test('snippets carry key and endpoint', () => {
    for (const language of ['js', 'py'] as const) {
      const { code } = snippet(language, values);
      expect(code).toContain('"bak_x"');
      expect(code).toContain('"https://stats.example.org"');
    }
    expect(curlTest(values)).toContain('https://stats.example.org/v1/events');
  });

  test('the install commands are those of README.md', () => {
    const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
    for (const language of ['js', 'py'] as const) {
      expect(readme).toContain(`\n${snippet(language, values).install}\n`);
    }
  });

  const nothing = { health: undefined, status: null, interaction: undefined, listeningMs: 0 };
  test('ticks come one by one; hints only after 90 s of silence', () => {
    const titleOf = (): string => 'Quota used up';
    const waiting = connectView(nothing, titleOf);
    expect(waiting.ticks.map(({ done }) => done)).toEqual([false, false, false]);
    expect(waiting.hints).toBe(false);
    expect(connectView({ ...nothing, listeningMs: 90_000 }, titleOf).hints).toBe(true);
    const health = makeHealth(NOW, true);
    const accepted = connectView({ ...nothing, health, listeningMs: 90_000 }, titleOf);
    expect(accepted).toMatchObject({ connected: true, hints: false });
    expect(accepted.ticks[0]?.text).toBe('Key accepted from @vendor/chat.js 0.5.0');
    expect(accepted.lastRefusal).toMatch(/: Quota used up$/);
    const status = makeStatus({ shards: 4, perCluster: 0, offline: [] }, NOW);
    expect(connectView({ ...nothing, status }, titleOf).ticks[1]).toMatchObject({
      done: true,
      text: 'Heartbeat: 4 shards online',
    });
  });
});

describe('gaps', () => {
  test('touching hours without a value are one gap, the ends included', () => {
    const steps = [null, 1, null, null, 2, null].map((value, index) => ({
      atMs: index * 10,
      value,
    }));
    expect(gapsOf(steps, 10)).toEqual([
      { fromMs: 0, toMs: 10 },
      { fromMs: 20, toMs: 40 },
      { fromMs: 50, toMs: 60 },
    ]);
    expect(gapsOf([{ atMs: 0, value: 0 }], 10)).toEqual([]);
  });

  test('a gap is cut to the range', () => {
    expect(cut({ fromMs: 0, toMs: 10 }, { fromMs: 5, toMs: 8 })).toEqual({ fromMs: 5, toMs: 8 });
    expect(cut({ fromMs: 0, toMs: 5 }, { fromMs: 5, toMs: 8 })).toBeNull();
  });

  test.each([
    [0, 5],
    [-8, 0],
    [97, 100],
  ])('a value of the step from %i stands at %i', (start, at) => {
    expect(middleOf(start, 10, { fromMs: 0, toMs: 100 })).toBe(at);
  });

  test.each([
    [null, 1],
    [0, 1],
    [100, 112],
  ])('y axis for a highest value of %s', (max, top) => {
    expect(topOf(max)).toBeCloseTo(top);
  });
});

describe('shard history', () => {
  test('four charts over the whole range, null where nothing was measured', () => {
    const history = makeHistory(3, RANGE, false);
    const { metrics, hasData, timeline } = historyView(history, NOW);
    expect(metrics.map(({ title }) => title)).toEqual([
      'Ping',
      'Memory',
      'CPU',
      'Event-loop delay, 95th percentile',
    ]);
    expect(hasData).toBe(true);
    for (const { data, summary } of metrics) {
      expect(data.range).toEqual(RANGE);
      expect(data.series[0]?.values).toHaveLength(history.hours.length);
      expect(data.series[0]?.values.filter((value) => value === null)).toHaveLength(3);
      expect(data.gaps).toHaveLength(1);
      expect(summary).toMatch(/; 3 of 25 hours not measured\.$/);
    }
    expect(timeline.map(({ text }) => text)).toEqual([
      'Ready',
      'Reconnecting',
      'Disconnected (1006: the connection broke)',
    ]);
    const missing = history.hours.findIndex((hour) => hour.heartbeats === 0);
    expect(metrics[0]?.wordsAt(missing)).toMatch(/: not measured$/);
  });

  test('nothing measured at all', () => {
    const history = makeHistory(3, RANGE, false);
    const hours = history.hours.map((hour) => ({ ...hour, wsPingMs: null, heartbeats: 0 }));
    const view = historyView({ ...history, hours }, NOW);
    expect(view.hasData).toBe(false);
    expect(view.metrics[0]?.summary).toBe('Not measured in this range.');
  });

  test('the notice of an offline shard names the last time online', () => {
    const at = new Date(NOW - 48 * 60_000).toISOString();
    expect(offlineNotice({ state: 'online', lastHeartbeatAt: at }, NOW)).toBeNull();
    expect(offlineNotice({ state: null, lastHeartbeatAt: null }, NOW)).toMatch(/no heartbeat yet/);
    expect(offlineNotice({ state: 'offline', lastHeartbeatAt: at }, NOW)).toMatch(
      /^Not being measured\. Last online .*2026.*, 48 min ago\. Only periods with data are charted\.$/,
    );
  });

  test('CSV: UTC and local time, empty cells for gaps', () => {
    const history = makeHistory(3, RANGE, false);
    const rows = historyCsvRows(history.hours);
    expect(rows[0]).toEqual([
      'hour_utc',
      'hour_local',
      'ping_ms',
      'memory_mb',
      'cpu_percent',
      'event_loop_delay_p95_ms',
      'heartbeats',
    ]);
    expect(rows).toHaveLength(history.hours.length + 1);
    expect(csv([['a,b', null, 1, '=SUM(A1)', 'q"x']])).toBe(`"a,b",,1,'=SUM(A1),"q""x"\r\n`);
    expect(fileName(['Mein Bot ü', 'shard-3'], 'csv')).toBe('mein-bot-u_shard-3.csv');
  });

  test.each<[ShardEvent['type'], ShardEvent['data'], string]>([
    [
      'shard_disconnect',
      { code: 4_014, willReconnect: false },
      'Disconnected (4014: an intent is not allowed for this bot), will not reconnect',
    ],
    ['shard_disconnect', { code: null }, 'Disconnected'],
    ['shard_disconnect', { code: 4_999 }, 'Disconnected (code 4999)'],
    ['shard_ready', { startupMs: 4_200 }, 'Ready after 4 s'],
    ['shard_ready', { startupMs: 340 }, 'Ready after 340 ms'],
    ['shard_resume', { replayedEvents: 12 }, 'Resumed, 12 events replayed'],
    ['shard_reconnect', { attempt: 2 }, 'Reconnecting, attempt 2'],
    ['shard_connect', {}, 'Connected'],
  ])('%s %j', (type, data, text) => {
    const [line] = lifecycleLines([{ id: 'a', type, ts: new Date(NOW).toISOString(), data }]);
    expect(line?.text).toBe(text);
  });

  test('neighbours are the next shards that were seen', () => {
    const status = makeStatus({ shards: 6, perCluster: 2, offline: [] }, NOW);
    expect(placeOf(status, 3)).toMatchObject({ clusterId: '1', before: 2, after: 4 });
    expect(placeOf(status, 0)).toMatchObject({ before: null, after: 1 });
    expect(placeOf(status, 40)).toMatchObject({ shard: null, before: 5, after: null });
  });

  test('ranges', () => {
    expect(resolveRange({}).values(NOW)).toEqual({
      from: new Date(NOW - DAY).toISOString(),
      to: new Date(NOW).toISOString(),
    });
    const custom = { from: '2026-11-01T00:00:00.000Z', to: '2026-11-02T00:00:00.000Z' };
    expect(resolveRange(custom)).toMatchObject({ name: 'custom' });
    expect(customRange({ from: custom.to, to: custom.from })).toBeNull();
    expect(customRange({ from: '0001-01-01', to: '9999-01-01' })).toBeNull();
    expect(customRange({ from: 'x', to: 'y' })).toBeNull();
    expect(new Date(toLocalInput(NOW)).getTime()).toBe(NOW);
  });
});

describe('API usage', () => {
  const usage = makeUsage(RANGE);
  test('tiles, charts, routes', () => {
    const view = usageView(usage);
    expect(view.tiles.map(({ label }) => label)).toEqual([
      'REST requests',
      'Global 429',
      'Bucket 429',
      '400',
      '401',
      '403',
    ]);
    expect(view.requests.data.gaps).toHaveLength(1);
    expect(view.routes[0]).toMatchObject({ method: 'POST', part: 1 });
    expect(new Set(view.refusals.data.series.map(({ dash }) => String(dash))).size).toBe(5);
    expect(usageCsvRows(usage)).toHaveLength(usage.hours.length + 1);
  });

  test('by process: who has most, and rows for a file', () => {
    const chart = processChart(usage.shards, 'rest403');
    expect(chart.bars).toHaveLength(4);
    expect(chart.summary).toMatch(/^\d+ in 4 processes\. Most: the process of shard 16 with/);
    expect(processChart(usage.shards, 'rest401').summary).toBe('0 in 4 processes.');
    expect(processCsvRows(usage.shards)[1]?.[0]).toBe(0);
  });

  test.each([
    [1, 1],
    [3, 1],
    [10, 5],
    [100, 50],
    [184_203, 100_000],
  ])('grid lines of %i stand %i apart', (top, step) => {
    expect(gridStep(top)).toBe(step);
  });

  test.each([
    [641, 'good', '6.4 %'],
    [5_000, 'warn', '50 %'],
    [8_000, 'bad', '80 %'],
    [20_000, 'bad', '200 %'],
  ])('%i invalid requests: %s', (peak, tone, text) => {
    const view = invalidView({ invalidRequests: { ...usage.invalidRequests, peak } });
    expect(view.tone).toBe(tone);
    expect(view.part).toBeLessThanOrEqual(1);
    expect(view.text).toContain(text);
  });
});

describe('settings', () => {
  test.each([
    ['', null],
    ['500000', 500_000],
    ['500,000', 500_000],
    ['-1', undefined],
    ['many', undefined],
  ])('quota %j', (text, quota) => {
    expect(parseQuota(text)).toBe(quota);
  });

  test.each([
    ['30', 30],
    ['0', undefined],
    ['3651', undefined],
    ['1.5', undefined],
  ])('retention %j', (text, days) => {
    expect(parseDays(text)).toBe(days);
  });

  test('keys: active, ending, ended', () => {
    const at = (ms: number): string => new Date(NOW + ms).toISOString();
    const base: Key = {
      keyId: 'aaaaaaaa',
      scope: 'ingest',
      createdAt: at(-DAY),
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: at(-120_000),
      lastSdk: '@vendor/chat.js 0.5.0',
    };
    const rows = keyRows(
      [
        { ...base, revokedAt: at(-60_000) },
        { ...base, expiresAt: at(HOUR) },
        { ...base, expiresAt: at(-HOUR) },
        base,
      ],
      NOW,
    );
    expect(rows.map(({ stateText }) => stateText)).toEqual([
      'Active',
      'Ends in 1 h',
      'Revoked 1 min ago',
      'Ended 1 h ago',
    ]);
    expect(rows[0]?.lastUse).toBe('2 min ago, @vendor/chat.js 0.5.0');
  });

  test('share links', () => {
    const share = {
      shareId: 'aaaaaaaa',
      sections: ['status', 'api'] as ('status' | 'api')[],
      createdAt: new Date(NOW).toISOString(),
      expiresAt: null,
      revokedAt: null,
    };
    const past = new Date(NOW - 1).toISOString();
    expect(
      shareRows([share, { ...share, expiresAt: past }, { ...share, revokedAt: past }], NOW),
    ).toMatchObject([
      { sections: 'Status, API usage', active: true },
      { active: false, stateText: 'Expired' },
      { active: false, stateText: 'Revoked' },
    ]);
  });

  test.each([
    [null, /not known/],
    [38, /agrees/],
    [-180_000, /3 min behind/],
    [7_200_000, /2 h ahead/],
  ])('clock skew of %s ms', (skew, text) => {
    expect(skewText(skew)).toMatch(text);
  });

  test('ingestion health in words; a code of a newer server shows as it is', () => {
    const words = { reject: () => undefined, warning: () => 'cut', error: () => 'quota' };
    const health: Health = makeHealth(NOW, true);
    const view = healthView(health, words, NOW);
    expect(view.rejected).toEqual([
      { code: 'ts_too_old', text: 'ts_too_old', count: '14', last: null },
    ]);
    expect(view.refused[0]).toMatchObject({ text: 'quota', last: '3 h ago' });
    expect(view.lastBatch).toBe('Last batch 4 s ago.');
    expect(healthView(makeHealth(NOW, false), words, NOW).lastBatch).toBe(
      'No batch has arrived yet.',
    );
  });
});
