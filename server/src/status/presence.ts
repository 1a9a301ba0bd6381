import type { EventData } from '@bot-analytics/protocol';

/** A heartbeat's figures; a field that the SDK left out or spoilt is missing. */
export type Heartbeat = Partial<EventData['heartbeat']>;

/** What is known of one shard: its newest heartbeat, by arrival. */
export interface ShardPresence {
  readonly shardId: number;
  readonly clusterId: string | null;
  /** Arrival of the newest heartbeat on the server's clock, Unix ms. Presence never uses client clocks. */
  readonly arrivedAtMs: number;
  readonly heartbeat: Heartbeat;
}

type Observer = (botId: string, shard: ShardPresence) => void;

/**
 * Newest heartbeat of every shard of every bot, in memory. The ingest path feeds it before the
 * heartbeat is stored, so that presence works while the disk is full or the store restarts; at start
 * it is filled from the store.
 */
export class Presence {
  readonly #shards = new Map<string, Map<number, ShardPresence>>();
  readonly #observers: Observer[] = [];

  /** Takes a heartbeat in; one that arrived before the known one changes nothing. */
  beat(botId: string, shard: ShardPresence): void {
    let shards = this.#shards.get(botId);
    if (shards === undefined) this.#shards.set(botId, (shards = new Map()));
    const known = shards.get(shard.shardId);
    if (known !== undefined && known.arrivedAtMs > shard.arrivedAtMs) return;
    shards.set(shard.shardId, shard);
    for (const observer of this.#observers) observer(botId, shard);
  }

  /** Shards of a bot that ever sent a heartbeat, by shard id. */
  shards(botId: string): readonly ShardPresence[] {
    const shards = [...(this.#shards.get(botId)?.values() ?? [])];
    return shards.sort((a, b) => a.shardId - b.shardId);
  }

  /** Forgets a bot that was removed. */
  forget(botId: string): void {
    this.#shards.delete(botId);
  }

  /** Calls `observer` for every later heartbeat. It must not throw. */
  observe(observer: Observer): void {
    this.#observers.push(observer);
  }
}
