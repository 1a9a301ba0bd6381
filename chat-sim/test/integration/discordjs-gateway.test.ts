import { Events, GatewayIntentBits, Status } from 'discord.js';
import type { Client } from 'discord.js';
import { afterEach, expect, test } from 'vitest';
import { startChatSim } from '../../src/index.ts';
import type { ChatSim, ChatSimOptions } from '../../src/index.ts';
import { clientOf, login, next } from './discordjs-client.ts';

let sim: ChatSim;
let client: Client;

async function start(options: ChatSimOptions = {}): Promise<void> {
  sim = await startChatSim(options);
  client = clientOf(sim, { shards: 'auto' });
  await login(client);
}

afterEach(async () => {
  await client.destroy();
  await sim.stop();
});

test('three shards: every guild and every interaction on its own', async () => {
  await start({ guilds: 7, shards: 3 });
  expect(client.ws.shards.map(({ status }) => status)).toEqual(Array(3).fill(Status.Ready));
  const byShard = [0, 1, 2].map(
    (id) => client.guilds.cache.filter(({ shardId }) => shardId === id).size,
  );
  expect(byShard).toEqual([3, 2, 2]);
  for (const guild of client.guilds.cache.values()) {
    const heard = next<[{ guild: { shardId: number } }]>(client, Events.InteractionCreate);
    const record = sim.users.slash({ command: 'ping', guildId: guild.id });
    const [interaction] = await heard;
    expect(record.shardId).toBe(guild.shardId);
    expect(interaction.guild.shardId).toBe(guild.shardId);
  }
  const { shards } = sim.ledger();
  expect(Object.values(shards).map(({ identifies }) => identifies)).toEqual([1, 1, 1]);
});

test('close 4000: the client resumes and gets what it missed, in order, once', async () => {
  await start({ guilds: 1 });
  const texts: string[] = [];
  client.on(Events.MessageCreate, ({ content }) => texts.push(content));
  const resumed = next<[number, number]>(client, Events.ShardResume);
  sim.events.messageCreate({ content: 'before' });
  sim.gateway.close({ code: 4000 });
  sim.events.messageCreate({ content: 'missed 1' });
  sim.events.messageCreate({ content: 'missed 2' });
  const [shardId] = await resumed;
  sim.events.messageCreate({ content: 'after' });
  await expect.poll(() => texts).toEqual(['before', 'missed 1', 'missed 2', 'after']);
  const ledger = sim.ledger();
  expect(shardId).toBe(0);
  expect(ledger.shards[0]).toMatchObject({ identifies: 1, resumes: 1, disconnects: { 4000: 1 } });
  expect(ledger.dispatches[0]?.['MESSAGE_CREATE']).toBe(4);
  expect([ledger.redelivered, ledger.undelivered]).toEqual([{}, {}]);
});

test('op 7: the client reconnects and resumes', async () => {
  await start();
  const resumed = next(client, Events.ShardResume);
  sim.gateway.reconnect();
  await resumed;
  expect(sim.ledger().shards[0]).toMatchObject({ reconnectsAsked: 1, resumes: 1, identifies: 1 });
});

test.each([
  [true, { resumes: 1, identifies: 1 }],
  [false, { resumes: 0, identifies: 2 }],
])('op 9, resumable %s', async (resumable, expected) => {
  await start();
  const back = next(client, resumable ? Events.ShardResume : Events.ShardReady);
  sim.gateway.invalidSession({ resumable });
  await back;
  expect(sim.ledger().shards[0]).toMatchObject({ invalidSessions: 1, ...expected });
});

test('a cut TCP connection: the client resumes', async () => {
  await start();
  const resumed = next(client, Events.ShardResume);
  sim.gateway.kill();
  await resumed;
  expect(sim.ledger().shards[0]).toMatchObject({ resumes: 1, disconnects: { killed: 1 } });
});

test('a refused resume: the client identifies anew and what it missed is lost', async () => {
  await start({ guilds: 1 });
  const ready = next(client, Events.ShardReady);
  sim.gateway.refuseResume();
  sim.gateway.close({ code: 4000 });
  sim.events.messageCreate({ content: 'missed' });
  await ready;
  const ledger = sim.ledger();
  expect(ledger.shards[0]).toMatchObject({ resumes: 0, resumesRefused: 1, identifies: 2 });
  // The connection that was closed, and the one on which the resume was refused.
  const disconnects = ledger.shards[0]?.disconnects ?? {};
  expect(Object.values(disconnects).reduce((sum, count) => sum + count, 0)).toBe(2);
  expect(ledger.undelivered[0]).toEqual({ MESSAGE_CREATE: 1 });
});

test('a restarted bot gets a new session; the one it left is not waited for', async () => {
  await start({ guilds: 1 });
  sim.gateway.kill();
  await client.destroy();
  expect(sim.gateway.sessions()).toMatchObject([{ connected: false }]);
  client = clientOf(sim);
  await login(client);
  const heard = next(client, Events.MessageCreate);
  sim.events.messageCreate({ content: 'after the restart' });
  await heard;
  expect(sim.gateway.sessions()).toMatchObject([{ connected: true }]);
  expect(sim.ledger().undelivered).toEqual({});
});

test('heartbeat without ack: the client drops the connection and resumes', async () => {
  await start({ heartbeatIntervalMs: 250 });
  await expect.poll(() => client.ws.ping).toBeGreaterThanOrEqual(0);
  const resumed = next(client, Events.ShardResume);
  sim.gateway.withholdAcks({ withheld: true });
  await resumed;
  sim.gateway.clearFaults();
  expect(sim.ledger().shards[0]?.resumes).toBeGreaterThanOrEqual(1);
});

test('close 4004 ends the shard for good', async () => {
  await start();
  const gone = next<[{ code: number }, number]>(client, Events.ShardDisconnect);
  sim.gateway.close({ code: 4004 });
  const [event, shardId] = await gone;
  expect([event.code, shardId]).toEqual([4004, 0]);
});

test('an intent that is not granted is refused with 4014', async () => {
  sim = await startChatSim({ allowedIntents: GatewayIntentBits.Guilds });
  client = clientOf(sim, {
    intents: GatewayIntentBits.Guilds | GatewayIntentBits.GuildMembers,
  });
  await expect(client.login('any.token')).rejects.toThrow(/disallowed intents/i);
});

test('a wrong token is refused', async () => {
  sim = await startChatSim({ tokens: ['right.token'] });
  client = clientOf(sim);
  await expect(client.login('wrong.token')).rejects.toThrow(/token/i);
});

test('an outage is no leave, its end is no join', async () => {
  await start({ guilds: 3 });
  const events: string[] = [];
  client.on(Events.GuildCreate, () => events.push('guildCreate'));
  client.on(Events.GuildDelete, () => events.push('guildDelete'));
  client.on(Events.GuildUnavailable, () => events.push('unavailable'));
  client.on(Events.GuildAvailable, () => events.push('available'));
  sim.guilds.outage();
  sim.guilds.restore();
  await expect.poll(() => events.length).toBe(6);
  expect(events.toSorted()).toEqual([
    ...Array<string>(3).fill('available'),
    ...Array<string>(3).fill('unavailable'),
  ]);
  expect(sim.ledger().guilds).toEqual({ joins: 0, leaves: 0, outages: 3, recoveries: 3 });
});

test('a guild that is down at login stays unavailable until its end', async () => {
  sim = await startChatSim({ guilds: 2 });
  const [downId = ''] = sim.world.guilds.keys();
  sim.guilds.outage(downId);
  client = clientOf(sim);
  await login(client);
  expect(client.guilds.cache.get(downId)?.available).toBe(false);
  const available = next(client, Events.GuildAvailable);
  sim.guilds.restore(downId);
  await available;
});

test('join and leave', async () => {
  await start({ guilds: 1 });
  const joined = next<[{ id: string; memberCount: number }]>(client, Events.GuildCreate);
  const guild = sim.guilds.join();
  const [seen] = await joined;
  expect(seen).toMatchObject({ id: guild.facts.id, memberCount: guild.members.size });
  const left = next<[{ id: string }]>(client, Events.GuildDelete);
  sim.guilds.leave(guild.facts.id);
  expect((await left)[0].id).toBe(guild.facts.id);
  expect(sim.ledger().guilds).toMatchObject({ joins: 1, leaves: 1 });
});

test('all members of a guild can be fetched over the gateway', async () => {
  await start({ guilds: 1, membersPerGuild: [1500, 1500] });
  const guild = client.guilds.cache.first();
  const members = await guild?.members.fetch();
  expect(members?.size).toBe(1501);
});
