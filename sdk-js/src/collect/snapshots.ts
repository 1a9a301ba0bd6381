import { LIMITS } from '@bot-analytics/protocol';
import type { EventData } from '../api/events.ts';
import type { EventInput } from '../event/encode.ts';
import type { Env } from '../core/env.ts';
import type { ClientView, ShardView } from './adapter.ts';
import type { HostProcess, ProcessFigures } from './process-figures.ts';
import { NO_REST, type RestCounters } from './rest-counters.ts';

/** What snapshots are made of. */
export interface SnapshotSources {
  readonly env: Env;
  readonly emit: (event: EventInput) => void;
  readonly client: ClientView;
  readonly rest: RestCounters;
  readonly figures: ProcessFigures;
  readonly host: HostProcess;
  /** UUID of the process. */
  readonly instanceId: string;
  /** Option of the bot; the sharding library's value is used when null. */
  readonly clusterId: string | null;
  readonly health: () => { readonly queued: number; readonly dropped: number };
  readonly intervalMs: number;
  /** guild_snapshot and api_routes_snapshot too. */
  readonly all: boolean;
}

/** Guild snapshots of one interval leave in this many portions. design.md 7. */
const PORTIONS = 60;

/** Heartbeats per shard, guild snapshots spread over the interval, route counts every 5 minutes. */
export class Snapshots {
  readonly #from: SnapshotSources;
  /** Monotonic time of the last heartbeat of each shard. */
  readonly #lastBeatMs = new Map<number, number>();
  readonly #cancels = new Set<() => void>();
  #guildIds: readonly string[] = [];
  #portion = 0;
  #started = false;

  constructor(sources: SnapshotSources) {
    this.#from = sources;
  }

  /** A shard is ready: its first heartbeat leaves at once, not after an interval. transport.md C22. */
  shardReady(shardId: number): void {
    if (!this.#started) this.#start();
    const shards = this.#from.client.shards();
    const shard = shards.find(({ id }) => id === shardId);
    if (shard !== undefined && !this.#lastBeatMs.has(shardId)) this.#beat(shard, primaryId(shards));
  }

  stop(): void {
    for (const cancel of this.#cancels) cancel();
    this.#cancels.clear();
  }

  #start(): void {
    this.#started = true;
    this.#every(this.#from.intervalMs, () => this.#beatAll());
    if (!this.#from.all) return;
    this.#every(this.#from.intervalMs / PORTIONS, () => this.#guildPortion());
    this.#every(LIMITS.apiRoutesIntervalMs, () => this.#routes());
  }

  #every(ms: number, run: () => void): void {
    const { env } = this.#from;
    const arm = (): void => {
      const cancel = env.after(ms, () => {
        this.#cancels.delete(cancel);
        arm();
        run();
      });
      this.#cancels.add(cancel);
    };
    arm();
  }

  #beatAll(): void {
    const shards = this.#from.client.shards();
    const primary = primaryId(shards);
    for (const shard of shards) this.#beat(shard, primary);
  }

  #beat(shard: ShardView, primary: number): void {
    const { env, emit } = this.#from;
    const nowMs = env.monotonic();
    const lastMs = this.#lastBeatMs.get(shard.id);
    this.#lastBeatMs.set(shard.id, nowMs);
    const intervalMs = lastMs === undefined ? 0 : Math.round(nowMs - lastMs);
    const data = this.#heartbeat(shard, intervalMs, shard.id === primary);
    emit({ type: 'heartbeat', tsMs: env.now(), data });
  }

  #heartbeat(shard: ShardView, intervalMs: number, primary: boolean): EventData['heartbeat'] {
    const { client, figures, rest, host, health, instanceId, clusterId } = this.#from;
    const { queued, dropped } = health();
    return {
      shardId: shard.id,
      shardCount: client.shardCount(),
      clusterId: clusterId ?? client.clusterId,
      shardStatus: shard.status,
      wsPingMs: shard.pingMs,
      guildCount: shard.guildCount,
      voiceConnections: shard.voiceConnections,
      // Of several shards in one process only one carries its figures, or they would be summed.
      ...(primary ? figures.take() : { memoryMb: 0, cpuPercent: 0, eventLoopDelayP95Ms: null }),
      intervalMs,
      ...(primary ? rest.takeCounts() : NO_REST),
      instanceId,
      primary,
      uptimeMs: host.uptimeMs(),
      library: client.library,
      libraryVersion: client.libraryVersion,
      runtime: host.runtime,
      runtimeVersion: host.runtimeVersion,
      sdkQueueSize: queued,
      sdkDropped: dropped,
    };
  }

  /** The next portion of guilds; a round of all portions takes one interval. */
  #guildPortion(): void {
    if (this.#portion === 0) this.#guildIds = this.#from.client.guildIds();
    const from = portionStart(this.#portion, this.#guildIds.length);
    this.#portion = (this.#portion + 1) % PORTIONS;
    const to = this.#portion === 0 ? undefined : portionStart(this.#portion, this.#guildIds.length);
    for (const id of this.#guildIds.slice(from, to)) this.#guild(id);
  }

  #guild(id: string): void {
    const { client, emit, env } = this.#from;
    const guild = client.guild(id);
    if (guild === null) return;
    emit({ type: 'guild_snapshot', tsMs: env.now(), guildId: id, data: guild });
  }

  #routes(): void {
    const { client, emit, env, rest, instanceId } = this.#from;
    const routes = rest.takeRoutes();
    if (routes === null) return;
    const data = { ...routes, instanceId, shardId: primaryId(client.shards()) };
    emit({ type: 'api_routes_snapshot', tsMs: env.now(), data });
  }
}

/** Index of the first guild of a portion; the first guild is in portion 0 however few there are. */
function portionStart(portion: number, guilds: number): number {
  return Math.ceil((portion * guilds) / PORTIONS);
}

/** The lowest shard of the process, which carries its figures. */
function primaryId(shards: readonly ShardView[]): number {
  return shards.reduce((lowest, { id }) => Math.min(lowest, id), shards[0]?.id ?? 0);
}
