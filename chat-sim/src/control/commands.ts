import type { JsonObject } from '../json.ts';
import { numberAt } from '../json.ts';
import type { ChatSim } from '../sim.ts';

const USERS = [
  'slash',
  'autocomplete',
  'button',
  'select',
  'modal',
  'userMenu',
  'messageMenu',
] as const;

/** Gateway events that need no input: the simulation picks who and what. */
export const PLAIN_EVENTS = [
  'messageDelete',
  'messageBulkDelete',
  'reactionAdd',
  'reactionRemove',
  'memberJoin',
  'memberLeave',
  'memberUpdate',
  'memberBan',
  'memberUnban',
  'channelCreate',
  'channelUpdate',
  'channelDelete',
  'threadCreate',
  'threadDelete',
  'roleCreate',
  'roleUpdate',
  'roleDelete',
  'voiceStateUpdate',
  'inviteCreate',
  'inviteDelete',
  'guildUpdate',
] as const;

const EVENTS = [
  ...PLAIN_EVENTS,
  'messageCreate',
  'messageUpdate',
  'automodAction',
  'presenceUpdate',
  'typingStart',
  'raw',
] as const;

const GATEWAY = [
  'close',
  'kill',
  'reconnect',
  'invalidSession',
  'withholdAcks',
  'refuseIdentify',
  'refuseResume',
  'clearFaults',
] as const;

/** A control call; the JSON body is the library method's one argument. */
export type ControlCommand = (sim: ChatSim, input: JsonObject) => unknown;

// Parse border: a body is handed on as the argument that its method documents (`as never`). What
// does not fit is refused by the method itself.
const asInput = (input: JsonObject): never => input as never;

/** `POST /_sim/{path}` for every library method that changes something. */
export const COMMANDS: ReadonlyMap<string, ControlCommand> = new Map<string, ControlCommand>([
  ...USERS.map((name) => row(`users/${name}`, (sim, input) => userCall(sim, name, input))),
  ...EVENTS.map((name) => row(`events/${name}`, (sim, body) => sim.events[name](asInput(body)))),
  ...GATEWAY.map((name) => row(`gateway/${name}`, (sim, body) => sim.gateway[name](asInput(body)))),
  row('gateway/setAllowedIntents', (sim, input) =>
    sim.gateway.setAllowedIntents(numberAt(input, 'intents') ?? 0),
  ),
  row('gateway/untilConnected', (sim, input) =>
    sim.gateway.untilConnected(numberAt(input, 'count') ?? 1, numberAt(input, 'timeoutMs')),
  ),
  row('guilds/join', (sim) => ({ guildId: sim.guilds.join().facts.id })),
  row('guilds/leave', (sim, input) => sim.guilds.leave(idIn(input))),
  row('guilds/outage', (sim, input) => sim.guilds.outage(optionalId(input))),
  row('guilds/restore', (sim, input) => sim.guilds.restore(optionalId(input))),
  row('rest/faults', (sim, input) => {
    sim.restFaults.add(asInput(input));
  }),
  row('rest/faults/clear', (sim) => sim.restFaults.clear()),
  row('ledger/reset', (sim) => sim.resetLedger()),
  row('activity', (sim, input) => sim.activity.start(numberAt(input, 'perSecond') ?? 0)),
  row('activity/step', (sim, input) =>
    Array.from({ length: numberAt(input, 'steps') ?? 1 }, () => sim.activity.step()),
  ),
]);

/** With `"wait": true` the call is answered when the bot answered, or the deadline passed. */
function userCall(sim: ChatSim, name: (typeof USERS)[number], input: JsonObject): unknown {
  const record = sim.users[name](asInput(input));
  return input['wait'] === true ? sim.settled(record) : record;
}

function row(path: string, command: ControlCommand): [string, ControlCommand] {
  return [path, command];
}

function optionalId(input: JsonObject): string | undefined {
  const id = input['guildId'];
  return typeof id === 'string' ? id : undefined;
}

function idIn(input: JsonObject): string {
  const id = optionalId(input);
  if (id === undefined) throw new RangeError('Expected `guildId`.');
  return id;
}
