/**
 * Property names of the bundle's own objects that the build shortens. A name belongs here when no
 * other code ever sees it: not on the wire, not in the public types, not on an object of Node.js or
 * of the client library, and not in the structure that several copies of the package share
 * (`process/hooks.ts`, `process/member.ts`). A test compares the list with all of these.
 */
export const INTERNAL_NAMES = `
  after ancestors answer answered anonymous applicationId begin bodyKey bytesMax cacheSize cached
  changed clamped client clientEmitter clientError collector countHookDrop cpuMs createdMs
  deadline decision dispatch drainSoon emitPending emitWindow enqueue envelopeBytes exemptLength
  failure fallback figures fillRandom finish first guard guild guildIds guildIdsOfShard
  guildOfChannel health hold holds httpAttempt interaction interactionId kind location many
  markConnected memoryBytes misuse monotonic nodes observer oldestExemptSeq oldestSeq onFault one
  outcome parts pingMs putBack readyShardIds receivedMs regex replyFailed restCall run seen sender
  seq settle settled shard shardOfGuild shardReady shardWasReady shards skewMs snapshotOf soon
  startFrom started stop takeCallback takeCounts takeExempt takeLoopDelayP95Ms takeRoutes target
  tsMs undo untilMs usable variables view why wrapReplies
`
  .trim()
  .split(/\s+/);
