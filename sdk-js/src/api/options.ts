import type { AnalyticsEvent } from './events.ts';
import type { Send } from './send.ts';
import type { AnalyticsState, Drop } from './stats.ts';

/** Where the SDK writes; console, pino and winston fit. */
export interface Logger {
  warn(message: string): void;
  debug(message: string): void;
}

/** What is collected; everything by default. */
export interface Collect {
  /** Commands, buttons, menus, modals, autocomplete, and errors of their answers. */
  readonly interactions?: boolean;
  /** Calls of the bot to the platform's REST API. */
  readonly actions?: boolean;
  /** Counters of gateway events. */
  readonly gateway?: boolean;
  /** guild_snapshot and api_routes_snapshot. Heartbeats are always sent: they are the status. */
  readonly snapshots?: boolean;
}

/** Options of `new Analytics()`. A value out of range is reported once and replaced by its default. */
export interface AnalyticsOptions {
  /** Ingest key of the bot. Default: environment variable `BOT_ANALYTICS_API_KEY`. */
  readonly apiKey?: string;
  /** Address of the server, such as `https://analytics.example.org`. Default: `BOT_ANALYTICS_ENDPOINT`. */
  readonly endpoint?: string;
  /** Wait before queued events are sent, ms; 100 to 3,600,000. Default 5,000. */
  readonly flushIntervalMs?: number;
  /** Time between heartbeats and between guild snapshots, ms; 1,000 to 3,600,000. Default 60,000. */
  readonly snapshotIntervalMs?: number;
  /** Cluster of this process, 1 to 100 characters. Default: that of discord-hybrid-sharding, if it runs. */
  readonly clusterId?: string | number;
  /** Longest request, ms; 1,000 to 30,000. Default 10,000. */
  readonly requestTimeoutMs?: number;
  /** Longest final flush, ms; 100 to 60,000. Default 3,000. */
  readonly shutdownTimeoutMs?: number;
  /** Flush on SIGINT, SIGTERM and before exit. Default true. */
  readonly handleSignals?: boolean;
  /** Report unhandled rejections and uncaught exceptions; whether the process dies stays as it is. Default true. */
  readonly captureUnhandledRejections?: boolean;
  readonly collect?: Collect;
  /**
   * Sees every event before it is queued. Returns it, a changed copy, or null to drop it. `id` and
   * `type` cannot be changed. Must not be async.
   */
  readonly beforeSend?: (event: AnalyticsEvent) => AnalyticsEvent | null;
  /** Hears of every loss. */
  readonly onDrop?: (drop: Drop) => void;
  readonly onStateChange?: (state: AnalyticsState, previous: AnalyticsState) => void;
  /** Default: warnings to the console. */
  readonly logger?: Logger;
  /** Write what the SDK does to `logger.debug`. Default false. */
  readonly debug?: boolean;
  /** False makes everything a no-op, without a warning. Default true. */
  readonly enabled?: boolean;
  /** Another way to the server: a proxy, or a `MemorySink` in tests. */
  readonly send?: Send;
}

/** Options of `flush()` and `shutdown()`. */
export interface FlushOptions {
  /** Longest wait, ms. Default: 30,000 for `flush()`, `shutdownTimeoutMs` for `shutdown()`. */
  readonly timeoutMs?: number;
}

/** What `captureError()` may add. */
export interface ErrorContext {
  readonly guildId?: string;
  readonly channelId?: string;
  readonly userId?: string;
  /** Anything that helps to find the error; within 16 KiB. Must not hold message content. */
  readonly data?: Readonly<Record<string, unknown>>;
}
