import { Events } from 'discord.js';
import type { Client, Interaction } from 'discord.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startChatSim } from '../../src/index.ts';
import type { ChatSim } from '../../src/index.ts';
import { clientOf, login } from './discordjs-client.ts';

let sim: ChatSim;
let client: Client;

beforeEach(async () => {
  sim = await startChatSim({ guilds: 6, shards: 1 });
});

afterEach(async () => {
  await client.destroy();
  await sim.stop();
});

test('logs in, sees every guild and answers a slash command', async () => {
  client = clientOf(sim);
  await login(client);
  expect(client.guilds.cache.size).toBe(6);
  client.on(Events.InteractionCreate, (interaction: Interaction) => {
    if (interaction.isChatInputCommand()) void interaction.reply('Pong');
  });

  const record = await sim.settled(sim.users.slash({ command: 'ping' }));

  expect(record).toMatchObject({ outcome: 'answered', responseKind: 'reply', shardId: 0 });
  expect(sim.ledger().interactions).toEqual({ slash: { sent: 1, answered: 1, reply: 1 } });
  expect(sim.ledger().rest['POST /interactions/{id}/{token}/callback']).toEqual({ 204: 1 });
});
