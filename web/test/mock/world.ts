import type { ServerResponse } from 'node:http';
import type {
  Bot,
  Key,
  Share,
  ShardStatus,
  Status,
  StoredEvent,
} from '@bot-analytics/protocol/read-api';
import type { CallName } from '../../src/api/routes.ts';
import { makeBot, makeStatus } from './fleet.ts';
import type { FleetPlan } from './fleet.ts';

/** Ids of the scripted bots. */
export const BOTS = {
  one: '00000000-0000-4000-8000-000000000001',
  down: '00000000-0000-4000-8000-000000000002',
  clusters: '00000000-0000-4000-8000-000000000003',
  large: '00000000-0000-4000-8000-000000000004',
  empty: '00000000-0000-4000-8000-000000000005',
  flat: '00000000-0000-4000-8000-000000000006',
} as const;

/** Id of the bot with made-up data, once it is made. */
export const SAMPLE_BOT = '00000000-0000-4000-8000-00000000000a';

const LARGE_OFFLINE = [113, 118, 400, 401, 402, 403, 404, 405, 406, 407, 408, 1990, 1991];

const PLANS: Readonly<Record<keyof typeof BOTS, FleetPlan>> = {
  one: { shards: 1, perCluster: 0, offline: [] },
  down: { shards: 1, perCluster: 0, offline: [0] },
  clusters: { shards: 64, perCluster: 16, offline: [18, 21], unresponsive: [35] },
  large: { shards: 2_000, perCluster: 16, offline: LARGE_OFFLINE },
  empty: { shards: 0, perCluster: 0, offline: [] },
  flat: { shards: 96, perCluster: 0, offline: [40], shardCount: 100 },
};

const NAMES: Readonly<Record<keyof typeof BOTS, string>> = {
  one: 'Parrot',
  down: 'Night Owl',
  clusters: 'Moderation Station',
  large: 'Thousand Guilds',
  empty: 'Brand New',
  flat: 'Flatland',
};

/** What the stand-in server knows, and the handles that a test turns. */
export class MockWorld {
  readonly startMs = Date.now();
  loggedIn = true;
  bots: Bot[];
  readonly statuses = new Map<string, Status>();
  keys: Key[];
  shares: Share[] = [];
  /** Scripted events of a bot. */
  storedEvents = 60;
  /** Events that came after the scripted ones, newest first. */
  arrived: StoredEvent[] = [];
  /** Routes that answer 500. */
  readonly failing = new Set<CallName>();
  /** Routes that never answer. */
  readonly hanging = new Set<CallName>();
  /** Status of an answer to a new stream; 200: it opens. */
  streamStatus = 200;
  /** New streams send nothing until a test does. */
  silentStreams = false;
  /** A bot that was created on the page and has sent something. */
  readonly connected = new Set<string>(Object.values(BOTS).filter((id) => id !== BOTS.empty));
  readonly streams = new Map<ServerResponse, string>();
  /** The process that API usage was asked for last. */
  processAsked: string | null = null;
  /** Every call, `GET /v1/…`. */
  readonly calls: string[] = [];

  constructor() {
    const names = Object.keys(BOTS) as (keyof typeof BOTS)[];
    this.bots = names.map((name) => makeBot(BOTS[name], NAMES[name], this.startMs));
    for (const name of names) this.statuses.set(BOTS[name], makeStatus(PLANS[name], this.startMs));
    const at = new Date(this.startMs - 86_400_000).toISOString();
    const key = { createdAt: at, expiresAt: null, revokedAt: null };
    this.keys = [
      {
        ...key,
        keyId: 'a1b2c3d4',
        scope: 'ingest',
        lastUsedAt: at,
        lastSdk: '@vendor/chat.js 0.5.0',
      },
      { ...key, keyId: 'e5f6a7b8', scope: 'read', lastUsedAt: null, lastSdk: null },
    ];
  }

  statusOf(botId: string): Status {
    const status = this.statuses.get(botId) ?? makeStatus(PLANS.empty, Date.now());
    return { ...status, generatedAt: new Date().toISOString() };
  }

  setPlan(botId: string, plan: FleetPlan): void {
    this.statuses.set(botId, makeStatus(plan, Date.now()));
  }

  /** Sends an event to the open streams of a bot. */
  emit(botId: string, event: string, data: unknown): void {
    for (const [res, id] of this.streams) {
      if (id === botId) res.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    }
  }

  /** Changes shards and tells the streams. */
  change(botId: string, patches: ReadonlyMap<number, Partial<ShardStatus>>): void {
    const before = this.statusOf(botId);
    const changed: (ShardStatus & { clusterId: string | null })[] = [];
    const clusters = before.clusters.map((cluster) => {
      const shards = cluster.shards.map((shard) => {
        const patch = patches.get(shard.shardId);
        if (patch === undefined) return shard;
        const next = { ...shard, ...patch };
        changed.push({ ...next, clusterId: cluster.clusterId });
        return next;
      });
      return { ...cluster, shards, online: shards.filter((one) => one.state === 'online').length };
    });
    const online = clusters.reduce((sum, cluster) => sum + cluster.online, 0);
    this.statuses.set(botId, { ...before, clusters, online });
    const { generatedAt, total } = before;
    this.emit(botId, 'delta', { generatedAt, online, total, shards: changed });
  }

  /** Ends every stream, as a server that goes away. */
  dropStreams(): void {
    for (const res of this.streams.keys()) res.destroy();
    this.streams.clear();
  }
}
