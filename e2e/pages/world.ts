import { startChatSim, type ChatSim } from '@bot-analytics/chat-sim';
import type { EventData } from '@bot-analytics/protocol';
import type { ShardHistory } from '@bot-analytics/protocol/read-api';
import type { BotKeys } from '../stage.ts';
import type { Child } from './child.ts';
import { Feeder, pastOf, type FleetPlan } from './feeder.ts';
import { answerOf, type Stage } from './stage.ts';

const MINUTE_MS = 60_000;

/** How far the clock of the server is behind before the world is made. */
export const WORLD_STARTS_MS = -50 * MINUTE_MS;

/** A bot of one shard that went away 50 minutes ago. */
export interface Owl {
  readonly keys: BotKeys;
}

/** A bot of four shards with a past of 30 hours, of which 3 are missing, and with REST traffic. */
export interface Harbour {
  readonly keys: BotKeys;
  readonly feeder: Feeder;
}

/** A bot of 2,000 shards in 125 clusters. */
export interface Thousand {
  readonly keys: BotKeys;
  readonly feeder: Feeder;
  /** Sends a heartbeat of every shard but those that are gone. */
  refresh(): Promise<void>;
}

/** A discord.js bot of 64 shards in four processes, on a platform with 64 guilds. */
export interface Station {
  readonly keys: BotKeys;
  readonly sim: ChatSim;
  readonly processes: readonly Child[];
}

/** A discord.js bot of one shard that people use. */
export interface Parrot {
  readonly keys: BotKeys;
  readonly sim: ChatSim;
}

/** Not part of the world: its people never rest. */
export async function makeParrot(stage: Stage): Promise<Parrot> {
  const keys = await stage.api.createBot('Parrot');
  const sim = await startChatSim({ seed: 7, guilds: 12, shards: 1 });
  stage.discordJs(keys, sim.restUrl);
  await sim.gateway.untilConnected(1);
  sim.activity.start(6);
  return { keys, sim };
}

/** Everything that the pages are looked at with. */
export interface World {
  readonly owl: Owl;
  readonly harbour: Harbour;
  readonly thousand: Thousand;
  readonly station: Station;
  readonly empty: BotKeys;
  close(): Promise<void>;
}

/** Shards of the large bot that have gone: one here, a dozen there. */
export const THOUSAND_GONE: ReadonlySet<number> = new Set([
  113, 118, 400, 401, 402, 403, 404, 405, 406, 407, 408, 1990, 1991,
]);

const ONE: FleetPlan = { shards: 1, perCluster: 0 };
const FOUR: FleetPlan = { shards: 4, perCluster: 0 };
const LARGE: FleetPlan = { shards: 2_000, perCluster: 16 };
/** Hours of the past that were not measured, counted back from now. */
export const GAP_HOURS = { from: 10, to: 12 } as const;
const gap = (back: number): boolean => back >= GAP_HOURS.from && back <= GAP_HOURS.to;

const ROUTES: EventData['api_routes_snapshot']['routes'] = [
  { method: 'POST', route: '/channels/{id}/messages', count: 4_120 },
  { method: 'POST', route: '/interactions/{id}/{token}/callback', count: 2_044 },
  { method: 'PATCH', route: '/webhooks/{id}/{token}/messages/@original', count: 960 },
  { method: 'GET', route: '/guilds/{id}/members/{id}', count: 612 },
  { method: 'PUT', route: '/guilds/{id}/members/{id}/roles/{id}', count: 233 },
  { method: 'DELETE', route: '/channels/{id}/messages/{id}', count: 75 },
];

async function makeOwl(stage: Stage, hours: number): Promise<Owl> {
  const keys = await stage.api.createBot('Night Owl');
  const feeder = new Feeder(stage, keys, ONE);
  await feeder.send(pastOf(feeder, ONE, { hours, gap }));
  await feeder.beat();
  return { keys };
}

async function makeHarbour(stage: Stage, hours: number): Promise<Harbour> {
  const keys = await stage.api.createBot('Harbour Master');
  const feeder = new Feeder(stage, keys, FOUR);
  await feeder.send(pastOf(feeder, FOUR, { hours, gap }));
  for (const back of [8, 4, 0]) {
    const routes = ROUTES.map((route, index) => ({
      ...route,
      count: Math.round(route.count / (1 + (back * (index + 1)) / 20)),
    }));
    const snapshot = {
      windowMs: 300_000,
      total: 9_000,
      distinctRoutes: 31,
      routes,
      instanceId: '01990000-0000-7000-8000-000000000000',
      shardId: 0,
    };
    const atMs = feeder.nowMs() - back * 60 * MINUTE_MS;
    await feeder.send([feeder.event('api_routes_snapshot', snapshot, atMs)]);
  }
  return { keys, feeder };
}

async function makeThousand(stage: Stage): Promise<Thousand> {
  const keys = await stage.api.createBot('Thousand Guilds');
  const feeder = new Feeder(stage, keys, LARGE);
  await feeder.beat();
  return { keys, feeder, refresh: () => feeder.beat((shardId) => !THOUSAND_GONE.has(shardId)) };
}

/** Four processes of 16 shards, as a sharding manager starts them. */
async function makeStation(stage: Stage): Promise<Station> {
  const keys = await stage.api.createBot('Moderation Station');
  const sim = await startChatSim({ seed: 3, guilds: 64, shards: 64 });
  const processes = [0, 1, 2, 3].map((cluster) =>
    stage.discordJs(keys, sim.restUrl, {
      FIRST_SHARD: String(cluster * 16),
      LAST_SHARD: String(cluster * 16 + 15),
      SHARD_COUNT: '64',
      CLUSTER_ID: String(cluster),
    }),
  );
  return { keys, sim, processes };
}

/**
 * Makes the world and turns the clock to now. The stage must have been opened `WORLD_STARTS_MS` behind.
 * The shards of the discord.js bot log in meanwhile: wait for `station.sim.gateway.untilConnected(64)`.
 */
export async function makeWorld(stage: Stage, hours = 30): Promise<World> {
  const owl = await makeOwl(stage, hours);
  await stage.setAhead(-130_000);
  const thousand = await makeThousand(stage);
  await stage.setAhead(0);
  const harbour = await makeHarbour(stage, hours);
  await harbour.feeder.beat();
  await thousand.refresh();
  const empty = await stage.api.createBot('Brand New');
  const station = await makeStation(stage);
  await stage.chores();
  for (const { keys } of [owl, harbour]) {
    await answerOf<ShardHistory>(stage, keys, 'shards/0/history', ({ hours: all }) => {
      const missing = all.filter(({ heartbeats }) => heartbeats === 0).length;
      return missing <= GAP_HOURS.to - GAP_HOURS.from + 4;
    });
  }
  return { owl, harbour, thousand, station, empty, close: () => station.sim.stop() };
}
