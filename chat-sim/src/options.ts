import type { Env } from './env.ts';
import { ALL_INTENTS } from './gateway/intents.ts';

/** Options of {@link startChatSim}; everything has a default. */
export interface ChatSimOptions {
  /** Same seed, same world and same dice. Default 1. */
  readonly seed?: number;
  /** Guilds at the start, 0 or more. Default 3. */
  readonly guilds?: number;
  /** Users in each guild at the start, from and to. Default 8 to 24. */
  readonly membersPerGuild?: readonly [number, number];
  /** Shard count that GET /gateway/bot recommends. Default 1. */
  readonly shards?: number;
  /** Loopback port; 0 = chosen by the system. Default 0. */
  readonly port?: number;
  /** Bot tokens let in; empty = any token. Default empty. */
  readonly tokens?: readonly string[];
  /** Intents that the application may ask for (others: close 4014). Default all. */
  readonly allowedIntents?: number;
  /** Ms in which an interaction must be answered. Default 3000, as on the platform. */
  readonly interactionDeadlineMs?: number;
  /** Ms between heartbeats. Default 41 250, as on the platform. */
  readonly heartbeatIntervalMs?: number;
  /** Ms for which a cut session can be resumed. Default 60 000. */
  readonly resumeWindowMs?: number;
  /** Ms between two GUILD_CREATE after READY. Default 0. */
  readonly guildCreateDelayMs?: number;
  /** Shards that may identify at once. Default 16; the platform's usual 1 costs 5 s per shard. */
  readonly maxConcurrency?: number;
  /** Requests per bucket and window. Default 100 in 1000 ms. */
  readonly rateLimit?: { readonly limit: number; readonly windowMs: number };
  /** Clock and timers. Default: those of the process. */
  readonly env?: Env;
}

export const DEFAULTS = {
  seed: 1,
  guilds: 3,
  membersPerGuild: [8, 24],
  shards: 1,
  port: 0,
  tokens: [],
  allowedIntents: ALL_INTENTS,
  interactionDeadlineMs: 3000,
  heartbeatIntervalMs: 41_250,
  resumeWindowMs: 60_000,
  guildCreateDelayMs: 0,
  maxConcurrency: 16,
  rateLimit: { limit: 100, windowMs: 1000 },
} as const satisfies Omit<Required<ChatSimOptions>, 'env'>;
