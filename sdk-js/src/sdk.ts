import { isObject } from './core/read.ts';
import { SDK_NAMES } from '@bot-analytics/protocol';
import type { AnalyticsOptions, ErrorContext } from './api/options.ts';
import type { AnalyticsState, FlushResult, Stats } from './api/stats.ts';
import { Collector } from './collect/collector.ts';
import { describeError } from './collect/errors.ts';
import type { HostProcess } from './collect/process-figures.ts';
import { readConfig, readLogger, SDK_VERSION, type Config, type Variables } from './core/config.ts';
import type { EventInput } from './event/encode.ts';
import type { Env } from './core/env.ts';
import { applyHook } from './event/hook.ts';
import { createHttpClient } from './core/http-client.ts';
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

/** Default of `flush()`: five attempts with their waits mostly take under 15 s. */
const FLUSH_TIMEOUT_MS = 30_000;
const TIMEOUT_MAX_MS = 3_600_000;

interface Attached {
  readonly client: object;
  readonly collector: Collector;
  readonly undo: () => void;
  readonly host: HostProcess;
}

type Origin = 'captureError' | 'client_error' | 'unhandledRejection' | 'uncaughtException';

/** One instance: transport, hooks of the process, and the collector of the attached client. */
export class Sdk implements Member {
  readonly #outside: Outside;
  readonly #env: Env;
  readonly #config: Config;
  readonly #transport: Transport;
  readonly #ids: UuidSource;
  readonly #beforeSend: AnalyticsOptions['beforeSend'];
  readonly #closeConnections: () => void;
  readonly #seenErrors = new WeakSet<object>();
  readonly #warned = new Set<string>();
  #leave: () => void = () => undefined;
  #attached: Attached | undefined;

  constructor(options: AnalyticsOptions, outside: Outside) {
    this.#outside = outside;
    this.#env = withLogger(outside.env, options);
    this.#config = readConfig(options, outside.variables, (message) => this.#env.warn(message));
    this.#ids = new UuidSource(this.#env);
    this.#beforeSend = this.#hookOf(options, 'beforeSend');
    const http = createHttpClient(this.#env);
    this.#closeConnections = () => http.close();
    this.#transport = new Transport({
      target: {
        url: this.#config.url,
        headers: this.#config.headers,
        sender: { name: SDK_NAMES.js, version: SDK_VERSION },
        requestTimeoutMs: this.#config.requestTimeoutMs,
      },
      flushIntervalMs: this.#config.flushIntervalMs,
      send: this.#hookOf(options, 'send') ?? http.send,
      env: this.#env,
      ids: this.#ids,
      onDrop: this.#hookOf(options, 'onDrop'),
      onStateChange: this.#stateChange(this.#hookOf(options, 'onStateChange')),
    });
    if (!this.#config.usable) {
      this.#transport.disable();
      return;
    }
    const { handleSignals, captureUnhandledRejections } = this.#config;
    this.#leave = outside.join(this, {
      signals: handleSignals,
      rejections: captureUnhandledRejections,
    });
  }

  attach(client: unknown): void {
    if (this.#transport.state === 'disabled' || this.#transport.state === 'closed') return;
    if (this.#attached !== undefined) {
      if (this.#attached.client !== client) {
        this.#warnOnce('attach() has another client already');
      }
      return;
    }
    const { env, variables } = this.#outside;
    const adapter = discordAdapter(client, {
      collect: this.#config.collect,
      monotonic: () => env.monotonic(),
      variables,
      onFault: (error) => this.#fault(error),
    });
    if (adapter === null || !isObject(client)) {
      this.#warnOnce('attach() needs a discord.js client');
      return;
    }
    const host = this.#outside.host();
    const collector = new Collector(adapter.view, {
      env: this.#env,
      host,
      emit: (event) => this.#emit(event),
      collect: this.#config.collect,
      snapshotIntervalMs: this.#config.snapshotIntervalMs,
      clusterId: this.#config.clusterId,
      instanceId: this.#outside.instanceId(),
      health: () => this.#transport.health(),
      drainSoon: () => this.#transport.drainSoon(),
      clientError: (error, handled) => this.#captureOnce(error, 'client_error', handled),
    });
    this.#attached = { client, collector, host, undo: adapter.start(collector) };
    for (const id of adapter.readyShardIds()) collector.shardWasReady(id);
  }

  /** Removes all hooks from the client; counters so far are sent. */
  detach(): void {
    this.#attached?.collector.finish();
    this.#release();
  }

  captureError(error: unknown, context: ErrorContext | undefined): void {
    this.#captureError(error, { origin: 'captureError', handled: true, context });
  }

  uncaught(
    error: unknown,
    origin: 'unhandledRejection' | 'uncaughtException',
    handled: boolean,
  ): void {
    this.#captureOnce(error, origin, handled);
  }

  hasWork(): boolean {
    this.#attached?.collector.emitWindow();
    const { state, queued, inFlight } = this.#transport.stats();
    if (state !== 'active' && queued > 0) {
      this.#env.debug(`${queued} events are left behind: the SDK is ${state}`);
    }
    return state === 'active' && queued + inFlight > 0;
  }

  flush(timeoutMs: unknown = this.#config.shutdownTimeoutMs): Promise<FlushResult> {
    this.#attached?.collector.emitWindow();
    return this.#transport.flush(this.#timeout(timeoutMs, FLUSH_TIMEOUT_MS));
  }

  async shutdown(timeoutMs?: unknown): Promise<FlushResult> {
    this.detach();
    const result = await this.#transport.shutdown(
      this.#timeout(timeoutMs, this.#config.shutdownTimeoutMs),
    );
    this.#leave();
    this.#closeConnections();
    return result;
  }

  stats(): Stats {
    return this.#transport.stats();
  }

  /** Runs a public method; a fault of the SDK never reaches the bot. */
  guard(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#fault(error);
    }
  }

  #emit(event: EventInput): void {
    if (this.#beforeSend === undefined) {
      this.#transport.enqueue(event);
      return;
    }
    const id = this.#ids.next();
    const result = applyHook(this.#beforeSend, event, id);
    if (result.event !== null) {
      this.#transport.enqueue(result.event, id);
      return;
    }
    this.#transport.countHookDrop(event.type);
    if (result.misuse !== null)
      this.#warnOnce(`beforeSend ${result.misuse}; its events are dropped`);
  }

  /** An error of the process is seen at several places; it is one event. */
  #captureOnce(error: unknown, origin: Origin, handled: boolean): void {
    if (isObject(error)) {
      if (this.#seenErrors.has(error)) return;
      this.#seenErrors.add(error);
    }
    this.#captureError(error, { origin, handled, context: undefined });
  }

  #captureError(
    error: unknown,
    about: {
      readonly origin: Origin;
      readonly handled: boolean;
      readonly context: ErrorContext | undefined;
    },
  ): void {
    const { origin, handled, context } = about;
    this.#emit({
      type: 'error',
      tsMs: this.#env.now(),
      guildId: context?.guildId ?? null,
      channelId: context?.channelId ?? null,
      userId: context?.userId ?? null,
      data: { ...describeError(error), origin, handled, context: context?.data ?? null },
    });
  }

  #stateChange(hook: AnalyticsOptions['onStateChange']) {
    return (state: AnalyticsState, previous: AnalyticsState): void => {
      if (state === 'disabled') this.#switchedOff();
      try {
        hook?.(state, previous);
      } catch {
        // The hook is the bot's own code.
      }
    };
  }

  /** After a refused key nothing of the SDK may cost the bot anything. transport.md C11. */
  #switchedOff(): void {
    this.#attached?.collector.stop();
    this.#release();
    this.#leave();
    this.#closeConnections();
  }

  #release(): void {
    const attached = this.#attached;
    this.#attached = undefined;
    attached?.undo();
    attached?.host.stop();
  }

  #hookOf<K extends 'beforeSend' | 'onDrop' | 'onStateChange' | 'send'>(
    options: AnalyticsOptions,
    name: K,
  ): AnalyticsOptions[K] | undefined {
    const hook = options[name];
    if (hook === undefined || typeof hook === 'function') return hook;
    this.#env.warn(`expected \`${name}\` to be a function, got ${typeof hook}; it is ignored`);
    return undefined;
  }

  #timeout(given: unknown, fallback: number): number {
    const valid = typeof given === 'number' && given >= 0 && given <= TIMEOUT_MAX_MS;
    if (!valid && given !== undefined) {
      this.#warnOnce(`expected \`timeoutMs\` to be a number from 0 to ${TIMEOUT_MAX_MS}`);
    }
    return valid ? Math.ceil(given) : fallback;
  }

  #fault(error: unknown): void {
    const { name, message } = describeError(error);
    this.#env.debug(`fault in the SDK: ${name}: ${message}`);
  }

  #warnOnce(message: string): void {
    if (this.#warned.has(message)) return;
    this.#warned.add(message);
    this.#env.warn(message);
  }
}

/** The environment with the bot's logger, which may throw. Debug lines only where asked for. */
function withLogger(env: Env, options: AnalyticsOptions): Env {
  const logger = readLogger(options);
  const debugs = options.debug === true;
  const prefix = `[${SDK_NAMES.js}] `;
  const guarded =
    (write: (message: string) => void) =>
    (message: string): void => {
      try {
        write(prefix + message);
      } catch {
        // A logger that throws must not stop the SDK, or the SDK the bot.
      }
    };
  const debug = guarded((message) =>
    logger === null ? env.debug(message) : logger.debug(message),
  );
  return {
    ...env,
    warn: guarded((message) => (logger === null ? env.warn(message) : logger.warn(message))),
    debug: debugs ? debug : () => undefined,
  };
}
