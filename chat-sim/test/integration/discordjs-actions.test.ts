import { ChannelType } from 'discord.js';
import type { Client, Guild, GuildMember, Message, Role, TextChannel } from 'discord.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startChatSim } from '../../src/index.ts';
import type { ChatSim } from '../../src/index.ts';
import { clientOf, login } from './discordjs-client.ts';

/** What an action may touch. */
interface Stage {
  readonly guild: Guild;
  readonly channel: TextChannel;
  readonly member: GuildMember;
  readonly role: Role;
  readonly message: Message<true>;
}

interface ActionCase {
  readonly name: string;
  readonly act: (stage: Stage) => Promise<unknown>;
  /** Ledger key of the call, with how often it is made and its status. */
  readonly call: string;
  readonly status: number;
  /** Dispatches that follow. */
  readonly dispatches: Readonly<Record<string, number>>;
}

let sim: ChatSim;
let client: Client<true>;
let stage: Stage;

beforeAll(async () => {
  sim = await startChatSim({ seed: 9, guilds: 1, membersPerGuild: [30, 30] });
  client = await login(clientOf(sim));
});

afterAll(async () => {
  await client.destroy();
  await sim.stop();
});

beforeEach(async () => {
  const guild = client.guilds.cache.first();
  if (guild === undefined) throw new Error('Expected a guild.');
  const made = sim.events.memberJoin({ guildId: guild.id });
  const member = await guild.members.fetch(made.user.id);
  const channel = await guild.channels.create({ name: 'stage', type: ChannelType.GuildText });
  const role = await guild.roles.create({ name: 'stage' });
  const message = await channel.send('stage');
  stage = { guild, channel, member, role, message };
  sim.resetLedger();
});

const CASES: readonly ActionCase[] = [
  {
    name: 'message send',
    act: ({ channel }) => channel.send({ content: 'hello', files: [Buffer.from('file')] }),
    call: 'POST /channels/{id}/messages',
    status: 200,
    dispatches: { MESSAGE_CREATE: 1 },
  },
  {
    name: 'message edit',
    act: ({ message }) => message.edit('changed'),
    call: 'PATCH /channels/{id}/messages/{id}',
    status: 200,
    dispatches: { MESSAGE_UPDATE: 1 },
  },
  {
    name: 'message delete',
    act: ({ message }) => message.delete(),
    call: 'DELETE /channels/{id}/messages/{id}',
    status: 204,
    dispatches: { MESSAGE_DELETE: 1 },
  },
  {
    name: 'message bulk delete',
    act: async ({ channel, message }) =>
      channel.bulkDelete([message, sim.events.messageCreate({ channelId: channel.id }).id]),
    call: 'POST /channels/{id}/messages/bulk-delete',
    status: 204,
    dispatches: { MESSAGE_CREATE: 1, MESSAGE_DELETE_BULK: 1 },
  },
  {
    name: 'message pin',
    act: ({ message }) => message.pin(),
    call: 'PUT /channels/{id}/messages/pins/{id}',
    status: 204,
    dispatches: { CHANNEL_PINS_UPDATE: 1, MESSAGE_UPDATE: 1 },
  },
  {
    name: 'message pin, old path',
    act: ({ channel, message }) => client.rest.put(`/channels/${channel.id}/pins/${message.id}`),
    call: 'PUT /channels/{id}/pins/{id}',
    status: 204,
    dispatches: { CHANNEL_PINS_UPDATE: 1, MESSAGE_UPDATE: 1 },
  },
  {
    name: 'reaction add',
    act: ({ message }) => message.react('👍'),
    call: 'PUT /channels/{id}/messages/{id}/reactions/{emoji}/@me',
    status: 204,
    dispatches: { MESSAGE_REACTION_ADD: 1 },
  },
  {
    name: 'reaction remove',
    act: async ({ message, member }) => {
      sim.events.reactionAdd({ messageId: message.id, userId: member.id, emoji: '👍' });
      const path = `/channels/${message.channelId}/messages/${message.id}/reactions` as const;
      await client.rest.delete(`${path}/${encodeURIComponent('👍')}/${member.id}`);
    },
    call: 'DELETE /channels/{id}/messages/{id}/reactions/{emoji}/{id}',
    status: 204,
    dispatches: { MESSAGE_REACTION_ADD: 1, MESSAGE_REACTION_REMOVE: 1 },
  },
  {
    name: 'all reactions removed',
    act: ({ message }) => message.reactions.removeAll(),
    call: 'DELETE /channels/{id}/messages/{id}/reactions',
    status: 204,
    dispatches: { MESSAGE_REACTION_REMOVE_ALL: 1 },
  },
  {
    name: 'thread create',
    act: ({ channel }) => channel.threads.create({ name: 'thread' }),
    call: 'POST /channels/{id}/threads',
    status: 201,
    dispatches: { THREAD_CREATE: 1 },
  },
  {
    name: 'thread on a message',
    act: ({ message }) => message.startThread({ name: 'thread' }),
    call: 'POST /channels/{id}/messages/{id}/threads',
    status: 201,
    dispatches: { THREAD_CREATE: 1 },
  },
  {
    name: 'forum post',
    act: async ({ guild }) => {
      const forum = guild.channels.cache.find(({ type }) => type === ChannelType.GuildForum);
      if (forum?.type !== ChannelType.GuildForum) throw new Error('Expected a forum.');
      await forum.threads.create({ name: 'post', message: { content: 'first' } });
    },
    call: 'POST /channels/{id}/threads',
    status: 201,
    dispatches: { THREAD_CREATE: 1, MESSAGE_CREATE: 1 },
  },
  {
    name: 'webhook send',
    act: async ({ channel }) => (await channel.createWebhook({ name: 'hook' })).send('hello'),
    call: 'POST /webhooks/{id}/{token}',
    status: 200,
    dispatches: { WEBHOOKS_UPDATE: 1, MESSAGE_CREATE: 1 },
  },
  {
    name: 'direct message open',
    act: ({ member }) => member.createDM(),
    call: 'POST /users/@me/channels',
    status: 200,
    dispatches: {},
  },
  {
    name: 'role grant',
    act: ({ member, role }) => member.roles.add(role),
    call: 'PUT /guilds/{id}/members/{id}/roles/{id}',
    status: 204,
    dispatches: { GUILD_MEMBER_UPDATE: 1 },
  },
  {
    name: 'role revoke',
    act: ({ member, role }) => member.roles.remove(role),
    call: 'DELETE /guilds/{id}/members/{id}/roles/{id}',
    status: 204,
    dispatches: { GUILD_MEMBER_UPDATE: 1 },
  },
  {
    name: 'ban',
    act: ({ member }) => member.ban({ reason: 'test' }),
    call: 'PUT /guilds/{id}/bans/{id}',
    status: 204,
    dispatches: { GUILD_MEMBER_REMOVE: 1, GUILD_BAN_ADD: 1 },
  },
  {
    name: 'bulk ban',
    act: ({ guild, member }) => guild.bans.bulkCreate([member]),
    call: 'POST /guilds/{id}/bulk-ban',
    status: 200,
    dispatches: { GUILD_MEMBER_REMOVE: 1, GUILD_BAN_ADD: 1 },
  },
  {
    name: 'unban',
    act: ({ guild }) => guild.bans.remove(sim.events.memberBan({ guildId: guild.id }).id),
    call: 'DELETE /guilds/{id}/bans/{id}',
    status: 204,
    dispatches: { GUILD_BAN_ADD: 1, GUILD_BAN_REMOVE: 1 },
  },
  {
    name: 'kick',
    act: ({ guild, member }) => guild.members.kick(member),
    call: 'DELETE /guilds/{id}/members/{id}',
    status: 204,
    dispatches: { GUILD_MEMBER_REMOVE: 1 },
  },
  {
    name: 'timeout',
    act: ({ member }) => member.timeout(60_000),
    call: 'PATCH /guilds/{id}/members/{id}',
    status: 200,
    dispatches: { GUILD_MEMBER_UPDATE: 1 },
  },
  {
    name: 'member update',
    act: ({ member }) => member.setNickname('nick'),
    call: 'PATCH /guilds/{id}/members/{id}',
    status: 200,
    dispatches: { GUILD_MEMBER_UPDATE: 1 },
  },
  {
    name: 'own member update',
    act: ({ guild }) => guild.members.editMe({ nick: 'nick' }),
    call: 'PATCH /guilds/{id}/members/@me',
    status: 200,
    dispatches: { GUILD_MEMBER_UPDATE: 1 },
  },
  {
    name: 'channel create',
    act: ({ guild }) => guild.channels.create({ name: 'new' }),
    call: 'POST /guilds/{id}/channels',
    status: 201,
    dispatches: { CHANNEL_CREATE: 1 },
  },
  {
    name: 'channel update',
    act: ({ channel }) => channel.setTopic('topic'),
    call: 'PATCH /channels/{id}',
    status: 200,
    dispatches: { CHANNEL_UPDATE: 1 },
  },
  {
    name: 'channel permissions',
    act: ({ channel, role }) => channel.permissionOverwrites.create(role, { SendMessages: true }),
    call: 'PUT /channels/{id}/permissions/{id}',
    status: 204,
    dispatches: { CHANNEL_UPDATE: 1 },
  },
  {
    name: 'channel delete',
    act: ({ channel }) => channel.delete(),
    call: 'DELETE /channels/{id}',
    status: 200,
    dispatches: { CHANNEL_DELETE: 1 },
  },
  {
    name: 'role create',
    act: ({ guild }) => guild.roles.create({ name: 'new' }),
    call: 'POST /guilds/{id}/roles',
    status: 200,
    dispatches: { GUILD_ROLE_CREATE: 1 },
  },
  {
    name: 'invite create',
    act: ({ channel }) => channel.createInvite(),
    call: 'POST /channels/{id}/invites',
    status: 200,
    dispatches: { INVITE_CREATE: 1 },
  },
];

test.each(CASES)('$name', async ({ act, call, status, dispatches }) => {
  await act(stage);
  const ledger = sim.ledger();
  expect(ledger.rest[call]).toEqual({ [status]: 1 });
  expect(ledger.dispatches[0] ?? {}).toEqual(dispatches);
});

describe('the state changes', () => {
  test('messages', async () => {
    const { channel, message } = stage;
    await message.edit('changed');
    expect(sim.world.message(channel.id, message.id).content).toBe('changed');
    await message.pin();
    expect((await channel.messages.fetchPins()).items).toHaveLength(1);
    await message.delete();
    await expect(channel.messages.fetch(message.id)).rejects.toMatchObject({ code: 10008 });
  });

  test('members, roles and bans', async () => {
    const { guild, member, role } = stage;
    const state = sim.world.guild(guild.id);
    await member.roles.add(role);
    await member.timeout(60_000);
    expect(state.members.get(member.id)?.roles).toEqual([role.id]);
    expect(state.members.get(member.id)?.communication_disabled_until).not.toBeNull();
    await member.ban();
    expect([state.members.has(member.id), state.bans.has(member.id)]).toEqual([false, true]);
    await expect(guild.members.kick(member.id)).rejects.toMatchObject({ code: 10007, status: 404 });
  });

  test('commands, guild counts, unknown routes', async () => {
    const commands = await client.application.commands.set([{ name: 'ping', description: 'x' }]);
    const sent = sim.users.slash({ command: 'ping' });
    expect(commands.first()?.name).toBe('ping');
    expect(sent.shardId).toBe(0);
    const guild = await stage.guild.fetch();
    expect(guild.approximateMemberCount).toBe(sim.world.guild(guild.id).members.size);
    await expect(client.rest.get('/no/such/route')).rejects.toMatchObject({ status: 404 });
  });
});
