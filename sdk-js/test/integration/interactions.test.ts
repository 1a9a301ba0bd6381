import {
  ModalBuilder,
  TextInputBuilder,
  ActionRowBuilder,
  TextInputStyle,
  type Interaction,
} from 'discord.js';
import { afterEach, describe, expect, test } from 'vitest';
import { onInteraction, startBot, type Bot, type BotSetup } from '../support/bot.ts';

let bot: Bot;
afterEach(async () => {
  await bot.stop();
});

async function withHandler(
  handler: (interaction: Interaction) => Promise<unknown>,
  setup: BotSetup = {},
): Promise<Bot> {
  bot = await startBot({
    ...setup,
    prepare: (client) => onInteraction(client, handler),
  });
  return bot;
}

const CANARY = 'canary-7f3a';

function modal(): ModalBuilder {
  const input = new TextInputBuilder()
    .setCustomId('field')
    .setLabel('Say')
    .setStyle(TextInputStyle.Short);
  return new ModalBuilder()
    .setCustomId('form:123456789012345678')
    .setTitle('Form')
    .addComponents(new ActionRowBuilder<TextInputBuilder>().addComponents(input));
}

async function answerAll(interaction: Interaction): Promise<unknown> {
  if (interaction.isAutocomplete())
    return await interaction.respond([{ name: CANARY, value: CANARY }]);
  if (interaction.isButton()) return await interaction.update({ content: CANARY });
  if (interaction.isStringSelectMenu()) return await interaction.deferUpdate();
  if (interaction.isAnySelectMenu()) return await interaction.reply(CANARY);
  if (interaction.isModalSubmit()) return await interaction.reply(CANARY);
  if (interaction.isUserContextMenuCommand()) return await interaction.deferReply();
  if (interaction.isMessageContextMenuCommand()) return await interaction.showModal(modal());
  if (interaction.isChatInputCommand()) return await interaction.reply(CANARY);
  return undefined;
}

describe('interactions', () => {
  test('every kind, with its response, success and latency', async () => {
    const { sim, of, sink } = await withHandler(answerAll);
    const options = { key: { type: 3, value: CANARY } };
    const records = [
      sim.users.slash({ command: 'config set', options }),
      sim.users.slash({ command: 'config roles add', options }),
      sim.users.autocomplete({ command: 'search', options }),
      sim.users.button({ customId: 'ticket:close:123456789012345678' }),
      sim.users.select({ customId: 'pick', select: 'string', values: [CANARY] }),
      sim.users.select({ customId: 'pick-user', select: 'user' }),
      sim.users.select({ customId: 'pick-role', select: 'role' }),
      sim.users.select({ customId: 'pick-mention', select: 'mentionable' }),
      sim.users.select({ customId: 'pick-channel', select: 'channel' }),
      sim.users.modal({ customId: 'form:123456789012345678', fields: { field: CANARY } }),
      sim.users.userMenu({ command: 'Inspect' }),
      sim.users.messageMenu({ command: 'Report' }),
    ];
    for (const record of records) expect((await sim.settled(record)).outcome).toBe('answered');
    const seen = [
      ...(await of('interaction_slash', 2)),
      ...(await of('interaction_autocomplete', 1)),
      ...(await of('interaction_button', 1)),
      ...(await of('interaction_select', 5)),
      ...(await of('interaction_modal', 1)),
      ...(await of('interaction_context_menu', 2)),
    ];
    expect(
      seen.map(({ type, data }) => [
        type,
        data.interactionKind,
        data.commandName,
        data.responseKind,
      ]),
    ).toEqual([
      ['interaction_slash', 'slash', 'config set', 'reply'],
      ['interaction_slash', 'slash', 'config roles add', 'reply'],
      ['interaction_autocomplete', 'autocomplete', 'search', 'autocomplete'],
      ['interaction_button', 'button', 'ticket:close:{id}', 'update'],
      ['interaction_select', 'string_select', 'pick', 'defer_update'],
      ['interaction_select', 'user_select', 'pick-user', 'reply'],
      ['interaction_select', 'role_select', 'pick-role', 'reply'],
      ['interaction_select', 'mentionable_select', 'pick-mention', 'reply'],
      ['interaction_select', 'channel_select', 'pick-channel', 'reply'],
      ['interaction_modal', 'modal', 'form:{id}', 'reply'],
      ['interaction_context_menu', 'user_context', 'Inspect', 'defer'],
      ['interaction_context_menu', 'message_context', 'Report', 'modal'],
    ]);
    for (const { data, guildId, channelId, userId } of seen) {
      expect(data).toMatchObject({ success: true, timedOut: false, shardId: 0, errorCode: null });
      expect(data.latencyMs).toBeGreaterThan(0);
      expect(data.latencyMs).toBeLessThan(2_000);
      expect([guildId, channelId, userId].every((id) => /^\d{17,20}$/.test(id ?? ''))).toBe(true);
    }
    expect(sink.requests.map(({ body }) => body).join('')).not.toContain(CANARY);
  });

  test('a reply around the library is seen as raw; in a direct message there is no guild', async () => {
    const { sim, of, client } = await withHandler(async (interaction) => {
      await client.rest.post(`/interactions/${interaction.id}/${interaction.token}/callback`, {
        body: { type: 4, data: { content: 'x' } },
        auth: false,
      });
    });
    await sim.settled(sim.users.slash({ command: 'ping', guildId: null }));
    const [event] = await of('interaction_slash', 1);
    expect(event?.data).toMatchObject({ responseKind: 'raw', success: true });
    expect(event).not.toHaveProperty('guildId');
  });

  test('a reply that comes too late fails with the code of the platform', async () => {
    const { sim, of } = await withHandler(
      async (interaction) => {
        await new Promise((resolve) => setTimeout(resolve, 300));
        if (interaction.isChatInputCommand()) await interaction.reply('late');
      },
      { sim: { interactionDeadlineMs: 100 } },
    );
    const record = sim.users.slash({ command: 'slow' });
    await sim.settled(record);
    await bot.sink.until(() => sim.interactions().some(({ lateAnswers }) => lateAnswers > 0));
    const event = (await of('interaction_slash', 1))[0];
    expect(event?.data).toMatchObject({
      success: false,
      timedOut: false,
      errorCode: 10_062,
      responseKind: 'reply',
    });
    expect((await of('command_error', 1))[0]?.data).toMatchObject({
      code: 10_062,
      phase: 'reply',
      commandName: 'slow',
    });
  });

  test('without an answer the shutdown emits it as unanswered', async () => {
    const { sim, analytics, sink } = await withHandler(async () => undefined, {
      sim: { interactionDeadlineMs: 50 },
    });
    await sim.settled(sim.users.slash({ command: 'dead' }));
    await analytics.shutdown();
    const event = sink.stored.find(({ type }) => type === 'interaction_slash');
    expect(event?.data).toMatchObject({
      success: false,
      latencyMs: null,
      timedOut: false,
      responseKind: null,
    });
  });
});

describe('command_error', () => {
  test.each(['deferReply', 'showModal', 'reply'] as const)(
    'a second answer by %s',
    async (phase) => {
      const { sim, of } = await withHandler(async (interaction) => {
        if (!interaction.isChatInputCommand()) return;
        await interaction.reply('first');
        if (phase === 'deferReply') await interaction.deferReply();
        else if (phase === 'showModal') await interaction.showModal(modal());
        else await interaction.reply('again');
      });
      await sim.settled(sim.users.slash({ command: 'twice' }));
      const errors = await of('command_error', 1);
      expect(errors).toHaveLength(1);
      expect(errors[0]?.data).toMatchObject({
        phase,
        commandName: 'twice',
        interactionKind: 'slash',
        shardId: 0,
      });
      expect(errors[0]?.data.name).toContain('InteractionAlreadyReplied');
    },
  );

  test.each([
    ['editReply', 'PATCH', '/webhooks/{id}/{token}/messages/@original'],
    ['followUp', 'POST', '/webhooks/{id}/{token}'],
    ['deleteReply', 'DELETE', '/webhooks/{id}/{token}/messages/@original'],
  ] as const)('%s that the platform refuses', async (phase, method, route) => {
    let caught: unknown;
    const { sim, of } = await withHandler(async (interaction) => {
      if (!interaction.isChatInputCommand()) return;
      await interaction.reply('first');
      const call = {
        editReply: () => interaction.editReply('x'),
        followUp: () => interaction.followUp('x'),
        deleteReply: () => interaction.deleteReply(),
      }[phase];
      await call().catch((error: unknown) => (caught = error));
    });
    sim.restFaults.add({ kind: 'forbidden', method, route, code: 50_013 });
    await sim.settled(sim.users.slash({ command: 'go' }));
    await bot.sink.until(() => caught !== undefined);
    expect((await of('command_error', 1))[0]?.data).toMatchObject({ phase, code: 50_013 });
  });

  test('respond and update', async () => {
    const { sim, of } = await withHandler(async (interaction) => {
      if (interaction.isAutocomplete()) {
        await interaction.respond([]);
        await interaction.respond([]).catch(() => undefined);
      }
      if (interaction.isButton()) {
        await interaction.deferUpdate();
        await interaction.update('x').catch(() => undefined);
      }
    });
    await sim.settled(sim.users.autocomplete({ command: 'find', options: { q: 'x' } }));
    await sim.settled(sim.users.button({ customId: 'b' }));
    const phases = (await of('command_error', 2)).map(({ data }) => [
      data.phase,
      data.interactionKind,
    ]);
    expect(phases).toEqual([
      ['respond', 'autocomplete'],
      ['update', 'button'],
    ]);
  });

  test('a rejection that the bot does not handle stays unhandled, and is the same error', async () => {
    const rejections: unknown[] = [];
    const listener = (reason: unknown): void => void rejections.push(reason);
    process.on('unhandledRejection', listener);
    let original: unknown;
    bot = await startBot({
      prepare: (client) =>
        client.on('interactionCreate', (interaction) => {
          if (!interaction.isChatInputCommand()) return;
          void interaction.reply('first').then(() => {
            const second = interaction.reply('second');
            // Two followers of one promise: the first sees the error, the second is left unhandled.
            second.catch((error: unknown) => (original = error));
            void second.then(() => undefined);
          });
        }),
    });
    await bot.sim.settled(bot.sim.users.slash({ command: 'twice' }));
    await bot.sink.until(() => rejections.length > 0);
    process.removeListener('unhandledRejection', listener);
    expect(rejections).toHaveLength(1);
    expect(rejections[0]).toBe(original);
  });

  test('handlers of the bot come to no harm when the SDK itself fails', async () => {
    let answered = 0;
    const { sim } = await withHandler(
      async (interaction) => {
        if (interaction.isChatInputCommand()) await interaction.reply('ok');
        answered += 1;
      },
      {
        analytics: {
          beforeSend: () => {
            throw new Error('hook');
          },
        },
      },
    );
    await sim.settled(sim.users.slash({ command: 'ping' }));
    await bot.sink.until(() => answered === 1);
    expect(bot.analytics.stats().dropped.hook).toBeGreaterThan(0);
  });
});
