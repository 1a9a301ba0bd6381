import { Routes, type Client, type REST } from 'discord.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ACTION_TYPES } from '@bot-analytics/protocol';
import type { ChatSim } from '@bot-analytics/chat-sim';
import { onInteraction, startBot, type Bot } from '../support/bot.ts';

/** Ids in the stand-in platform. */
function places(sim: ChatSim) {
  for (const [guildId, guild] of sim.world.guilds) {
    const channel = [...guild.channels.values()].find(({ type }) => type === 0);
    const role = [...guild.roles.values()].find(({ id }) => id !== guildId);
    if (channel === undefined || role === undefined) continue;
    const memberIds = [...guild.members.keys()].filter((id) => id !== sim.world.bot.id);
    return { guildId, channelId: channel.id, memberIds, roleId: role.id };
  }
  throw new Error('no guild with a text channel and a role');
}

/** One call of each of the 22 actions, through the library's REST object. */
async function allActions(client: Client, sim: ChatSim): Promise<void> {
  const { rest } = client;
  const { guildId, channelId, memberIds, roleId } = places(sim);
  const [a = '', b = '', c = '', d = ''] = memberIds;
  const post = async (route: `/${string}`, body: unknown = {}) =>
    (await rest.post(route, { body })) as { id: string; token?: string };
  const { id: m1 } = await post(Routes.channelMessages(channelId), { content: 'canary-body' });
  const { id: m2 } = await post(Routes.channelMessages(channelId), { content: 'canary-body' });
  const { id: m3 } = await post(Routes.channelMessages(channelId), { content: 'canary-body' });
  await rest.patch(Routes.channelMessage(channelId, m1), { body: { content: 'canary-body' } });
  await rest.put(Routes.channelPin(channelId, m1));
  await rest.put(Routes.channelMessageOwnReaction(channelId, m1, encodeURIComponent('🎉')));
  await rest.delete(Routes.channelMessageOwnReaction(channelId, m1, encodeURIComponent('🎉')));
  await post(Routes.threads(channelId, m1), { name: 'canary-body' });
  await rest.post(Routes.channelBulkDelete(channelId), { body: { messages: [m2, m3] } });
  await rest.delete(Routes.channelMessage(channelId, m1));
  const hook = await post(Routes.channelWebhooks(channelId), { name: 'hook' });
  await rest.post(Routes.webhook(hook.id, hook.token), {
    body: { content: 'canary-body' },
    auth: false,
  });
  await post(Routes.userChannels(), { recipient_id: a });
  await rest.put(Routes.guildMemberRole(guildId, a, roleId));
  await rest.delete(Routes.guildMemberRole(guildId, a, roleId));
  await rest.patch(Routes.guildMember(guildId, a), {
    body: { nick: 'canary-body', secret_key: 1 },
  });
  await rest.patch(Routes.guildMember(guildId, a), {
    body: { communication_disabled_until: new Date(Date.now() + 1e5).toISOString() },
  });
  await rest.patch(Routes.guildMember(guildId, a), {
    body: { communication_disabled_until: null },
  });
  await rest.delete(Routes.guildMember(guildId, b));
  await rest.put(Routes.guildBan(guildId, c), { body: {} });
  await rest.delete(Routes.guildBan(guildId, c));
  await rest.post(Routes.guildBulkBan(guildId), { body: { user_ids: [d] } });
  const channel = await post(Routes.guildChannels(guildId), { name: 'canary-body' });
  await rest.patch(Routes.channel(channel.id), { body: { topic: 'canary-body' } });
  await rest.put(Routes.channelPermission(channel.id, roleId), {
    body: { type: 0, allow: '0', deny: '0' },
  });
  await rest.delete(Routes.channel(channel.id));
  await post(Routes.guildRoles(guildId), { name: 'canary-body' });
  await post(Routes.channelInvites(channelId));
}

describe('22 actions', () => {
  let bot: Bot;
  beforeAll(async () => {
    bot = await startBot();
    await allActions(bot.client, bot.sim);
  });
  afterAll(async () => {
    await bot.stop();
  });

  test('each call is one event of its kind; nothing else is', async () => {
    const counts: Record<string, number> = {};
    for (const { type } of await bot.events()) {
      if (type.startsWith('action_')) counts[type] = (counts[type] ?? 0) + 1;
    }
    const expected = Object.fromEntries(ACTION_TYPES.map((type) => [type, 1]));
    // Three messages sent, timeout set and lifted, banned alone and in bulk, channel and overwrite.
    Object.assign(expected, {
      action_message_send: 3,
      action_member_timeout: 2,
      action_member_ban: 2,
      action_channel_update: 2,
    });
    expect(counts).toEqual(expected);
  });

  test('ids, shard and details', async () => {
    const { guildId, channelId, memberIds } = places(bot.sim);
    const [send] = await bot.of('action_message_send');
    expect(send).toMatchObject({
      guildId,
      channelId,
      data: { success: true, status: null, errorCode: null, via: 'channel', shardId: 0 },
    });
    expect(send?.data.latencyMs).toBeGreaterThan(0);
    // The library has forgotten the channel when the call ends.
    const [deleted] = await bot.of('action_channel_delete');
    expect(deleted).toMatchObject({ guildId, data: { success: true, shardId: 0 } });
    expect((await bot.of('action_webhook_send'))[0]?.data).toMatchObject({
      via: 'webhook',
      shardId: null,
    });
    expect((await bot.of('action_message_bulk_delete'))[0]?.data).toMatchObject({ count: 2 });
    expect((await bot.of('action_member_update'))[0]).toMatchObject({
      userId: memberIds[0],
      guildId,
      data: { fields: ['nick'] },
    });
    const timeouts = await bot.of('action_member_timeout');
    expect(timeouts.map(({ data }) => data.cleared)).toEqual([false, true]);
    expect((await bot.of('action_channel_update')).map(({ data }) => data.fields)).toEqual([
      ['topic'],
      ['type', 'allow', 'deny'],
    ]);
    expect((await bot.of('action_member_ban')).map(({ data }) => data.count)).toEqual([
      undefined,
      1,
    ]);
  });

  test('no value of a body is in any request', () => {
    expect(bot.sink.requests.map(({ body }) => body).join('')).not.toMatch(
      /canary-body|secret_key/,
    );
  });
});

describe('the wrapped REST object', () => {
  let bot: Bot;
  afterEach(async () => {
    await bot.stop();
  });

  test('B138: results and rejections pass through; a second wrapper and `this` work', async () => {
    bot = await startBot();
    const { rest } = bot.client;
    const seen: string[] = [];
    const ours = rest.post;
    rest.post = function second(this: REST, ...args) {
      seen.push(String(args[0]));
      return Reflect.apply(ours, this, args);
    };
    const { channelId } = places(bot.sim);
    const message = (await rest.post(Routes.channelMessages(channelId), {
      body: { content: 'x' },
    })) as { id: string };
    expect(message.id).toMatch(/^\d+$/);
    bot.sim.restFaults.add({ kind: 'forbidden', times: 1, code: 50_013 });
    const failure: unknown = await rest
      .post(Routes.channelMessages(channelId), { body: {} })
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 50_013, status: 403 });
    expect(seen).toHaveLength(2);
    const sent = await bot.of('action_message_send', 2);
    expect(sent.map(({ data }) => [data.success, data.status, data.errorCode])).toEqual([
      [true, null, null],
      [false, 403, 50_013],
    ]);
    bot.analytics.detach();
    expect(rest.post.name).toBe('second');
    expect(Object.hasOwn(rest, 'put')).toBe(false);
    expect(Object.hasOwn(rest, 'request')).toBe(false);
  });

  test('a direct rest.request() is one event; GET is none', async () => {
    bot = await startBot();
    const { channelId } = places(bot.sim);
    await bot.client.rest.request({
      method: 'POST' as never,
      fullRoute: Routes.channelMessages(channelId),
      body: { content: 'x' },
    });
    await bot.client.rest.get(Routes.channelMessages(channelId));
    const all = (await bot.events()).filter(({ type }) => type.startsWith('action_'));
    expect(all.map(({ type }) => type)).toEqual(['action_message_send']);
  });

  test('a call that meets a 429 and then passes is one success, its wait included', async () => {
    bot = await startBot();
    bot.sim.restFaults.add({
      kind: 'rate-limit-bucket',
      times: 1,
      retryAfterSeconds: 0.3,
      method: 'POST',
    });
    const { channelId } = places(bot.sim);
    await bot.client.rest.post(Routes.channelMessages(channelId), { body: { content: 'x' } });
    const [event, ...more] = await bot.of('action_message_send', 1);
    expect(more).toEqual([]);
    expect(event?.data.success).toBe(true);
    expect(event?.data.latencyMs).toBeGreaterThan(290);
  });

  test('calls of the library itself: send, reply to an interaction (none), editReply, followUp', async () => {
    bot = await startBot({
      prepare: (client) =>
        onInteraction(client, async (interaction) => {
          if (!interaction.isChatInputCommand()) return;
          await interaction.deferReply();
          await interaction.editReply('x');
          await interaction.followUp('y');
          await interaction.deleteReply();
        }),
    });
    await bot.sim.settled(bot.sim.users.slash({ command: 'go' }));
    await bot.of('action_message_delete', 1);
    const actions = (await bot.events()).filter(({ type }) => type.startsWith('action_'));
    expect(actions.map(({ type, data }) => [type, Reflect.get(data, 'via')])).toEqual([
      ['action_message_edit', 'followup'],
      ['action_webhook_send', 'followup'],
      ['action_message_delete', 'followup'],
    ]);
  });

  test('a rejection nobody handles is unhandled exactly once, as without the SDK', async () => {
    bot = await startBot();
    const reasons: unknown[] = [];
    const listener = (reason: unknown): void => void reasons.push(reason);
    process.on('unhandledRejection', listener);
    bot.sim.restFaults.add({ kind: 'forbidden', times: 1 });
    void bot.client.rest.post(Routes.channelMessages(places(bot.sim).channelId), { body: {} });
    await bot.sink.until(() => reasons.length > 0);
    await new Promise((resolve) => setImmediate(resolve));
    process.removeListener('unhandledRejection', listener);
    expect(reasons).toHaveLength(1);
  });

  test('collect: parts can be left out', async () => {
    bot = await startBot({
      analytics: {
        collect: { actions: false, interactions: false, gateway: false, snapshots: false },
      },
    });
    await bot.client.rest.post(Routes.channelMessages(places(bot.sim).channelId), {
      body: { content: 'x' },
    });
    await bot.sim.settled(bot.sim.users.slash({ command: 'x' }));
    const types = new Set((await bot.events()).map(({ type }) => type));
    expect(types).toEqual(new Set(['shard_connect', 'shard_ready', 'heartbeat']));
    expect(Object.hasOwn(bot.client.rest, 'post')).toBe(false);
  });
});
