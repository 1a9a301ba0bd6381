import type { Env } from '../env.ts';
import type { IdentifyRefusal } from '../gateway/faults.ts';
import type { Gateway, GatewaySettings, SessionView } from '../gateway/gateway.ts';
import { OP } from '../gateway/protocol.ts';
import type { Ledger } from '../ledger.ts';

/** Which shards; left out = all that are connected. */
export interface ShardInput {
  readonly shardId?: number;
}

/** Gateway faults and facts. Every method acts on all connected shards unless told otherwise. */
export class GatewayControl {
  readonly #gateway: Gateway;
  readonly #ledger: Ledger;
  readonly #settings: GatewaySettings;
  readonly #env: Env;

  constructor(gateway: Gateway, ledger: Ledger, settings: GatewaySettings, env: Env) {
    this.#gateway = gateway;
    this.#ledger = ledger;
    this.#settings = settings;
    this.#env = env;
  }

  /** Sessions that are connected or wait for a resume. */
  sessions(): SessionView[] {
    return this.#gateway.sessions();
  }

  /** Resolves when `count` shards are connected; rejects after `timeoutMs` (default 20 000). */
  untilConnected(count: number, timeoutMs = 20_000): Promise<void> {
    const enough = (): boolean => {
      const live = this.sessions().filter(({ connected }) => connected);
      return new Set(live.map(({ shardId }) => shardId)).size >= count;
    };
    if (enough()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const cancel = this.#env.after(timeoutMs, () => {
        stop();
        reject(new Error(`Fewer than ${count} shards were connected after ${timeoutMs} ms.`));
      });
      const stop = this.#gateway.listen(() => {
        if (!enough()) return;
        cancel();
        stop();
        resolve();
      });
    });
  }

  /** Closes with this code, for example 4000 (resumable) or 4004. Returns how many were hit. */
  close(input: ShardInput & { readonly code: number; readonly reason?: string }): number {
    const hit = this.#gateway.connections(input.shardId);
    for (const connection of hit) connection.close(input.code, input.reason);
    return hit.length;
  }

  /** Cuts the TCP connection without a close frame. */
  kill(input: ShardInput = {}): number {
    const hit = this.#gateway.connections(input.shardId);
    for (const connection of hit) connection.kill();
    return hit.length;
  }

  /** Op 7: the client is asked to reconnect and resume. */
  reconnect(input: ShardInput = {}): number {
    const hit = this.#gateway.connections(input.shardId);
    for (const connection of hit) {
      const { session } = connection;
      if (session !== undefined) this.#ledger.shard(session.facts.shardId).reconnectsAsked += 1;
      connection.command(OP.reconnect, null);
    }
    return hit.length;
  }

  /** Op 9: the session is invalid, and resumable or not. */
  invalidSession(input: ShardInput & { readonly resumable: boolean }): number {
    const hit = this.#gateway.connections(input.shardId);
    for (const connection of hit) this.#gateway.invalidate(connection, input.resumable);
    return hit.length;
  }

  /** Heartbeats stay unanswered until this is called with `false`. */
  withholdAcks(input: ShardInput & { readonly withheld: boolean }): void {
    this.#gateway.faults.withholdAcks(input.shardId, input.withheld);
  }

  /** The next identifies are closed with a code, or answered with op 9. */
  refuseIdentify(input: ShardInput & { with: IdentifyRefusal; readonly times?: number }): void {
    this.#gateway.faults.refuseIdentify(input.shardId, input.with, input.times ?? 1);
  }

  /** The next resumes are answered with op 9, not resumable. */
  refuseResume(input: ShardInput & { readonly times?: number } = {}): void {
    this.#gateway.faults.refuseResume(input.shardId, input.times ?? 1);
  }

  /** Intents that later identifies may ask for; others are closed with 4014. */
  setAllowedIntents(intents: number): void {
    this.#settings.allowedIntents = intents;
  }

  /** Forgets waiting refusals and gives heartbeats their acks back. */
  clearFaults(): void {
    this.#gateway.faults.clear();
  }
}
