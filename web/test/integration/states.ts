import type { Page } from 'playwright-core';
import { makeBot } from '../mock/fleet.ts';
import { BOTS, SAMPLE_BOT } from '../mock/world.ts';
import type { MockWorld } from '../mock/world.ts';

/** One look of one page. */
export interface PageState {
  readonly name: string;
  readonly path: string;
  /** Turns the world before the page opens. */
  readonly before?: (world: MockWorld) => void;
  /** Text that says the page is there. */
  readonly ready: string;
  /** Does something on the page. */
  readonly act?: (page: Page, world: MockWorld) => Promise<void>;
}

const bot = (name: keyof typeof BOTS, rest: string): string => `/b/${BOTS[name]}/${rest}`;

function makeSample(world: MockWorld): void {
  const made = { ...makeBot(SAMPLE_BOT, 'Sample bot', world.startMs), sample: true };
  world.bots = [...world.bots, made];
  world.setPlan(SAMPLE_BOT, { shards: 32, perCluster: 8, offline: [11, 21], unresponsive: [26] });
}

/** Every page in every state that looks different. */
export const STATES: readonly PageState[] = [
  { name: 'login', path: '/login', ready: 'Log in to Bot Analytics' },
  {
    name: 'login refused',
    path: '/login#token=used-up-token',
    before: (world) => {
      world.loggedIn = false;
    },
    ready: 'used up or wrong',
  },
  { name: 'bots', path: '/', ready: 'Moderation Station' },
  {
    name: 'no bots',
    path: '/',
    before: (world) => {
      world.bots = [];
    },
    ready: 'No bot yet',
  },
  {
    name: 'bots failed',
    path: '/?all=1',
    before: (world) => world.failing.add('botList'),
    ready: 'This could not be loaded',
  },
  { name: 'new bot', path: '/new', ready: 'Name the bot' },
  { name: 'connect', path: bot('empty', 'connect'), ready: 'Waiting for the first batch' },
  { name: 'connected', path: bot('one', 'connect'), ready: 'Key accepted' },
  { name: 'status of one', path: bot('one', 'status'), ready: 'Event-loop delay' },
  { name: 'status of one, offline', path: bot('down', 'status'), ready: 'Not being measured' },
  { name: 'status of 64', path: bot('clusters', 'status'), ready: 'Cluster 3' },
  { name: 'status of 2,000', path: bot('large', 'status'), ready: '1,987 of 2,000' },
  { name: 'status empty', path: bot('empty', 'status'), ready: 'Waiting for the first heartbeat' },
  {
    name: 'status loading',
    path: bot('one', 'status'),
    before: (world) => world.hanging.add('statusStream'),
    ready: 'Loading the status',
  },
  {
    name: 'status unreachable',
    path: bot('one', 'status'),
    before: (world) => {
      world.streamStatus = 500;
    },
    ready: 'The server cannot be reached',
  },
  {
    name: 'stream lost',
    path: bot('clusters', 'status'),
    ready: 'Cluster 3',
    act: async (page, world) => {
      world.streamStatus = 500;
      world.dropStreams();
      await page.getByText('Connection lost').waitFor();
    },
  },
  {
    name: 'tiles by ping',
    path: bot('clusters', 'status?density=tiles&fill=ping'),
    ready: 'from 500',
  },
  { name: 'tiles in ranges', path: bot('flat', 'status?density=tiles'), ready: 'Shards 64–95' },
  { name: 'table', path: bot('clusters', 'status?density=table'), ready: 'Last heartbeat' },
  { name: 'offline only', path: bot('clusters', 'status?show=offline'), ready: 'Shard 18' },
  { name: 'nothing matches', path: bot('one', 'status?show=offline'), ready: 'Parrot is online' },
  { name: 'shard', path: bot('clusters', 'status/3'), ready: 'Event-loop delay' },
  { name: 'shard offline', path: bot('clusters', 'status/18'), ready: 'Not being measured' },
  { name: 'shard not responding', path: bot('clusters', 'status/35'), ready: 'Not responding to' },
  { name: 'shard as table', path: bot('clusters', 'status/3?view=table'), ready: 'Show as charts' },
  {
    name: 'shard failed',
    path: bot('clusters', 'status/3'),
    before: (world) => world.failing.add('shardHistory'),
    ready: 'This could not be loaded',
  },
  { name: 'activity', path: bot('clusters', 'activity'), ready: 'button ticket-{id}' },
  { name: 'activity, errors', path: bot('one', 'activity?show=errors'), ready: 'error in /purge' },
  { name: 'activity empty', path: bot('empty', 'activity'), ready: 'No events yet' },
  {
    name: 'activity, none of the group',
    path: bot('empty', 'activity?show=guilds'),
    ready: 'Nothing in “Guilds”',
  },
  {
    name: 'activity loading',
    path: bot('one', 'activity'),
    before: (world) => world.hanging.add('events'),
    ready: 'Loading the events',
  },
  {
    name: 'activity failed',
    path: bot('one', 'activity'),
    before: (world) => world.failing.add('events'),
    ready: 'This could not be loaded',
  },
  {
    name: 'activity paused',
    path: bot('one', 'activity'),
    ready: 'button ticket-{id}',
    act: (page) => page.getByRole('button', { name: 'Pause' }).click(),
  },
  { name: 'API usage', path: bot('clusters', 'api'), ready: 'By process' },
  {
    name: 'API usage of a process',
    path: bot('clusters', 'api?process=16&by=rest403'),
    ready: 'By process',
  },
  { name: 'API usage as table', path: bot('clusters', 'api?view=table'), ready: 'Show as charts' },
  {
    name: 'API usage loading',
    path: bot('clusters', 'api'),
    before: (world) => world.hanging.add('apiUsage'),
    ready: 'Loading the API usage',
  },
  {
    name: 'sample bot',
    path: `/b/${SAMPLE_BOT}/status`,
    before: makeSample,
    ready: 'Sample data',
  },
  {
    name: 'settings of the sample bot',
    path: `/b/${SAMPLE_BOT}/settings`,
    before: makeSample,
    ready: 'takes no keys',
  },
  {
    name: 'bots loading',
    path: '/?all=1',
    before: (world) => world.hanging.add('botList'),
    ready: 'Loading the bots',
  },
  {
    name: 'shard loading',
    path: bot('clusters', 'status/3'),
    before: (world) => world.hanging.add('shardHistory'),
    ready: 'Loading the charts',
  },
  {
    name: 'settings loading',
    path: bot('clusters', 'settings'),
    before: (world) => {
      for (const name of ['keyList', 'shareList', 'health'] as const) world.hanging.add(name);
    },
    ready: 'Loading the keys',
  },
  {
    name: 'public loading',
    path: '/p/full-token',
    before: (world) => world.hanging.add('publicInfo'),
    ready: 'Loading the page',
  },
  { name: 'settings', path: bot('clusters', 'settings'), ready: 'Refused requests' },
  {
    name: 'rotate dialog',
    path: bot('clusters', 'settings'),
    ready: 'Refused requests',
    act: (page) => page.getByRole('button', { name: 'Rotate the ingest key' }).click(),
  },
  {
    name: 'palette',
    path: '/?all=1',
    ready: 'Parrot',
    act: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Bot or page' }).waitFor();
    },
  },
  { name: 'not found', path: '/nowhere', ready: 'There is no such page' },
  { name: 'no such bot', path: '/b/nobody/status', ready: 'There is no such page' },
  { name: 'public status', path: '/p/full-token', ready: 'Cluster 3' },
  { name: 'public tiles, no history', path: '/p/status-only?density=tiles', ready: 'Cluster 3' },
  { name: 'public shard', path: '/p/full-token/3', ready: 'Event-loop delay' },
  { name: 'public API usage', path: '/p/full-token/api', ready: 'By process' },
  { name: 'public, revoked', path: '/p/gone', ready: 'This link shows nothing' },
];
