/** Counts by name. */
export type Counts = Record<string, number>;

/** The life of one shard as the platform saw it. */
export interface ShardLedger {
  /** WebSocket connections opened for this shard (counted when it identifies or resumes). */
  connects: number;
  /** Identify commands accepted, and READY sent. */
  identifies: number;
  /** Resume commands accepted, and RESUMED sent. */
  resumes: number;
  /** Resume commands answered with op 9. */
  resumesRefused: number;
  /** Op 9 sent on request. */
  invalidSessions: number;
  /** Op 7 sent on request. */
  reconnectsAsked: number;
  heartbeats: number;
  /**
   * Connections ended, by close code; `killed` = cut without a close frame by a fault. Those whose
   * identify or resume was refused count too: the client saw them close.
   */
  disconnects: Counts;
}

/** What happened since the start or the last reset. Plain JSON. */
export interface LedgerSnapshot {
  /** `METHOD /route` → status → HTTP attempts. `reset` = connection cut by a fault. */
  readonly rest: Readonly<Record<string, Counts>>;
  /** Shard id → dispatch name → dispatches written to a socket, each once. */
  readonly dispatches: Readonly<Record<string, Counts>>;
  /** Shard id → dispatch name → dispatches written once more by a resume. */
  readonly redelivered: Readonly<Record<string, Counts>>;
  /** Shard id → dispatch name → dispatches that waited for a resume that never came. */
  readonly undelivered: Readonly<Record<string, Counts>>;
  /** Dispatch name → times it reached no session: none connected, or intents missing. */
  readonly unheard: Counts;
  readonly shards: Readonly<Record<string, ShardLedger>>;
  readonly guilds: {
    readonly joins: number;
    readonly leaves: number;
    readonly outages: number;
    readonly recoveries: number;
  };
  /** REST faults served, by kind. */
  readonly faults: Counts;
  /** Interaction kind → outcome → count; `sent` is the total of the kind. */
  readonly interactions: Readonly<Record<string, Counts>>;
}

const GUILDS_NONE = { joins: 0, leaves: 0, outages: 0, recoveries: 0 };

/** Counts everything that passes; the other half of a test that compares what arrived. */
export class Ledger {
  #rest: Record<string, Counts> = {};
  #dispatches: Record<string, Counts> = {};
  #redelivered: Record<string, Counts> = {};
  #undelivered: Record<string, Counts> = {};
  #unheard: Counts = {};
  #shards: Record<string, ShardLedger> = {};
  #guilds = { ...GUILDS_NONE };
  #faults: Counts = {};
  #interactions: Record<string, Counts> = {};

  restAttempt(route: string, status: number | 'reset'): void {
    increment((this.#rest[route] ??= {}), String(status));
  }

  dispatch(how: 'dispatches' | 'redelivered' | 'undelivered', shardId: number, name: string): void {
    const byShard = {
      dispatches: this.#dispatches,
      redelivered: this.#redelivered,
      undelivered: this.#undelivered,
    }[how];
    increment((byShard[shardId] ??= {}), name);
  }

  unheard(name: string): void {
    increment(this.#unheard, name);
  }

  shard(shardId: number): ShardLedger {
    return (this.#shards[shardId] ??= {
      connects: 0,
      identifies: 0,
      resumes: 0,
      resumesRefused: 0,
      invalidSessions: 0,
      reconnectsAsked: 0,
      heartbeats: 0,
      disconnects: {},
    });
  }

  disconnect(shardId: number, code: number | 'killed'): void {
    increment(this.shard(shardId).disconnects, String(code));
  }

  guild(what: keyof typeof GUILDS_NONE): void {
    this.#guilds[what] += 1;
  }

  fault(kind: string): void {
    increment(this.#faults, kind);
  }

  interaction(kind: string, what: string): void {
    increment((this.#interactions[kind] ??= {}), what);
  }

  /** A copy; later events do not change it. */
  snapshot(): LedgerSnapshot {
    return structuredClone({
      rest: this.#rest,
      dispatches: this.#dispatches,
      redelivered: this.#redelivered,
      undelivered: this.#undelivered,
      unheard: this.#unheard,
      shards: this.#shards,
      guilds: this.#guilds,
      faults: this.#faults,
      interactions: this.#interactions,
    });
  }

  /** Starts all counts again from nothing. */
  reset(): void {
    this.#rest = {};
    this.#dispatches = {};
    this.#redelivered = {};
    this.#undelivered = {};
    this.#unheard = {};
    this.#shards = {};
    this.#guilds = { ...GUILDS_NONE };
    this.#faults = {};
    this.#interactions = {};
  }
}

function increment(counts: Counts, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}
