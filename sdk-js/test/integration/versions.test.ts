import { createRequire } from 'node:module';
import { GatewayIntentBits, type Client } from 'discord.js';
import { afterEach, describe, expect, test } from 'vitest';
import { onInteraction, startBot, textChannelOf, type Bot } from '../support/bot.ts';

const require = createRequire(import.meta.url);

let bot: Bot;
afterEach(async () => {
  await bot.stop();
});

/** The oldest and the newest version 14, by the name under which each is installed. */
const VERSIONS = ['discord.js-14.0', 'discord.js'];

/** The class of one version. Both have the parts that the tests use. */
function clientOf(name: string): typeof Client {
  return (require(name) as { readonly Client: typeof Client }).Client;
}

describe.each(VERSIONS)('%s', (name) => {
  test('interactions, actions, counters, guilds, heartbeats', async () => {
    bot = await startBot({
      Client: clientOf(name),
      sim: { shards: 2 },
      client: { intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages] },
      prepare: (client) =>
        onInteraction(client, async (interaction) => {
          if (!interaction.isChatInputCommand()) return;
          await interaction.reply('x');
          await interaction.editReply('y');
          await interaction.reply('z');
        }),
    });
    const { sim, of, client } = bot;
    await sim.settled(sim.users.slash({ command: 'config set' }));
    const [slash] = await of('interaction_slash', 1);
    expect(slash?.data).toMatchObject({
      commandName: 'config set',
      success: true,
      responseKind: 'reply',
    });
    expect((await of('command_error', 1))[0]?.data).toMatchObject({ phase: 'reply' });
    expect((await of('action_message_edit', 1))[0]?.data).toMatchObject({ via: 'followup' });
    await client.rest.post(`/channels/${textChannelOf(sim)}/messages`, { body: { content: 'x' } });
    expect(await of('action_message_send', 1)).toHaveLength(1);
    sim.guilds.join();
    expect(await of('guild_join', 1)).toHaveLength(1);
    const beats = await of('heartbeat', 2);
    expect(beats.every(({ data }) => data.shardCount === 2 && data.shardStatus === 'ready')).toBe(
      true,
    );
    expect(beats.find(({ data }) => data.primary)?.data.restRequests).toBeGreaterThan(0);
    const sent = Object.values(sim.ledger().dispatches).reduce(
      (sum, byName) => sum + (byName['MESSAGE_CREATE'] ?? 0),
      0,
    );
    const counters = await of('event_message_create', 1);
    expect(counters.reduce((sum, { data }) => sum + data.count, 0)).toBe(sent);
  });

  test('a cut connection: disconnect, reconnect, resume', async () => {
    bot = await startBot({ Client: clientOf(name) });
    bot.sim.gateway.close({ code: 4000 });
    await bot.of('shard_resume', 1);
    const types = (await bot.events())
      .map(({ type }) => type)
      .filter((type) => type.startsWith('shard_'));
    expect(types.slice(2).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'shard_disconnect',
      'shard_reconnect',
      'shard_resume',
    ]);
  });
});
