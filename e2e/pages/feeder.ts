import { randomUUID } from 'node:crypto';
import {
  INGEST_PATH,
  LIMITS,
  type AnyWireEvent,
  type Batch,
  type EventData,
  type EventType,
  type WireEvent,
} from '@bot-analytics/protocol';
import type { BotKeys } from '../stage.ts';
import type { Stage } from './stage.ts';

/** A bot that is too large to run here: its heartbeats, as its processes would send them. */
export interface FleetPlan {
  readonly shards: number;
  /** Shards of a process, which is a cluster; 0: one process without a cluster id. */
  readonly perCluster: number;
}

/** The figure of `low` to `high` that `seed` stands for; even, and the same each time. */
export function figure(seed: number, low: number, high: number): number {
  const mixed = Math.imul(seed ^ 0x9e37_79b9, 0x85eb_ca6b) >>> 0;
  return low + ((mixed >>> 8) / 0x100_0000) * (high - low);
}

/** A UUID of version 7. RFC 9562, 5.7. */
function uuidOf(atMs: number): string {
  const time = Math.floor(atMs).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

const INSTANCE = '01990000-0000-7000-8000-';

/** Sends events of one bot through the ingestion call. */
export class Feeder {
  readonly #stage: Stage;
  readonly #bot: BotKeys;
  readonly #plan: FleetPlan;
  #round = 0;

  constructor(stage: Stage, bot: BotKeys, plan: FleetPlan) {
    this.#stage = stage;
    this.#bot = bot;
    this.#plan = plan;
  }

  /** An event of this moment, or of `atMs`. */
  event<T extends EventType>(type: T, data: EventData[T], atMs = this.nowMs()): WireEvent<T> {
    return { id: uuidOf(atMs), type, ts: new Date(atMs).toISOString(), data };
  }

  /** By the clock of the server. */
  nowMs(): number {
    return Date.now() + this.#stage.aheadMs;
  }

  heartbeat(
    shardId: number,
    change: Partial<EventData['heartbeat']> = {},
    atMs = this.nowMs(),
  ): WireEvent<'heartbeat'> {
    const { shards, perCluster } = this.#plan;
    const cluster = perCluster === 0 ? 0 : Math.floor(shardId / perCluster);
    const primary = perCluster === 0 ? shardId === 0 : shardId % perCluster === 0;
    const seed = shardId * 31 + this.#round;
    const data: EventData['heartbeat'] = {
      shardId,
      shardCount: shards,
      clusterId: perCluster === 0 ? null : String(cluster),
      shardStatus: 'ready',
      wsPingMs: Math.round(figure(seed, 38, 160) * 10) / 10,
      guildCount: Math.round(figure(shardId, 850, 1_150)),
      voiceConnections: Math.round(figure(seed + 7, 0, 24)),
      memoryMb: primary ? Math.round(figure(cluster + 99, 380, 1_200)) : 0,
      cpuPercent: primary ? Math.round(figure(seed + 3, 2, 62) * 10) / 10 : 0,
      eventLoopDelayP95Ms: primary ? Math.round(figure(seed + 5, 1, 9) * 10) / 10 : null,
      intervalMs: 60_000,
      restRequests: primary ? Math.round(figure(seed + 11, 200, 900)) : 0,
      restRateLimitedGlobal: 0,
      restRateLimitedBucket: primary && seed % 5 === 0 ? 2 : 0,
      rest400: primary && seed % 7 === 0 ? 1 : 0,
      rest401: 0,
      rest403: primary && seed % 11 === 0 ? 1 : 0,
      instanceId: INSTANCE + cluster.toString(16).padStart(12, '0'),
      primary,
      uptimeMs: 86_400_000,
      library: 'discord.js',
      libraryVersion: '14.28.1',
      runtime: 'node',
      runtimeVersion: 'v20.20.2',
      sdkQueueSize: 0,
      sdkDropped: 0,
      ...change,
    };
    return this.event('heartbeat', data, atMs);
  }

  /** One heartbeat of every shard that `alive` names. */
  async beat(alive: (shardId: number) => boolean = () => true): Promise<void> {
    this.#round += 1;
    const ids = Array.from({ length: this.#plan.shards }, (_, id) => id).filter(alive);
    await this.send(ids.map((id) => this.heartbeat(id)));
  }

  /** In batches of the allowed size, one after the other, as the SDK does. */
  async send(events: readonly AnyWireEvent[]): Promise<void> {
    for (let first = 0; first < events.length; first += LIMITS.batchEventsMax) {
      const batch: Batch = {
        batchId: uuidOf(this.nowMs()),
        sdk: { name: '@vendor/chat.js', version: '0.5.0' },
        sentAt: new Date(this.nowMs()).toISOString(),
        events: events.slice(first, first + LIMITS.batchEventsMax),
      };
      const response = await fetch(this.#stage.url + INGEST_PATH, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${this.#bot.apiKey}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(batch),
      });
      const answer = (await response.json()) as { rejectedCount?: number };
      if (response.status !== 200 || answer.rejectedCount !== 0) {
        throw new Error(`The batch was refused: ${response.status} ${JSON.stringify(answer)}`);
      }
    }
  }
}

const HOUR_MS = 3_600_000;

/** Which of the hours back from now were not measured. */
export type Gap = (hoursBack: number) => boolean;

/**
 * Hours of the past: three heartbeats an hour and shard, figures that follow the time of day, and the
 * loss and return of the connection around each gap.
 */
export function pastOf(
  feeder: Feeder,
  plan: FleetPlan,
  past: { readonly hours: number; readonly gap: Gap },
): AnyWireEvent[] {
  const events: AnyWireEvent[] = [];
  const nowMs = feeder.nowMs();
  for (let back = past.hours; back >= 1; back -= 1) {
    const startMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS - back * HOUR_MS;
    const day = 1 + 0.35 * Math.sin(((startMs / HOUR_MS) % 24) * (Math.PI / 12));
    for (let shardId = 0; shardId < plan.shards; shardId += 1) {
      if (past.gap(back)) {
        if (!past.gap(back + 1)) events.push(lossOf(feeder, { shardId, atMs: startMs, plan }));
        continue;
      }
      if (past.gap(back + 1)) events.push(returnOf(feeder, { shardId, atMs: startMs, plan }));
      for (const minute of [5, 25, 45]) {
        const atMs = startMs + minute * 60_000;
        const seed = back * 64 + shardId * 7 + minute;
        const primary = shardId === 0;
        const change = {
          wsPingMs: Math.round(figure(seed, 50, 90) * day),
          memoryMb: primary ? Math.round(figure(seed + 1, 520, 560) * day) : 0,
          cpuPercent: primary ? Math.round(figure(seed + 2, 8, 24) * day) : 0,
          eventLoopDelayP95Ms: primary ? Math.round(figure(seed + 3, 2, 7) * day * 10) / 10 : null,
        };
        events.push(feeder.heartbeat(shardId, change, atMs));
      }
    }
  }
  return events;
}

interface Place {
  readonly shardId: number;
  readonly atMs: number;
  readonly plan: FleetPlan;
}

function lossOf(feeder: Feeder, { shardId, atMs, plan }: Place): AnyWireEvent {
  const data = { shardId, shardCount: plan.shards, code: 1006, willReconnect: true };
  return feeder.event('shard_disconnect', data, atMs);
}

function returnOf(feeder: Feeder, { shardId, atMs, plan }: Place): AnyWireEvent {
  const data = { shardId, shardCount: plan.shards, guildCount: 1_000, unavailableGuilds: 0 };
  return feeder.event('shard_ready', { ...data, startupMs: 4_100 }, atMs);
}
