import { GatewayIntentBits, Partials } from 'discord.js';
import type { Client } from 'discord.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startChatSim } from '../../src/index.ts';
import type { ChatSim } from '../../src/index.ts';
import { clientOf, login, next } from './discordjs-client.ts';

/** Every gateway kind of the catalogue: simulation method, client event, dispatch. */
const KINDS = [
  ['messageCreate', 'messageCreate', 'MESSAGE_CREATE'],
  ['messageUpdate', 'messageUpdate', 'MESSAGE_UPDATE'],
  ['messageDelete', 'messageDelete', 'MESSAGE_DELETE'],
  ['messageBulkDelete', 'messageDeleteBulk', 'MESSAGE_DELETE_BULK'],
  ['reactionAdd', 'messageReactionAdd', 'MESSAGE_REACTION_ADD'],
  ['reactionRemove', 'messageReactionRemove', 'MESSAGE_REACTION_REMOVE'],
  ['memberJoin', 'guildMemberAdd', 'GUILD_MEMBER_ADD'],
  ['memberLeave', 'guildMemberRemove', 'GUILD_MEMBER_REMOVE'],
  ['memberUpdate', 'guildMemberUpdate', 'GUILD_MEMBER_UPDATE'],
  ['memberBan', 'guildBanAdd', 'GUILD_BAN_ADD'],
  ['memberUnban', 'guildBanRemove', 'GUILD_BAN_REMOVE'],
  ['channelCreate', 'channelCreate', 'CHANNEL_CREATE'],
  ['channelUpdate', 'channelUpdate', 'CHANNEL_UPDATE'],
  ['channelDelete', 'channelDelete', 'CHANNEL_DELETE'],
  ['threadCreate', 'threadCreate', 'THREAD_CREATE'],
  ['threadDelete', 'threadDelete', 'THREAD_DELETE'],
  ['roleCreate', 'roleCreate', 'GUILD_ROLE_CREATE'],
  ['roleUpdate', 'roleUpdate', 'GUILD_ROLE_UPDATE'],
  ['roleDelete', 'roleDelete', 'GUILD_ROLE_DELETE'],
  ['voiceStateUpdate', 'voiceStateUpdate', 'VOICE_STATE_UPDATE'],
  ['inviteCreate', 'inviteCreate', 'INVITE_CREATE'],
  ['inviteDelete', 'inviteDelete', 'INVITE_DELETE'],
  ['guildUpdate', 'guildUpdate', 'GUILD_UPDATE'],
  ['automodAction', 'autoModerationActionExecution', 'AUTO_MODERATION_ACTION_EXECUTION'],
  ['presenceUpdate', 'presenceUpdate', 'PRESENCE_UPDATE'],
  ['typingStart', 'typingStart', 'TYPING_START'],
] as const;

describe('with every intent', () => {
  let sim: ChatSim;
  let client: Client;

  beforeAll(async () => {
    sim = await startChatSim({ seed: 5, guilds: 2 });
    client = clientOf(sim, { partials: [Partials.Channel, Partials.Message, Partials.Reaction] });
    await login(client);
  });

  afterAll(async () => {
    await client.destroy();
    await sim.stop();
  });

  test.each(KINDS)('%s reaches the client as %s', async (method, event, dispatch) => {
    const before = sim.ledger().dispatches[0]?.[dispatch] ?? 0;
    const heard = next(client, event);
    sim.events[method]();
    await heard;
    expect(sim.ledger().dispatches[0]?.[dispatch]).toBeGreaterThan(before);
  });

  test('text and embeds arrive as they were sent', async () => {
    const heard = next(client, 'messageCreate');
    sim.events.messageCreate({ content: 'canary', fields: { embeds: [{ title: 'canary' }] } });
    const [message] = await heard;
    expect(message).toMatchObject({ content: 'canary', embeds: [{ title: 'canary' }] });
  });

  test('direct messages arrive on shard 0', async () => {
    const heard = next(client, 'messageCreate');
    sim.events.messageCreate({ guildId: null, content: 'psst' });
    expect((await heard)[0]).toMatchObject({ content: 'psst', guildId: null });
  });
});

describe('with the guild intent only', () => {
  let sim: ChatSim;
  let client: Client;

  beforeAll(async () => {
    sim = await startChatSim({ seed: 5, guilds: 2 });
    client = clientOf(sim, { intents: GatewayIntentBits.Guilds });
    await login(client);
  });

  afterAll(async () => {
    await client.destroy();
    await sim.stop();
  });

  const NEEDS_ONLY_GUILDS = /^(GUILD_(UPDATE|ROLE_\w+)|CHANNEL_\w+|THREAD_\w+)$/;

  test.each(KINDS)('%s is sent only if the intent covers it', (method, _, dispatch) => {
    sim.resetLedger();
    sim.events[method]();
    const sent = sim.ledger().dispatches[0]?.[dispatch] ?? 0;
    const unheard = sim.ledger().unheard[dispatch] ?? 0;
    const expected = NEEDS_ONLY_GUILDS.test(dispatch) ? [1, 0] : [0, 1];
    expect([Math.min(sent, 1), Math.min(unheard, 1)]).toEqual(expected);
  });
});

test('without the content intent a message has no text, except one that mentions the bot', async () => {
  const sim = await startChatSim({ guilds: 1 });
  const intents = GatewayIntentBits.Guilds | GatewayIntentBits.GuildMessages;
  const client = await login(clientOf(sim, { intents }));
  const quiet = next(client, 'messageCreate');
  sim.events.messageCreate({ content: 'canary', fields: { embeds: [{ title: 'canary' }] } });
  expect((await quiet)[0]).toMatchObject({ content: '', embeds: [] });
  const called = next(client, 'messageCreate');
  sim.events.messageCreate({ content: `Hello <@${sim.world.bot.id}>` });
  expect((await called)[0]).toMatchObject({ content: `Hello <@${sim.world.bot.id}>` });
  await client.destroy();
  await sim.stop();
});
