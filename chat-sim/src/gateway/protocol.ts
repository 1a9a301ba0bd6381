/** Gateway operation codes. Source: the platform's gateway documentation, "Opcodes". */
export const OP = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  presenceUpdate: 3,
  voiceStateUpdate: 4,
  resume: 6,
  reconnect: 7,
  requestGuildMembers: 8,
  invalidSession: 9,
  hello: 10,
  heartbeatAck: 11,
} as const satisfies Record<string, number>;

/** Close codes. From 4010 on, and 4004, a client must not reconnect. */
export const CLOSE = {
  normal: 1000,
  goingAway: 1001,
  unknownError: 4000,
  unknownOpcode: 4001,
  decodeError: 4002,
  notAuthenticated: 4003,
  authenticationFailed: 4004,
  alreadyAuthenticated: 4005,
  invalidSeq: 4007,
  rateLimited: 4008,
  sessionTimedOut: 4009,
  invalidShard: 4010,
  shardingRequired: 4011,
  invalidApiVersion: 4012,
  invalidIntents: 4013,
  disallowedIntents: 4014,
} as const satisfies Record<string, number>;

/** What a connection has done so far. */
export type ConnectionState = 'greeted' | 'identified';

/** What a client can send. */
export type ClientInput =
  | 'heartbeat'
  | 'identify'
  | 'resume'
  | 'presenceUpdate'
  | 'voiceStateUpdate'
  | 'requestGuildMembers'
  | 'unknown'
  | 'unreadable';

/** What the platform does about it. */
export type GatewayStep =
  | 'ack'
  | 'identify'
  | 'resume'
  | 'joinVoice'
  | 'sendMembers'
  | 'ignore'
  | { readonly close: number };

/** Every pair of state and input. Source: gateway documentation, "Gateway Close Event Codes". */
export const STEPS = {
  greeted: {
    heartbeat: 'ack',
    identify: 'identify',
    resume: 'resume',
    presenceUpdate: { close: CLOSE.notAuthenticated },
    voiceStateUpdate: { close: CLOSE.notAuthenticated },
    requestGuildMembers: { close: CLOSE.notAuthenticated },
    unknown: { close: CLOSE.unknownOpcode },
    unreadable: { close: CLOSE.decodeError },
  },
  identified: {
    heartbeat: 'ack',
    identify: { close: CLOSE.alreadyAuthenticated },
    resume: { close: CLOSE.alreadyAuthenticated },
    presenceUpdate: 'ignore',
    voiceStateUpdate: 'joinVoice',
    requestGuildMembers: 'sendMembers',
    unknown: { close: CLOSE.unknownOpcode },
    unreadable: { close: CLOSE.decodeError },
  },
} as const satisfies Record<ConnectionState, Record<ClientInput, GatewayStep>>;

const INPUTS: ReadonlyMap<unknown, ClientInput> = new Map([
  [OP.heartbeat, 'heartbeat'],
  [OP.identify, 'identify'],
  [OP.presenceUpdate, 'presenceUpdate'],
  [OP.voiceStateUpdate, 'voiceStateUpdate'],
  [OP.resume, 'resume'],
  [OP.requestGuildMembers, 'requestGuildMembers'],
]);

export function inputOf(op: unknown): ClientInput {
  return INPUTS.get(op) ?? 'unknown';
}
