export { ChatSim, startChatSim } from './sim.ts';
export { PLAIN_EVENTS } from './control/commands.ts';
export type { ChatSimOptions } from './options.ts';
export type { Env } from './env.ts';
export type { LedgerSnapshot, ShardLedger, Counts } from './ledger.ts';
export type {
  InteractionKind,
  InteractionOutcome,
  InteractionRecord,
  ResponseKind,
} from './operations/interaction-book.ts';
export type { RestFault, RestFaultInput, RestFaultKind } from './rest/faults.ts';
export type { SessionView } from './gateway/gateway.ts';
export type { IdentifyRefusal } from './gateway/faults.ts';
export { INTENT } from './gateway/intents.ts';
export { CLOSE } from './gateway/protocol.ts';
export type { Channel, Guild, Member, Message, Role, User } from './world/entities.ts';
export { makeSnowflake, shardOf, snowflakeMs } from './world/snowflake.ts';
