import { PublicSummary } from '@bot-analytics/protocol/read-api';
import { expect, test } from 'vitest';
import { badgeSvg, summaryOf } from '../../../src/status/badge.ts';
import { statusView } from '../../../src/status/view.ts';
import { shard, T0 } from './heartbeats.ts';

const view = (ages: readonly number[]) =>
  statusView(
    ages.map((age, id) => shard(id, T0 - age, { shardCount: ages.length })),
    new Map(),
    T0,
  );

test.each([
  [[], 'unknown', 'no heartbeat yet'],
  [[0], 'online', 'online'],
  [[200_000], 'offline', 'offline'],
  [[0, 0], 'online', '2 of 2 shards online'],
  [[0, 200_000], 'degraded', '1 of 2 shards online'],
  [[200_000, 200_000], 'offline', '0 of 2 shards online'],
  [Array.from({ length: 2_000 }, () => 0), 'online', '2,000 of 2,000 shards online'],
])('shards silent for %j ms: %s, "%s"', (ages, state, message) => {
  const summary = summaryOf('My bot', view(ages));
  expect(PublicSummary.parse(summary)).toEqual(summary);
  expect(summary).toMatchObject({ name: 'My bot', state, message });
});

test('a badge says its words to a screen reader, and holds no mark-up of the name', () => {
  const svg = badgeSvg(summaryOf('"><script>&\'', view([0])));
  expect(svg).toContain('role="img" aria-label="&#34;&#62;&#60;script&#62;&#38;&#39;: online"');
  expect(svg).not.toContain('<script');
});

test('a long name is cut between characters', () => {
  const svg = badgeSvg(summaryOf('😀'.repeat(100), view([0])));
  expect(svg).toContain(`<title>${'😀'.repeat(39)}…: online</title>`);
});
