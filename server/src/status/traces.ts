import { traceHeartbeat, type GatewayTrace } from './gateway.ts';
import type { Heartbeat, ShardPresence } from './presence.ts';

/** One reading of a shard, from a heartbeat as it arrives or as it was stored. */
export type Reading = Pick<ShardPresence, 'shardId' | 'arrivedAtMs'> & {
  readonly heartbeat: Pick<Heartbeat, 'instanceId' | 'wsPingMs' | 'shardStatus'>;
};

/** The traces of all shards of all bots; about 150 bytes a shard. */
export class GatewayTraces {
  readonly #bots = new Map<string, Map<number, GatewayTrace>>();

  /** Takes a reading in; one that arrived before the last, or is the last again, changes nothing. */
  add(botId: string, { shardId, arrivedAtMs, heartbeat }: Reading): void {
    let shards = this.#bots.get(botId);
    if (shards === undefined) this.#bots.set(botId, (shards = new Map()));
    const known = shards.get(shardId);
    if (known !== undefined && known.arrivedAtMs >= arrivedAtMs) return;
    shards.set(shardId, traceHeartbeat(known, heartbeat, arrivedAtMs));
  }

  of(botId: string): ReadonlyMap<number, GatewayTrace> {
    return this.#bots.get(botId) ?? new Map<number, GatewayTrace>();
  }
}
