import type { Page } from 'playwright-core';
import type { Parrot, World } from './world.ts';

/** Who and what a shot can show. */
export interface Cast {
  readonly world: World;
  readonly parrot: Parrot;
  /** Path of a share link with every section, and of one that was revoked. */
  readonly share: string;
  readonly gone: string;
  /** A login link that was used. */
  readonly usedLink: string;
}

/** One look of one page. */
export interface Shot {
  readonly name: string;
  readonly path: (cast: Cast) => string;
  /** Text that says the page is there. */
  readonly ready: string | RegExp;
  /** Requests that never come back, or that fail, by a part of their path. */
  readonly hang?: string;
  readonly fail?: string;
  readonly act?: (page: Page) => Promise<void>;
  readonly stranger?: boolean;
}

const of =
  (bot: 'owl' | 'harbour' | 'thousand' | 'station' | 'parrot' | 'empty', rest: string) =>
  ({ world, parrot }: Cast): string => {
    const keys = bot === 'empty' ? world.empty : bot === 'parrot' ? parrot.keys : world[bot].keys;
    return `/b/${keys.botId}/${rest}`;
  };
const at = (path: string) => (): string => path;

const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name }).first().click();

/** Pages around the bots. */
const SHELL: readonly Shot[] = [
  { name: 'login', path: at('/login'), ready: 'Log in to', stranger: true },
  { name: 'login-refused', path: ({ usedLink }) => usedLink, ready: 'used up', stranger: true },
  { name: 'bots', path: at('/?all=1'), ready: '1,987 of 2,000' },
  { name: 'bots-loading', path: at('/?all=1'), hang: '/v1/bots', ready: 'Log out' },
  { name: 'bots-failed', path: at('/?all=1'), fail: '/v1/bots', ready: 'could not be loaded' },
  { name: 'not-found', path: at('/nowhere'), ready: 'There is no such page' },
  { name: 'no-such-bot', path: at('/b/nobody/api'), ready: 'There is no such page' },
  {
    name: 'palette',
    path: at('/?all=1'),
    ready: '1,987 of 2,000',
    act: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Bot or page' }).waitFor();
    },
  },
  {
    name: 'shortcuts',
    path: of('station', 'status'),
    ready: 'Cluster 3',
    act: (page) => page.keyboard.press('?'),
  },
];

const FIRST_RUN: readonly Shot[] = [
  { name: 'new', path: at('/new'), ready: 'Name the bot' },
  { name: 'connect-waiting', path: of('empty', 'connect'), ready: 'Waiting for the first' },
  {
    name: 'connect-hints',
    path: of('empty', 'connect'),
    ready: 'Waiting for the first',
    act: async (page) => {
      await page.clock.runFor(95_000);
      await page.getByText('Nothing has arrived yet').waitFor();
    },
  },
  { name: 'connect-done', path: of('parrot', 'connect'), ready: 'Key accepted from' },
  {
    name: 'connect-python',
    path: of('parrot', 'connect'),
    ready: 'Key accepted from',
    act: (page) => page.getByText('Python', { exact: true }).click(),
  },
];

const STATUS: readonly Shot[] = [
  { name: 'status-1', path: of('parrot', 'status'), ready: 'Event-loop delay' },
  { name: 'status-1-offline', path: of('owl', 'status'), ready: 'not measured.' },
  { name: 'status-4', path: of('harbour', 'status'), ready: 'All 4 shards' },
  { name: 'status-64', path: of('station', 'status'), ready: 'Cluster 3' },
  {
    name: 'status-64-tiles-ping',
    path: of('station', 'status?density=tiles&fill=ping'),
    ready: 'Cluster 3',
  },
  { name: 'status-64-table', path: of('station', 'status?density=table'), ready: 'Shard 63' },
  { name: 'status-2000', path: of('thousand', 'status'), ready: 'Cluster 124' },
  { name: 'status-2000-open', path: of('thousand', 'status?open=c7'), ready: 'Shard 113' },
  {
    name: 'status-2000-tiles',
    path: of('thousand', 'status?density=tiles'),
    ready: 'Cluster 124',
  },
  {
    name: 'status-2000-tiles-cpu',
    path: of('thousand', 'status?density=tiles&fill=cpu'),
    ready: 'Cluster 124',
  },
  { name: 'status-2000-table', path: of('thousand', 'status?density=table'), ready: 'of 2,000' },
  { name: 'status-2000-offline', path: of('thousand', 'status?show=offline'), ready: 'Shard 113' },
  {
    name: 'status-2000-found',
    path: of('thousand', 'status?q=81384788765712384'),
    ready: 'of 2000.',
  },
  { name: 'status-nothing', path: of('station', 'status?show=offline'), ready: 'No shard is' },
  { name: 'status-unclear', path: of('station', 'status?q=hello'), ready: 'Type a shard number' },
  { name: 'status-empty', path: of('empty', 'status'), ready: 'Waiting for the first heartbeat' },
  { name: 'status-loading', path: of('parrot', 'status'), hang: '/stream', ready: 'Loading' },
  { name: 'status-unreachable', path: of('parrot', 'status'), fail: '/stream', ready: 'cannot be' },
  {
    name: 'status-paused',
    path: of('station', 'status'),
    ready: 'Cluster 3',
    act: press('Pause live updates'),
  },
];

const SHARD: readonly Shot[] = [
  { name: 'shard', path: of('harbour', 'status/1'), ready: 'not measured.' },
  { name: 'shard-7d', path: of('harbour', 'status/1?range=7d'), ready: 'not measured.' },
  { name: 'shard-30d', path: of('harbour', 'status/0?range=30d'), ready: 'not measured.' },
  { name: 'shard-table', path: of('harbour', 'status/1?view=table'), ready: 'Show as charts' },
  {
    name: 'shard-custom',
    path: of('harbour', 'status/1'),
    ready: 'not measured.',
    act: (page) => page.getByText('Custom…').click(),
  },
  {
    name: 'shard-cursor',
    path: of('harbour', 'status/1'),
    ready: 'not measured.',
    act: async (page) => {
      await page.locator('figure canvas').nth(3).waitFor();
      await page.getByRole('img', { name: /^Ping\./ }).focus();
      for (const key of ['End', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
    },
  },
  { name: 'shard-fresh', path: of('station', 'status/40'), ready: 'not measured.' },
  { name: 'shard-unseen', path: of('harbour', 'status/99'), ready: 'no heartbeat yet' },
  {
    name: 'shard-loading',
    path: of('harbour', 'status/1'),
    hang: '/shards/1/history',
    ready: 'Loading',
  },
  {
    name: 'shard-failed',
    path: of('harbour', 'status/1'),
    fail: '/shards/1/history',
    ready: 'could not',
  },
];

const OTHERS: readonly Shot[] = [
  { name: 'activity', path: of('parrot', 'activity'), ready: '/ping' },
  { name: 'activity-actions', path: of('parrot', 'activity?show=actions'), ready: ' ms' },
  { name: 'activity-empty', path: of('empty', 'activity'), ready: 'No events yet' },
  { name: 'activity-none', path: of('empty', 'activity?show=errors'), ready: 'Nothing in' },
  { name: 'activity-loading', path: of('parrot', 'activity'), hang: '/events', ready: 'Loading' },
  { name: 'activity-failed', path: of('parrot', 'activity'), fail: '/events', ready: 'could not' },
  {
    name: 'activity-paused',
    path: of('parrot', 'activity'),
    ready: '/ping',
    act: press('Pause'),
  },
  { name: 'api', path: of('harbour', 'api'), ready: 'Most called routes' },
  { name: 'api-7d', path: of('thousand', 'api?range=7d'), ready: 'By process' },
  { name: 'api-1', path: of('parrot', 'api'), ready: 'Most called routes' },
  { name: 'api-64', path: of('station', 'api'), ready: 'By process' },
  { name: 'api-empty', path: of('empty', 'api'), ready: 'Nothing was measured' },
  {
    name: 'api-loading',
    path: of('harbour', 'api'),
    hang: '/v1/bots/*/api-usage',
    ready: 'Loading',
  },
  { name: 'settings', path: of('parrot', 'settings'), ready: 'Last batch' },
  { name: 'settings-empty', path: of('empty', 'settings'), ready: 'No batch' },
  { name: 'settings-loading', path: of('parrot', 'settings'), hang: '/keys', ready: 'Loading' },
  {
    name: 'settings-rotate',
    path: of('harbour', 'settings'),
    ready: 'Last batch',
    act: press('Rotate the ingest key'),
  },
  {
    name: 'settings-revoke',
    path: of('harbour', 'settings'),
    ready: 'Last batch',
    act: press(/^Revoke key/),
  },
  { name: 'public', path: ({ share }) => share, ready: 'All 4 shards', stranger: true },
  { name: 'public-shard', path: ({ share }) => `${share}/1`, ready: 'measured', stranger: true },
  { name: 'public-api', path: ({ share }) => `${share}/api`, ready: 'Most called', stranger: true },
  { name: 'public-gone', path: ({ gone }) => gone, ready: 'shows nothing', stranger: true },
];

export const SHOTS: readonly Shot[] = [...SHELL, ...FIRST_RUN, ...STATUS, ...SHARD, ...OTHERS];

/** Looks that need a list without bots: taken before there are any. */
export const BARE: readonly Shot[] = [
  { name: 'bots-empty', path: at('/?all=1'), ready: 'No bot yet' },
];

/** Looks of a fleet that was hit: a cluster gone, a shard without gateway. */
export const HIT: readonly Shot[] = [
  { name: 'status-64-hit', path: of('station', 'status'), ready: 'not responding to' },
  { name: 'status-64-hit-tiles', path: of('station', 'status?density=tiles'), ready: 'responding' },
  { name: 'status-64-hit-table', path: of('station', 'status?density=table'), ready: 'responding' },
  { name: 'shard-silent', path: of('station', 'status/5'), ready: 'Not responding to' },
  { name: 'shard-offline', path: of('station', 'status/60'), ready: 'Not being measured' },
];

/** Pages that are open when the server goes away. */
export const LOST: readonly Shot[] = [
  { name: 'lost-1', path: of('parrot', 'status'), ready: 'Event-loop delay' },
  { name: 'lost-64', path: of('station', 'status'), ready: 'Cluster 3' },
  { name: 'lost-2000', path: of('thousand', 'status'), ready: 'Cluster 124' },
  { name: 'lost-activity', path: of('parrot', 'activity'), ready: '/ping' },
  { name: 'lost-public', path: ({ share }) => share, ready: /shards/, stranger: true },
];
