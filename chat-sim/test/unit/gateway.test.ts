import { GatewayCloseCodes, GatewayIntentBits, GatewayOpcodes } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { judgeIdentify } from '../../src/gateway/identify.ts';
import { ALL_INTENTS, INTENT, intentsAllow } from '../../src/gateway/intents.ts';
import { CLOSE, OP } from '../../src/gateway/protocol.ts';
import { Session } from '../../src/gateway/session.ts';
import { Ledger } from '../../src/ledger.ts';

describe('numbers agree with the official type package', () => {
  test('intents', () => {
    const known = new Set(
      Object.values(GatewayIntentBits).filter((bit) => typeof bit === 'number'),
    );
    expect(new Set(Object.values(INTENT))).toEqual(known);
  });

  test('operation codes', () => {
    const { Heartbeat, Identify, Resume, Reconnect, InvalidSession, Hello, HeartbeatAck } =
      GatewayOpcodes;
    expect([
      OP.heartbeat,
      OP.identify,
      OP.resume,
      OP.reconnect,
      OP.invalidSession,
      OP.hello,
      OP.heartbeatAck,
    ]).toEqual([Heartbeat, Identify, Resume, Reconnect, InvalidSession, Hello, HeartbeatAck]);
  });

  test('close codes', () => {
    for (const code of Object.values(CLOSE).filter((one) => one >= 4000)) {
      expect(GatewayCloseCodes[code]).toBeTypeOf('string');
    }
  });
});

test.each([
  ['MESSAGE_CREATE', true, INTENT.guildMessages, true],
  ['MESSAGE_CREATE', true, INTENT.directMessages, false],
  ['MESSAGE_CREATE', false, INTENT.directMessages, true],
  ['MESSAGE_CREATE', false, INTENT.guildMessages, false],
  ['MESSAGE_REACTION_ADD', false, INTENT.directMessageReactions, true],
  ['GUILD_MEMBER_ADD', true, INTENT.guilds, false],
  ['GUILD_CREATE', true, 0, false],
  ['INTERACTION_CREATE', true, 0, true],
  ['INTERACTION_CREATE', false, 0, true],
  ['AUTO_MODERATION_ACTION_EXECUTION', true, INTENT.autoModerationExecution, true],
])('%s in a guild (%s) with intents %i: %s', (name, inGuild, intents, allowed) => {
  expect(intentsAllow(name, inGuild, intents)).toBe(allowed);
});

describe('identify', () => {
  const rules = { tokens: ['good'], allowedIntents: INTENT.guilds };
  test.each([
    [{ token: 'bad', intents: 1 }, 4004],
    [{ intents: 1 }, 4004],
    [{ token: 'good', intents: 1, shard: [2, 2] }, 4010],
    [{ token: 'good', intents: 1, shard: ['0', 2] }, 4010],
    [{ token: 'good' }, 4013],
    [{ token: 'good', intents: -1 }, 4013],
    [{ token: 'good', intents: 1 << 19 }, 4013],
    [{ token: 'good', intents: INTENT.guildMembers }, 4014],
  ])('%j is refused with %i', (body, code) => {
    expect(judgeIdentify(body, rules)).toEqual({ ok: false, code });
  });

  test('is let in, with and without shard', () => {
    expect(judgeIdentify({ token: 'good', intents: 1, shard: [1, 2] }, rules)).toMatchObject({
      ok: true,
      shard: { id: 1, count: 2 },
    });
    const anyone = { tokens: [], allowedIntents: ALL_INTENTS };
    expect(judgeIdentify({ token: 'Bot x', intents: 0 }, anyone)).toMatchObject({
      ok: true,
      token: 'x',
      shard: { id: 0, count: 1 },
    });
  });
});

describe('a session', () => {
  function make(): {
    session: Session;
    ledger: Ledger;
    got: number[];
    sink: { send(t: string): void };
  } {
    const ledger = new Ledger();
    const facts = { id: 'one', token: 't', shardId: 3, shardCount: 4, intents: 0 };
    const got: number[] = [];
    const sink = {
      send: (text: string) => got.push((JSON.parse(text) as { s: number }).s), // frames carry s
    };
    return { session: new Session(facts, ledger), ledger, got, sink };
  }

  test('numbers its dispatches and replays what came after', () => {
    const { session, ledger, got, sink } = make();
    session.attach(sink);
    session.dispatch('A', '{}');
    session.dispatch('B', '{}');
    session.detach(sink);
    session.dispatch('C', '{}');
    expect(got).toEqual([1, 2]);
    session.attach(sink);
    session.replay(1);
    expect(got).toEqual([1, 2, 2, 3]);
    expect(ledger.snapshot().dispatches).toEqual({ 3: { A: 1, B: 1, C: 1 } });
    expect(ledger.snapshot().redelivered).toEqual({ 3: { B: 1 } });
  });

  test('can be resumed only from where it still remembers', () => {
    const { session, sink } = make();
    session.attach(sink);
    for (let index = 0; index < 5; index += 1) session.dispatch('A', '{}');
    session.acknowledge(3);
    const resumable = [2, 3, 5, 6].map((seq) => session.canReplayFrom(seq));
    expect(resumable).toEqual([false, true, true, false]);
  });

  test('forgets the oldest when it must, and counts what was never sent', () => {
    const { session, ledger } = make();
    for (let index = 0; index < 15_001; index += 1) session.dispatch('A', '{}');
    expect(ledger.snapshot().undelivered).toEqual({ 3: { A: 5000 } });
    expect(session.canReplayFrom(0)).toBe(false);
    session.discard();
    expect(ledger.snapshot().undelivered).toEqual({ 3: { A: 15_001 } });
  });
});
