import { isObject } from '../core/read.ts';
import type { GatewayType } from '@bot-analytics/protocol';
import type { Collect } from '../api/options.ts';
import type { EventInput } from '../event/encode.ts';
import type { Env } from '../core/env.ts';
import { actionEvent } from './actions.ts';
import type {
  ClientView,
  GuildChanged,
  HttpAttempt,
  InteractionAnswered,
  InteractionSeen,
  Observer,
  ReplyFailed,
  RestCall,
  ShardSeen,
} from './adapter.ts';
import { describeError } from './errors.ts';
import { GatewayCounters } from './gateway-counters.ts';
import { InteractionTracker } from './interactions.ts';
import type { HostProcess } from './process-figures.ts';
import { ProcessFigures } from './process-figures.ts';
import { RestCounters } from './rest-counters.ts';
import { Snapshots } from './snapshots.ts';

/** What a collector needs besides its client. */
export interface CollectorParts {
  readonly env: Env;
  readonly host: HostProcess;
  readonly emit: (event: EventInput) => void;
  readonly collect: Required<Collect>;
  readonly snapshotIntervalMs: number;
  readonly clusterId: string | null;
  readonly instanceId: string;
  readonly health: () => { readonly queued: number; readonly dropped: number };
  /** Sends what waits soon: a shard that is ready shows at once, not after a flush interval. */
  readonly drainSoon: () => void;
  /** Reports an `error` event of the client. */
  readonly clientError: (error: unknown, handled: boolean) => void;
}

/** Turns what an adapter reports into events. One per client. */
export class Collector implements Observer {
  readonly #parts: CollectorParts;
  readonly #client: ClientView;
  readonly #counters: GatewayCounters;
  readonly #interactions: InteractionTracker;
  readonly #rest: RestCounters;
  readonly #snapshots: Snapshots;
  /** Commands whose answer came already; an error of a later reply still names them. */
  readonly #recent = new Map<string, InteractionSeen>();
  readonly #seenErrors = new WeakSet<object>();

  constructor(client: ClientView, parts: CollectorParts) {
    const { env, emit } = parts;
    this.#parts = parts;
    this.#client = client;
    this.#counters = new GatewayCounters(env, emit);
    this.#rest = new RestCounters(env);
    this.#interactions = new InteractionTracker(env, emit, () => this.#rest.skewMs);
    this.#snapshots = new Snapshots({
      ...parts,
      client,
      rest: this.#rest,
      figures: new ProcessFigures(parts.host, env),
      intervalMs: parts.snapshotIntervalMs,
      all: parts.collect.snapshots,
    });
  }

  dispatch(type: GatewayType, shardId: number): void {
    this.#counters.add(type, shardId);
  }

  interaction(seen: InteractionSeen): void {
    this.#interactions.begin(seen);
    this.#recent.set(seen.id, seen);
    if (this.#recent.size > RECENT_MAX) {
      const oldest = this.#recent.keys().next().value;
      if (oldest !== undefined) this.#recent.delete(oldest);
    }
  }

  answered(answer: InteractionAnswered): void {
    this.#interactions.settle(answer);
  }

  replyFailed({ interactionId, phase, error }: ReplyFailed): void {
    // One failure passes through several methods, such as `reply` that fetches its own message.
    if (this.#isRepeated(error)) return;
    const seen = this.#recent.get(interactionId);
    this.#parts.emit({
      type: 'command_error',
      tsMs: this.#parts.env.now(),
      guildId: seen?.guildId ?? null,
      channelId: seen?.channelId ?? null,
      userId: seen?.userId ?? null,
      data: {
        ...describeError(error),
        phase,
        commandName: seen?.commandName ?? null,
        interactionKind: seen?.interactionKind ?? null,
        shardId: seen?.shardId ?? null,
      },
    });
  }

  restCall(call: RestCall): void {
    const event = actionEvent(call, this.#client, this.#parts.env.now());
    if (event !== null) this.#parts.emit(event);
  }

  httpAttempt(attempt: HttpAttempt): void {
    this.#rest.add(attempt);
  }

  shard({ type, data }: ShardSeen): void {
    const { env, emit, drainSoon } = this.#parts;
    const { shardId, ...rest } = data;
    const shardCount = this.#client.shardCount();
    emit({ type, tsMs: env.now(), data: { shardId, shardCount, ...rest } });
    if (type !== 'shard_ready') return;
    this.#snapshots.shardReady(shardId);
    drainSoon();
  }

  guild({ type, guildId, data }: GuildChanged): void {
    this.#parts.emit({ type, tsMs: this.#parts.env.now(), guildId, data });
  }

  clientError(error: unknown, handled: boolean): void {
    this.#parts.clientError(error, handled);
  }

  /** A client that was ready before it was attached gets its heartbeats too. */
  shardWasReady(shardId: number): void {
    this.#snapshots.shardReady(shardId);
    this.#parts.drainSoon();
  }

  /** Emits what is half done: the gateway window so far. For signals and the end of the process. */
  emitWindow(): void {
    this.#counters.emitWindow();
  }

  /** Emits everything half done and stops all timers. */
  finish(): void {
    this.#counters.emitWindow();
    this.#interactions.emitPending();
    this.stop();
  }

  /** Stops all timers; what is half done is discarded. */
  stop(): void {
    this.#counters.stop();
    this.#interactions.stop();
    this.#snapshots.stop();
  }

  #isRepeated(error: unknown): boolean {
    if (!isObject(error)) return false;
    if (this.#seenErrors.has(error)) return true;
    this.#seenErrors.add(error);
    return false;
  }
}

/** Interactions remembered for errors of later replies; their tokens live for 15 min. */
const RECENT_MAX = 1_000;
