import { createInterface } from 'node:readline';
import { Client, EmbedBuilder, Events, GatewayIntentBits } from 'discord.js';
import { Analytics } from '@vendor/chat.js';

const client = new Client({
  intents: [
    GatewayIntentBits.Guilds,
    GatewayIntentBits.GuildMembers,
    GatewayIntentBits.GuildModeration,
    GatewayIntentBits.GuildInvites,
    GatewayIntentBits.GuildVoiceStates,
    GatewayIntentBits.GuildMessages,
    GatewayIntentBits.GuildMessageReactions,
    GatewayIntentBits.DirectMessages,
    GatewayIntentBits.DirectMessageReactions,
    GatewayIntentBits.MessageContent,
    GatewayIntentBits.AutoModerationExecution,
  ],
  shards: 'auto',
  waitGuildTimeout: 500,
  rest: { api: process.env.CHAT_SIM_REST },
});
const lost = {};
const analytics = new Analytics({
  flushIntervalMs: 1_000,
  snapshotIntervalMs: 5_000,
  onDrop: ({ type, count }) => {
    const key = type ?? 'unknown';
    lost[key] = (lost[key] ?? 0) + count;
  },
}).attach(client);
client.on(Events.Error, () => undefined);
// The bot lives on after an error that nobody caught.
process.on('unhandledRejection', () => undefined);

/** One thing each, through the library's own methods. */
const ACTS = {
  action_message_send: ({ channel, note }) =>
    channel.send({ content: note, embeds: [new EmbedBuilder().setTitle(note)] }),
  action_message_edit: async ({ channel, note }) => (await channel.send('first')).edit(note),
  action_message_delete: async ({ channel, note }) => (await channel.send(note)).delete(),
  action_message_bulk_delete: async ({ channel, note }) =>
    channel.bulkDelete([await channel.send(note), await channel.send(note)]),
  action_message_pin: async ({ channel, note }) => (await channel.send(note)).pin(),
  action_reaction_add: async ({ channel, note }) => (await channel.send(note)).react('👍'),
  action_reaction_remove: async ({ channel, note }) => {
    const message = await channel.send(note);
    await message.react('👍');
    await message.reactions.removeAll();
  },
  action_thread_create: ({ channel, note }) => channel.threads.create({ name: note }),
  action_webhook_send: async ({ channel, note }) =>
    (await channel.createWebhook({ name: 'hook' })).send(note),
  action_dm_open: ({ target }) => client.users.createDM(target, { force: true }),
  action_role_grant: ({ guild, target, role }) => guild.members.addRole({ user: target, role }),
  action_role_revoke: ({ guild, target, role }) => guild.members.removeRole({ user: target, role }),
  action_member_ban: ({ guild, target }) => guild.members.ban(target),
  action_member_unban: async ({ guild, target }) => {
    await guild.members.ban(target);
    await guild.members.unban(target);
  },
  action_member_kick: ({ guild, target }) => guild.members.kick(target),
  action_member_timeout: ({ guild, target }) =>
    guild.members.edit(target, { communicationDisabledUntil: Date.now() + 60_000 }),
  action_member_update: ({ guild, target, note }) => guild.members.edit(target, { nick: note }),
  action_channel_create: ({ guild, note }) => guild.channels.create({ name: note }),
  action_channel_update: ({ channel, note }) => channel.setTopic(note),
  action_channel_delete: async ({ guild, note }) =>
    (await guild.channels.create({ name: note })).delete(),
  action_role_create: ({ guild, note }) => guild.roles.create({ name: note }),
  action_invite_create: ({ channel }) => channel.createInvite(),
  captured_error: () => analytics.captureError(new Error('reported by hand')),
  stray_error: () => void Promise.reject(new Error('caught by nobody')),
  answer_twice: () => undefined,
};

async function act(interaction) {
  const text = (name) => interaction.options.getString(name) ?? '';
  const { guild, channel } = interaction;
  const what = text('what');
  let answer = 'done';
  try {
    await ACTS[what]({
      guild,
      channel,
      target: text('target'),
      role: text('role'),
      note: text('note'),
    });
  } catch (error) {
    answer = `failed: ${String(error)}`;
  }
  await interaction.reply(answer);
  if (what === 'answer_twice') await interaction.reply('again');
}

async function answer(interaction) {
  if (interaction.isAutocomplete()) await interaction.respond([{ name: 'a', value: 'a' }]);
  else if (interaction.isMessageComponent()) await interaction.deferUpdate();
  else if (!interaction.isChatInputCommand()) await interaction.reply('noted');
  else if (interaction.commandName === 'act') await act(interaction);
  else if (interaction.commandName === 'form') await interaction.showModal(FORM);
  else await interaction.reply('pong');
}

const FORM = {
  title: 'Form',
  customId: 'form',
  components: [{ type: 1, components: [{ type: 4, customId: 'text', label: 'Text', style: 1 }] }],
};

client.on(Events.InteractionCreate, (interaction) => {
  answer(interaction).catch(() => undefined);
});

async function finish() {
  await analytics.shutdown({ timeoutMs: 20_000 });
  const { delivered, dropped } = analytics.stats();
  console.log(JSON.stringify({ delivered, dropped, lost }));
  await client.destroy();
  process.exit(0);
}

let finishing = false;
createInterface(process.stdin)
  .on('line', (line) => {
    finishing = line === 'finish';
    if (finishing) void finish();
  })
  // Whoever started the bot is gone.
  .on('close', () => {
    if (!finishing) process.exit(1);
  });
await client.login('any.token');
