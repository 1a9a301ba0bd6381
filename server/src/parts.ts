import type { Config } from './config.ts';
import type { DataDir } from './data-dir/data-dir.ts';
import type { Env } from './env.ts';
import { BadKeyCounter } from './http/sources.ts';
import { Committer } from './ingest/committer.ts';
import { BufferPool } from './buffer-pool.ts';
import { Dedupe } from './ingest/dedupe.ts';
import { IngestHealth } from './ingest/health.ts';
import { Ingestor } from './ingest/ingestor.ts';
import { KnownIds } from './ingest/known-ids.ts';
import { Pressure } from './ingest/pressure.ts';
import { UsageBook } from './ingest/usage-book.ts';
import { hashKey } from './keys/format.ts';
import { Registry } from './keys/registry.ts';
import { uuidV7 } from './keys/uuid.ts';
import type { Log } from './log.ts';
import { Metrics } from './metrics.ts';
import { Presence } from './status/presence.ts';
import { ping } from './store/connect.ts';
import { StoreDownError } from './store/errors.ts';
import type { InsertTable } from './store/inserts.ts';
import type { Store } from './store/store.ts';

interface Given {
  readonly config: Config;
  readonly env: Env;
  readonly log: Log;
  readonly store: Store;
  readonly dataDir: DataDir;
  /** The store runs in a child of this process, so nobody else writes to it. */
  readonly embedded: boolean;
}

/** The long-lived parts of a server, wired together. */
export interface Parts extends Given {
  /** Other processes may write to the same store. */
  readonly shared: boolean;
  readonly presence: Presence;
  readonly registry: Registry;
  readonly pressure: Pressure;
  readonly usage: UsageBook;
  readonly health: IngestHealth;
  readonly pool: BufferPool;
  readonly committer: Committer;
  readonly ingestor: Ingestor;
  readonly metrics: Metrics;
  readonly badKeys: BadKeyCounter;
  readonly adminHash: Buffer;
  start(): Promise<void>;
  /** Refuses new work, finishes what was begun, writes what is only in memory. */
  stop(): Promise<void>;
  /** Runs `fn` when the server begins to stop, such as the end of live streams. */
  onStop(fn: () => void): void;
}

function createInsert(given: Given, pressure: Pressure) {
  return async (table: InsertTable, rows: readonly Buffer[]): Promise<void> => {
    try {
      await given.store.insert(table, rows);
    } catch (error) {
      if (error instanceof StoreDownError) pressure.storeFailed();
      throw error;
    }
  };
}

function declareMetrics(metrics: Metrics, pressure: Pressure, env: Env): void {
  metrics.declare('stored_rows_total', 'counter', 'Rows of events and snapshots stored');
  metrics.declare('groups_total', 'counter', 'Group commits');
  metrics.declare('group_seconds_total', 'counter', 'Time spent in group commits');
  metrics.declare('store_up', 'gauge', '1 when events can be stored');
  metrics.declare('process_resident_bytes', 'gauge', 'Resident memory of the server process');
  metrics.declare('process_uptime_seconds', 'gauge', 'Age of the server process');
  const startedAtMs = env.monotonicMs();
  metrics.onRender(() => {
    metrics.set('store_up', pressure.obstacle() === null ? 1 : 0);
    metrics.set('process_resident_bytes', process.memoryUsage.rss());
    metrics.set('process_uptime_seconds', Math.round((env.monotonicMs() - startedAtMs) / 1_000));
  });
}

/** Makes the parts; nothing runs until `start`. */
export function createParts(given: Given): Parts {
  const { config, env, log, store, dataDir, embedded } = given;
  const shared = !embedded;
  const presence = new Presence();
  const metrics = new Metrics();
  const registry = new Registry({ store, env, log, shared });
  const pressure = new Pressure({
    env,
    log,
    dataDir: config.storeUrl === null ? dataDir.path : null,
    ping: () => ping(store),
  });
  declareMetrics(metrics, pressure, env);
  const usage = new UsageBook({ store, env, shared });
  const source = uuidV7(env.nowMs(), env.randomBytes(16));
  const health = new IngestHealth({ store, env, log, source });
  const seed = env.randomBytes(4).readUInt32LE();
  const known = new KnownIds(seed);
  const dedupe = new Dedupe({ store, known, seed, startedAtMs: env.nowMs(), shared });
  const insert = createInsert(given, pressure);
  const onGroup = ({ rows, ms }: { readonly rows: number; readonly ms: number }): void => {
    metrics.add('stored_rows_total', rows);
    metrics.add('groups_total');
    metrics.add('group_seconds_total', ms / 1_000);
  };
  const committer = new Committer({ insert, dedupe, usage, env, log, onGroup });
  const pool = new BufferPool();
  const ingestor = new Ingestor({ env, presence, pressure, committer, health, pool });
  const stops: (() => void)[] = [];
  return {
    ...given,
    shared,
    presence,
    registry,
    pressure,
    usage,
    health,
    pool,
    committer,
    ingestor,
    metrics,
    badKeys: new BadKeyCounter(env),
    adminHash: hashKey(dataDir.adminToken),
    async start() {
      health.start();
      await pressure.start();
    },
    async stop() {
      pressure.beginStop();
      for (const fn of stops) fn();
      await committer.stop();
      await health.stop();
      await registry.stop();
    },
    onStop(fn) {
      stops.push(fn);
    },
  };
}
