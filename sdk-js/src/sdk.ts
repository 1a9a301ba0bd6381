import { isObject } from './core/read.ts';
import { SDK_NAMES } from '@bot-analytics/protocol';
import type { AnalyticsOptions, ErrorContext } from './api/options.ts';
import type { FlushResult, Stats } from './api/stats.ts';
import { createCollector, type Collector } from './collect/collector.ts';
import { describeError } from './collect/errors.ts';
import type { HostProcess } from './collect/process-figures.ts';
import { checked, range, readConfig, type Config, type Variables } from './core/config.ts';
import type { EventInput } from './event/encode.ts';
import type { Env } from './core/env.ts';
import { applyHook } from './event/hook.ts';
import { isFinal } from './core/state.ts';
import { createHttpClient, type HttpClient } from './core/http-client.ts';
import { Transport } from './core/transport.ts';
import { UuidSource } from './event/uuid.ts';
import { discordAdapter } from './discord/adapter.ts';
import type { Member, Wishes } from './process/member.ts';

/** What an instance takes from outside. Tests pass their own. */
export interface Outside {
  readonly env: Env;
  readonly variables: Variables;
  readonly instanceId: () => string;
  /** Starts the measurement of the process. */
  readonly host: () => HostProcess;
  /** Registers with the process; returns the removal. */
  readonly join: (member: Member, wishes: Wishes) => () => void;
}

const TIMEOUT_MAX_MS = 3_600_000;

interface Attached {
  readonly client: unknown;
  readonly collector: Collector;
  readonly undo: () => void;
  readonly host: HostProcess;
}

type Origin = 'captureError' | 'client_error' | 'unhandledRejection' | 'uncaughtException';

/** One instance: transport, hooks of the process, and the collector of the attached client. */
export class Sdk implements Member {
  readonly #outside: Outside;
  readonly #config: Config;
  readonly #env: Env;
  readonly #ids: UuidSource;
  readonly #http: HttpClient;
  readonly #transport: Transport;
  readonly #seenErrors = new WeakSet<object>();
  readonly #warned = new Set<string>();
  #leave: (() => void) | undefined;
  #attached: Attached | undefined;

  constructor(options: AnalyticsOptions, outside: Outside) {
    this.#outside = outside;
    this.#config = readConfig(options, outside.variables);
    this.#env = {
      ...withLogger(outside.env, this.#config),
      after: (ms, run) => outside.env.after(ms, () => this.#guard(run)),
    };
    for (const fault of this.#config.faults) this.#env.warn(fault);
    this.#ids = new UuidSource(this.#env);
    this.#http = createHttpClient(this.#env);
    const { onDrop } = this.#config;
    this.#transport = new Transport({
      ...this.#config,
      send: this.#config.send ?? this.#http.send,
      env: this.#env,
      ids: this.#ids,
      onDrop: onDrop && ((drop) => this.#guard(() => onDrop(drop))),
      onStateChange: (state, previous) => {
        if (isFinal(state)) this.#end();
        this.#guard(() => this.#config.onStateChange?.(state, previous));
      },
    });
    if (this.#config.url) this.#leave = outside.join(this, this.#config);
    else this.#transport.disable();
  }

  attach(client: unknown): void {
    if (!isFinal(this.#transport.state)) this.#guard(() => this.#attach(client));
  }

  #attach(client: unknown): void {
    if (this.#attached) {
      if (this.#attached.client !== client) this.#warnOnce('attach() has another client already');
      return;
    }
    const adapter = discordAdapter(client, {
      collect: this.#config.collect,
      monotonic: this.#env.monotonic,
      variables: this.#outside.variables,
      onFault: this.#fault,
    });
    if (adapter === null) {
      this.#warnOnce('attach() needs a discord.js client');
      return;
    }
    const host = this.#outside.host();
    const collector: Collector = createCollector(adapter.view, {
      ...this.#config,
      env: this.#env,
      host,
      // Where another wrapper holds one of ours, that one still reports after a detach.
      emit: (event) => {
        if (this.#attached?.collector === collector) this.#emit(event);
      },
      instanceId: this.#outside.instanceId(),
      health: () => {
        const { queued, dropped } = this.#transport.health();
        return { sdkQueueSize: queued, sdkDropped: dropped };
      },
      drainSoon: () => this.#transport.drainSoon(),
      clientError: (error, handled) => this.uncaught(error, 'client_error', handled),
    });
    this.#attached = { client, collector, host, undo: adapter.start(collector) };
    for (const { id } of adapter.view.shards()) collector.shardWasReady(id);
  }

  /** Removes all hooks from the client; counters so far are sent. */
  detach(): void {
    this.#guard(() => {
      this.#attached?.collector.emitWindow();
      this.#release();
    });
  }

  captureError(
    error: unknown,
    context?: ErrorContext,
    origin: Origin = 'captureError',
    handled = true,
  ): void {
    this.#guard(() =>
      this.#emit({
        ...context,
        type: 'error',
        tsMs: this.#env.now(),
        data: { ...describeError(error), origin, handled, context: context?.data ?? null },
      }),
    );
  }

  /** An error of the process is seen at several places; it is one event. */
  uncaught(error: unknown, origin: Origin, handled: boolean): void {
    if (isObject(error)) {
      if (this.#seenErrors.has(error)) return;
      this.#seenErrors.add(error);
    }
    this.captureError(error, undefined, origin, handled);
  }

  hasWork(): boolean {
    this.#attached?.collector.emitWindow();
    const { state, queued, inFlight } = this.#transport.stats();
    if (state === 'active') return queued + inFlight > 0;
    if (queued) this.#env.debug(`${queued} events are left behind: the SDK is ${state}`);
    return false;
  }

  /** `fallbackMs` stands for a time that is missing or wrong, by default that of a shutdown. */
  flush(timeoutMs?: unknown, fallbackMs?: number): Promise<FlushResult> {
    this.#attached?.collector.emitWindow();
    return this.#transport.flush(this.#timeout(timeoutMs, fallbackMs));
  }

  shutdown(timeoutMs?: unknown): Promise<FlushResult> {
    this.detach();
    return this.#transport.shutdown(this.#timeout(timeoutMs));
  }

  stats(): Stats {
    return this.#transport.stats();
  }

  /** Runs a public method or a hook; what it throws never reaches the bot. */
  #guard(run: () => unknown): void {
    try {
      const result = run();
      // A hook of the bot may be async against its type; its rejection would end the process.
      if (result instanceof Promise) result.catch(this.#fault);
    } catch (error) {
      this.#fault(error);
    }
  }

  readonly #emit = (event: EventInput): void => {
    const hook = this.#config.beforeSend;
    const id = this.#ids.next();
    const result = hook ? applyHook(hook, event, id) : event;
    if (isObject(result)) {
      this.#transport.enqueue(result, id);
      return;
    }
    this.#transport.lose('hook', event.type);
    if (result) this.#warnOnce(`beforeSend ${result}; its events are dropped`);
  };

  /** After a refused key or a shutdown nothing of the SDK may cost the bot anything. transport.md C11. */
  #end(): void {
    this.#guard(() => this.#release());
    this.#guard(() => this.#leave?.());
    this.#http.close();
  }

  #release(): void {
    const attached = this.#attached;
    attached?.collector.stop();
    this.#attached = undefined;
    attached?.host.stop();
    attached?.undo();
  }

  #timeout(given: unknown, fallbackMs = this.#config.shutdownTimeoutMs): number {
    const rule = range(0, TIMEOUT_MAX_MS, fallbackMs);
    const value = typeof given === 'number' ? Math.ceil(given) : given;
    const warn = (message: string): void => this.#warnOnce(message, 'timeoutMs');
    return checked('timeoutMs', value, rule, warn) as number;
  }

  readonly #fault = (error: unknown): void => {
    const { name, message } = describeError(error);
    this.#env.debug(`fault: ${name}: ${message}`);
  };

  #warnOnce(message: string, key = message): void {
    if (this.#warned.has(key)) return;
    this.#warned.add(key);
    this.#env.warn(message);
  }
}

/** The environment with the bot's logger, which may throw. Debug lines only where asked for. */
function withLogger(env: Env, { logger = env, debug }: Config): Env {
  const write =
    (level: 'warn' | 'debug') =>
    (message: string): void => {
      try {
        logger[level](`[${SDK_NAMES.js}] ${message}`);
      } catch {
        // A logger that throws must not stop the SDK, or the SDK the bot.
      }
    };
  return { ...env, warn: write('warn'), debug: debug ? write('debug') : () => undefined };
}
