// Written by build/event-types.ts from protocol/; a test compares the two.

/** One row of an api_routes_snapshot. */
export interface RouteCount {
  readonly method: string;
  /** Route without ids, tokens, codes and emojis. */
  readonly route: string;
  readonly count: number;
}

/** `data` of interaction_slash and its 5 relatives. */
export interface InteractionData {
  /** Command with its subcommand path (`config set`); for components and modals the custom id with snowflakes replaced by `{id}`, at most 100 code points. */
  readonly commandName: string;
  /** Finer kind of the interaction. */
  readonly interactionKind:
    | 'slash'
    | 'button'
    | 'string_select'
    | 'user_select'
    | 'role_select'
    | 'mentionable_select'
    | 'channel_select'
    | 'modal'
    | 'user_context'
    | 'message_context'
    | 'autocomplete';
  /** False when the platform refused or nobody answered. */
  readonly success: boolean;
  /** From receipt to the first settled response, on the monotonic clock; null when nobody answered. Unit: ms. */
  readonly latencyMs: number | null;
  /** True when there was no response within 15 s. Spec: Limits. */
  readonly timedOut: boolean;
  /** Shard on which it happened; 0 without sharding. */
  readonly shardId: number;
  /** First response; `raw` when it was sent around the library, null when there was none. */
  readonly responseKind:
    | 'reply'
    | 'defer'
    | 'update'
    | 'defer_update'
    | 'modal'
    | 'autocomplete'
    | 'raw'
    | null;
  /** Error code of the platform (10062, 50013) or of the system (ECONNRESET); null on success. */
  readonly errorCode: number | string | null;
  /** From creation on the platform to receipt, corrected by the platform clock; null without a clock sample. Unit: ms. */
  readonly gatewayDelayMs: number | null;
}

/** `data` of action_message_send and its 21 relatives. */
export interface ActionData {
  /** False when the platform refused or nobody answered. */
  readonly success: boolean;
  /** HTTP status of a refused call; null when the library does not tell it. */
  readonly status: number | null;
  /** Error code of the platform (10062, 50013) or of the system (ECONNRESET); null on success. */
  readonly errorCode: number | string | null;
  /** From call to settlement, waiting for rate limits included. Unit: ms. */
  readonly latencyMs: number;
  /** For messages: sent to a channel, by a webhook, or as follow-up of an interaction. */
  readonly via?: 'channel' | 'webhook' | 'followup';
  /** Names (never values) of the changed properties, from an allow-list; member and channel updates only. */
  readonly fields?: readonly string[];
  /** action_member_timeout: true when a timeout was lifted. */
  readonly cleared?: boolean;
  /** Messages of a bulk delete, users of a bulk ban. */
  readonly count?: number;
  /** Shard on which it happened; 0 without sharding. Null when unknown. */
  readonly shardId: number | null;
}

/** `data` of event_message_create and its 23 relatives. */
export interface GatewayCounterData {
  /** Dispatches of this kind in the window. Unit: events. */
  readonly count: number;
  /** Start of the window; `ts` is its end. */
  readonly windowStart: string;
  /** Length of the window: 60,000, less for the last one at shutdown. Unit: ms. */
  readonly windowMs: number;
  /** Shard on which it happened; 0 without sharding. Null when unknown. */
  readonly shardId: number | null;
  /** Distinct guilds in the window. Unit: guilds. */
  readonly guilds?: number;
}

/** `data` of shard_connect. */
export interface ShardConnectData {
  /** Shard on which it happened; 0 without sharding. */
  readonly shardId: number;
  /** Shards of the whole bot. */
  readonly shardCount: number;
  /** False: a session was made; a resumed one reports shard_resume. */
  readonly resumed: boolean;
}

/** `data` of shard_ready. */
export interface ShardReadyData {
  /** Shard on which it happened; 0 without sharding. */
  readonly shardId: number;
  /** Shards of the whole bot. */
  readonly shardCount: number;
  /** Guilds of the shard. Unit: guilds. */
  readonly guildCount: number;
  /** Guilds of the shard in an outage. Unit: guilds. */
  readonly unavailableGuilds: number;
  /** From connect to ready; null when connect was not seen. Unit: ms. */
  readonly startupMs: number | null;
}

/** `data` of shard_disconnect. */
export interface ShardDisconnectData {
  /** Shard on which it happened; 0 without sharding. */
  readonly shardId: number;
  /** Shards of the whole bot. */
  readonly shardCount: number;
  /** WebSocket close code; null when not given. */
  readonly code: number | null;
  /** False after a code that the library gives up on, and at shutdown. */
  readonly willReconnect: boolean;
}

/** `data` of shard_reconnect. */
export interface ShardReconnectData {
  /** Shard on which it happened; 0 without sharding. */
  readonly shardId: number;
  /** Shards of the whole bot. */
  readonly shardCount: number;
  /** Attempts since the last ready or resume. */
  readonly attempt: number;
}

/** `data` of shard_resume. */
export interface ShardResumeData {
  /** Shard on which it happened; 0 without sharding. */
  readonly shardId: number;
  /** Shards of the whole bot. */
  readonly shardCount: number;
  /** Missed dispatches that were replayed, RESUMED itself not counted. */
  readonly replayedEvents: number | null;
  /** From disconnect to resume. Unit: ms. */
  readonly downMs: number | null;
}

/** `data` of command_error. */
export interface CommandErrorData {
  /** Error class, at most 200 code points. */
  readonly name: string;
  /** Error text, at most 2 KiB; may quote what a user typed, so a redactor can be set. */
  readonly message: string;
  /** Stack, at most 8 KiB. */
  readonly stack: string | null;
  /** Error code of the platform (10062, 50013) or of the system (ECONNRESET); null on success. */
  readonly code: number | string | null;
  /** Reply method that failed (`reply`, `deferReply`, `editReply`), or `handler`. */
  readonly phase: string;
  /** Command with its subcommand path (`config set`); for components and modals the custom id with snowflakes replaced by `{id}`, at most 100 code points. */
  readonly commandName: string | null;
  /** Finer kind of the interaction. */
  readonly interactionKind:
    | 'slash'
    | 'button'
    | 'string_select'
    | 'user_select'
    | 'role_select'
    | 'mentionable_select'
    | 'channel_select'
    | 'modal'
    | 'user_context'
    | 'message_context'
    | 'autocomplete'
    | null;
  /** Shard on which it happened; 0 without sharding. Null when unknown. */
  readonly shardId: number | null;
}

/** `data` of error. */
export interface ErrorData {
  /** Error class, at most 200 code points. */
  readonly name: string;
  /** Error text, at most 2 KiB; may quote what a user typed, so a redactor can be set. */
  readonly message: string;
  /** Stack, at most 8 KiB. */
  readonly stack: string | null;
  /** Error code of the platform (10062, 50013) or of the system (ECONNRESET); null on success. */
  readonly code: number | string | null;
  /** How the error was seen. */
  readonly origin:
    | 'captureError'
    | 'unhandledRejection'
    | 'uncaughtException'
    | 'client_error'
    | 'asyncio'
    | 'event_handler';
  /** True when the bot caught it. */
  readonly handled: boolean;
  /** What the caller of captureError() added. */
  readonly context: Readonly<Record<string, unknown>> | null;
}

/** `data` of guild_join, guild_leave. */
export interface GuildChangeData {
  /** Guild name, public platform data. Spec: Privacy. */
  readonly name: string | null;
  /** Preferred locale of the guild. */
  readonly locale: string | null;
  /** Members of the guild. Unit: members. */
  readonly memberCount: number | null;
  /** Shard on which it happened; 0 without sharding. */
  readonly shardId: number;
  /** Guilds of this process afterwards. Unit: guilds. */
  readonly guildCount: number;
}

/** `data` of heartbeat. */
export interface HeartbeatData {
  /** Shard; 0 without sharding. */
  readonly shardId: number;
  /** Shards of the whole bot. */
  readonly shardCount: number;
  /** Cluster of the process; null when the option is not set. */
  readonly clusterId: string | null;
  /** Gateway connection of the shard. */
  readonly shardStatus: 'ready' | 'connecting' | 'resuming' | 'disconnected';
  /** Last gateway heartbeat round trip; null before the first acknowledgement. Unit: ms. */
  readonly wsPingMs: number | null;
  /** Guilds of the shard. Unit: guilds. */
  readonly guildCount: number;
  /** Voice connections of the shard. Unit: connections. */
  readonly voiceConnections: number;
  /** Resident memory of the process, 2^20 bytes. Unit: MB. */
  readonly memoryMb: number;
  /** CPU time of the process since the last heartbeat; may pass 100. Unit: percent of one core. */
  readonly cpuPercent: number;
  /** 95th percentile of the event-loop delay since the last heartbeat. Unit: ms. */
  readonly eventLoopDelayP95Ms: number | null;
  /** Time since the last heartbeat of this shard, 0 for the first. Unit: ms. */
  readonly intervalMs: number;
  /** HTTP attempts since the last heartbeat. Unit: requests. */
  readonly restRequests: number;
  /** 429 answers, global limit. Unit: requests. */
  readonly restRateLimitedGlobal: number;
  /** 429 answers, bucket limit, shared ones included. Unit: requests. */
  readonly restRateLimitedBucket: number;
  /** Those bucket 429 answers that other bots caused. Unit: requests. */
  readonly restRateLimitedShared?: number;
  /** 429 answers of the network in front of the platform. Unit: requests. */
  readonly restRateLimitedEdge?: number;
  /** 400 answers. Unit: requests. */
  readonly rest400: number;
  /** 401 answers. Unit: requests. */
  readonly rest401: number;
  /** 403 answers. Unit: requests. */
  readonly rest403: number;
  /** The process; a new one at every start. */
  readonly instanceId: string;
  /** True on the lowest shard of the process, which carries the figures of the process. */
  readonly primary: boolean;
  /** Age of the process. Unit: ms. */
  readonly uptimeMs: number;
  /** Client library: `discord.js`, `discord.py`. */
  readonly library: string;
  /** Its version. */
  readonly libraryVersion: string;
  /** `node`, `bun`, `deno`, `cpython`, `pypy`. */
  readonly runtime: string;
  /** Its version. */
  readonly runtimeVersion: string;
  /** Events waiting in the SDK. Unit: events. */
  readonly sdkQueueSize: number;
  /** Events that the SDK dropped since the process started. Unit: events. */
  readonly sdkDropped: number;
}

/** `data` of guild_snapshot. */
export interface GuildSnapshotData {
  /** Members of the guild. Unit: members. */
  readonly memberCount: number | null;
  /** Members online; null without the presence intent. Unit: members. */
  readonly onlineCount: number | null;
  /** Guild name, public platform data. Spec: Privacy. */
  readonly name: string | null;
  /** Preferred locale of the guild. */
  readonly locale: string | null;
  /** False in an outage of the guild. */
  readonly available: boolean;
  /** Shard on which it happened; 0 without sharding. */
  readonly shardId: number;
}

/** `data` of api_routes_snapshot. */
export interface ApiRoutesSnapshotData {
  /** Time the counts cover. Unit: ms. */
  readonly windowMs: number;
  /** Requests of all routes. Unit: requests. */
  readonly total: number;
  /** Distinct method and route pairs; counting stops at 500. */
  readonly distinctRoutes: number;
  /** The most used routes, at most 10, `{method, route, count}`, most used first. */
  readonly routes: readonly RouteCount[];
  /** The process; a new one at every start. */
  readonly instanceId: string;
  /** Lowest shard of the process. */
  readonly shardId: number;
}

/** `data` by event type. */
export interface EventData {
  readonly interaction_slash: InteractionData;
  readonly interaction_button: InteractionData;
  readonly interaction_select: InteractionData;
  readonly interaction_modal: InteractionData;
  readonly interaction_context_menu: InteractionData;
  readonly interaction_autocomplete: InteractionData;
  readonly action_message_send: ActionData;
  readonly action_message_edit: ActionData;
  readonly action_message_delete: ActionData;
  readonly action_message_bulk_delete: ActionData;
  readonly action_message_pin: ActionData;
  readonly action_reaction_add: ActionData;
  readonly action_reaction_remove: ActionData;
  readonly action_thread_create: ActionData;
  readonly action_webhook_send: ActionData;
  readonly action_dm_open: ActionData;
  readonly action_role_grant: ActionData;
  readonly action_role_revoke: ActionData;
  readonly action_member_ban: ActionData;
  readonly action_member_unban: ActionData;
  readonly action_member_kick: ActionData;
  readonly action_member_timeout: ActionData;
  readonly action_member_update: ActionData;
  readonly action_channel_create: ActionData;
  readonly action_channel_update: ActionData;
  readonly action_channel_delete: ActionData;
  readonly action_role_create: ActionData;
  readonly action_invite_create: ActionData;
  readonly event_message_create: GatewayCounterData;
  readonly event_message_update: GatewayCounterData;
  readonly event_message_delete: GatewayCounterData;
  readonly event_message_bulk_delete: GatewayCounterData;
  readonly event_reaction_add: GatewayCounterData;
  readonly event_reaction_remove: GatewayCounterData;
  readonly event_member_join: GatewayCounterData;
  readonly event_member_leave: GatewayCounterData;
  readonly event_member_update: GatewayCounterData;
  readonly event_member_ban: GatewayCounterData;
  readonly event_member_unban: GatewayCounterData;
  readonly event_channel_create: GatewayCounterData;
  readonly event_channel_update: GatewayCounterData;
  readonly event_channel_delete: GatewayCounterData;
  readonly event_thread_create: GatewayCounterData;
  readonly event_thread_delete: GatewayCounterData;
  readonly event_role_create: GatewayCounterData;
  readonly event_role_update: GatewayCounterData;
  readonly event_role_delete: GatewayCounterData;
  readonly event_voice_state_update: GatewayCounterData;
  readonly event_invite_create: GatewayCounterData;
  readonly event_invite_delete: GatewayCounterData;
  readonly event_guild_update: GatewayCounterData;
  readonly event_automod_action: GatewayCounterData;
  readonly shard_connect: ShardConnectData;
  readonly shard_ready: ShardReadyData;
  readonly shard_disconnect: ShardDisconnectData;
  readonly shard_reconnect: ShardReconnectData;
  readonly shard_resume: ShardResumeData;
  readonly command_error: CommandErrorData;
  readonly error: ErrorData;
  readonly guild_join: GuildChangeData;
  readonly guild_leave: GuildChangeData;
  readonly heartbeat: HeartbeatData;
  readonly guild_snapshot: GuildSnapshotData;
  readonly api_routes_snapshot: ApiRoutesSnapshotData;
}

/** The closed set of event types. */
export type EventType = keyof EventData;

/** One event of type `T`. */
export interface EventOf<T extends EventType> {
  /** UUIDv7, assigned when the event is enqueued; never changes. */
  readonly id: string;
  readonly type: T;
  /** When it occurred: ISO 8601, UTC. */
  readonly ts: string;
  readonly guildId?: string;
  readonly channelId?: string;
  readonly userId?: string;
  readonly data: EventData[T];
}

/** An event whose `type` tells the type of its `data`. */
export type AnalyticsEvent = { readonly [T in EventType]: EventOf<T> }[EventType];
