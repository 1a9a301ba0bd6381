import { Client, Events, GatewayIntentBits } from 'discord.js';
import { Analytics } from '@vendor/chat.js';

/**
 * A discord.js bot as a user would write it, in a process of its own so that a test can kill it:
 * every slash command is answered after THINK_MS. Settings by environment.
 */
const client = new Client({
  intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages],
  shards: 'auto',
  waitGuildTimeout: 500,
  rest: { api: process.env.CHAT_SIM_REST },
});
const thinkMs = Number(process.env.THINK_MS ?? 0);
client.on(Events.InteractionCreate, (interaction) => {
  if (!interaction.isChatInputCommand()) return;
  setTimeout(() => void interaction.reply('done').catch(() => undefined), thinkMs);
});
const analytics = new Analytics({ flushIntervalMs: 500, snapshotIntervalMs: 1_000 }).attach(client);

process.on('message', (message) => {
  if (message !== 'finish') return;
  void (async () => {
    await analytics.shutdown({ timeoutMs: 20_000 });
    process.send?.(analytics.stats());
    process.disconnect();
    await client.destroy();
  })();
});
await client.login('any.token');
