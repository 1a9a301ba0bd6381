/**
 * Every number of the wire, once. Names carry the unit. Both SDKs, the server, the page and the docs
 * take their limits from here; Python gets them through `npm run generate`.
 */
export const LIMITS = {
  /** Events in one batch. Spec: Limits, "Events per batch". */
  batchEventsMax: 500,
  /** UTF-8 bytes of one serialised batch, envelope included. Spec: Limits, "Batch body size" (1 MiB). */
  batchBytesMax: 1_048_576,
  /** Events waiting in an SDK; over it the oldest are dropped. Spec: Limits, "Queue capacity". */
  queueEventsMax: 5_000,
  /** Default of `flushIntervalMs`. Spec: Limits, "Flush interval". */
  flushIntervalMs: 5_000,
  /** Queue length that starts a flush. Spec: Limits, "High-water mark". */
  highWaterEvents: 50,
  /** Requests of one SDK under way at once. Spec: Limits, "Concurrent requests". */
  concurrentRequestsMax: 1,
  /** Attempts of one batch, the first included. Spec: Limits, "Max attempts". */
  attemptsMax: 5,
  /** Backoff before attempt 2. Spec: Limits, "Backoff base / cap". */
  backoffBaseMs: 1_000,
  /** Longest backoff. Spec: Limits, "Backoff base / cap". */
  backoffCapMs: 30_000,
  /** Quiet period after a 429 without a readable Retry-After. Spec: Limits, "Default quiet period". */
  quietDefaultMs: 300_000,
  /** Shortest quiet period; a Retry-After of 0 or a date in the past. transport.md C5. */
  quietMinMs: 1_000,
  /** Longest quiet period that is believed: 24 h. transport.md C5. */
  quietMaxMs: 86_400_000,
  /** Final flush on a signal or before exit. Spec: Limits, "Shutdown flush time-out". */
  shutdownTimeoutMs: 3_000,
  /** One request, connect to end of headers. transport.md C7. */
  requestTimeoutMs: 10_000,
  /** Body of an answer that an SDK reads before it gives up on reusing the connection. transport.md C26. */
  answerBytesMax: 65_536,
  /** Gateway events are counted in windows of this length. Spec: Limits, "Gateway aggregation window". */
  gatewayWindowMs: 60_000,
  /** Default of `snapshotIntervalMs`: heartbeat and guild_snapshot. Spec: Events. */
  snapshotIntervalMs: 60_000,
  /** api_routes_snapshot. Spec: Events, "every 5 minutes". */
  apiRoutesIntervalMs: 300_000,
  /** Routes in one api_routes_snapshot. Spec: Events, "10 most used". */
  apiRoutesMax: 10,
  /** Distinct routes that an SDK counts; more are counted together. catalogue.md A6. */
  distinctRoutesMax: 500,
  /** Silence after which a shard is offline. Spec: Limits, "Offline threshold". */
  shardOfflineAfterMs: 120_000,
  /** An interaction without an answer for this long is `timedOut`. Spec: Limits. */
  interactionTimeoutMs: 15_000,
  /** Error `name`, code points. Spec: Serialisation guards. */
  errorNameCharsMax: 200,
  /** Error `message`, UTF-8 bytes. Spec: Serialisation guards. */
  errorMessageBytesMax: 2_048,
  /** Error `stack`, UTF-8 bytes. Spec: Serialisation guards. */
  errorStackBytesMax: 8_192,
  /** Every other string in `data`, UTF-8 bytes. Spec: Serialisation guards. */
  stringBytesMax: 4_096,
  /** Serialised `data`, UTF-8 bytes. Spec: Serialisation guards. */
  dataBytesMax: 16_384,
  /** Levels of nesting in `data` that an SDK keeps; deeper values are removed. transport.md B89. */
  dataDepthMax: 20,
  /** Values in one `data` that an SDK looks at; more are removed. transport.md B90. */
  dataNodesMax: 10_000,
  /** Levels of nesting in a body; the envelope is level 1. design.md 5. */
  bodyDepthMax: 32,
  /** `commandName`, code points. catalogue.md A1. */
  commandNameCharsMax: 100,
  /** Rejected events listed in one answer. design.md 5. */
  rejectedListedMax: 100,
  /** An event this far ahead of the receive time is stored at the receive time. design.md 5. */
  tsAheadMaxMs: 600_000,
  /** Smallest clock skew that is corrected. design.md 5. */
  clockSkewMinMs: 120_000,
  /** Largest clock skew that is believed. design.md 5. */
  clockSkewMaxMs: 86_400_000,
  /** Longest Retry-After of an answer that says the quota is used up. design.md 5. */
  quotaRetryAfterMaxS: 3_600,
} as const satisfies Record<string, number>;

/** Path of the ingestion call. Spec: Endpoints. */
export const INGEST_PATH = '/v1/events';

/** `sdk.name` of each SDK. Spec: Batch envelope. */
export const SDK_NAMES = { js: '@vendor/chat.js', py: 'vendor-chat.py' } as const;
