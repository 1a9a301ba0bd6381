import type { GatewayType, InteractionType } from '@bot-analytics/protocol';
import type { EventData } from '../api/events.ts';

/**
 * The border between the collectors, which know no client library, and an adapter, which knows one.
 * Another library needs another adapter and nothing else.
 */

/** One shard, as a heartbeat reports it. */
export interface ShardView {
  readonly id: number;
  readonly status: EventData['heartbeat']['shardStatus'];
  /** Null before the first acknowledgement. */
  readonly pingMs: number | null;
  readonly guildCount: number;
  readonly voiceConnections: number;
}

/** One guild, as a guild_snapshot reports it. */
export type GuildView = EventData['guild_snapshot'];

/** What the collectors ask of a client. Every method answers at once and never throws. */
export interface ClientView {
  readonly library: string;
  readonly libraryVersion: string;
  /** Cluster that the sharding library tells; null when there is none. */
  readonly clusterId: string | null;
  /** Shards of the whole bot, at least 1. */
  shardCount(): number;
  /** Shards of this process that have connected. Empty before the login and after the end. */
  shards(): readonly ShardView[];
  guildIds(): readonly string[];
  /** Null when it is gone. */
  guild(id: string): GuildView | null;
  /** Shard of a guild, null when unknown. */
  shardOfGuild(guildId: string): number | null;
  /** The bot's application, null before the login. */
  applicationId(): string | null;
}

/** A user's input, when it arrives. */
export interface InteractionSeen {
  readonly id: string;
  readonly type: InteractionType;
  readonly commandName: string;
  readonly interactionKind: EventData['interaction_slash']['interactionKind'];
  readonly shardId: number;
  readonly guildId: string | null;
  readonly channelId: string | null;
  readonly userId: string | null;
  /** Wall clock of its creation on the platform, Unix ms. */
  readonly createdMs: number;
}

/** The first response to an interaction, settled. */
export interface InteractionAnswered {
  readonly id: string;
  readonly success: boolean;
  readonly responseKind: EventData['interaction_slash']['responseKind'];
  readonly errorCode: number | string | null;
}

/** A reply method that failed, or a handler. */
export interface ReplyFailed {
  readonly interactionId: string;
  readonly phase: string;
  readonly error: unknown;
}

/** A REST call of the bot, settled. */
export interface RestCall {
  readonly method: string;
  /** Path, with or without `/api/vN`. */
  readonly path: string;
  /** Body of the request; of it only names of a closed list and the length of arrays are sent. */
  readonly body: unknown;
  /** Guild of the channel in the path when the call began, null when unknown. */
  readonly channelGuildId: string | null;
  readonly latencyMs: number;
  readonly success: boolean;
  readonly status: number | null;
  readonly errorCode: number | string | null;
}

/** One HTTP attempt, answered. */
export interface HttpAttempt {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly header: (name: string) => string | null;
}

/** A shard event; the collectors add `shardCount`. */
export type ShardSeen = {
  readonly [T in ShardEventType]: {
    readonly type: T;
    readonly data: Omit<EventData[T], 'shardCount'>;
  };
}[ShardEventType];

type ShardEventType =
  | 'shard_connect'
  | 'shard_ready'
  | 'shard_disconnect'
  | 'shard_reconnect'
  | 'shard_resume';

/** The bot was added to a guild or removed from it. */
export interface GuildChanged {
  readonly type: 'guild_join' | 'guild_leave';
  readonly guildId: string;
  readonly data: EventData['guild_join'];
}

/** What an adapter reports. No method throws. */
export interface Observer {
  dispatch(type: GatewayType, shardId: number): void;
  interaction(seen: InteractionSeen): void;
  answered(answer: InteractionAnswered): void;
  replyFailed(failure: ReplyFailed): void;
  restCall(call: RestCall): void;
  httpAttempt(attempt: HttpAttempt): void;
  shard(seen: ShardSeen): void;
  guild(change: GuildChanged): void;
  /** The client emitted `error`; without a listener of the bot (`handled` false) the process dies. */
  clientError(error: unknown, handled: boolean): void;
}
