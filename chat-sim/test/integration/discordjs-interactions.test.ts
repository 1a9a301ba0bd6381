import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  ComponentType,
  Events,
  MessageFlags,
  ModalBuilder,
  TextInputBuilder,
  TextInputStyle,
} from 'discord.js';
import type { Client, Interaction, RepliableInteraction } from 'discord.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startChatSim } from '../../src/index.ts';
import type { ChatSim, InteractionRecord } from '../../src/index.ts';
import { clientOf, login } from './discordjs-client.ts';

let sim: ChatSim;
let client: Client<true>;
let guildId: string;

beforeAll(async () => {
  sim = await startChatSim({ seed: 3, interactionDeadlineMs: 1000 });
  client = await login(clientOf(sim));
  guildId = client.guilds.cache.firstKey() ?? '';
});

afterAll(async () => {
  await client.destroy();
  await sim.stop();
});

afterEach(() => {
  client.removeAllListeners(Events.InteractionCreate);
});

/** Runs `handle` on the next interaction; resolves to what it returned and the settled record. */
async function withBot<T>(
  send: () => InteractionRecord,
  handle: (interaction: Interaction) => Promise<T>,
): Promise<{ result: T; record: InteractionRecord }> {
  const handled = new Promise<T>((resolve, reject) => {
    client.once(Events.InteractionCreate, (interaction) => {
      handle(interaction).then(resolve, reject);
    });
  });
  const record = send();
  const result = await handled;
  return { result, record: await sim.settled(record) };
}

function repliable(interaction: Interaction): RepliableInteraction {
  if (!interaction.isRepliable()) throw new Error('Expected an interaction with replies.');
  return interaction;
}

describe('slash commands', () => {
  test('carry subcommand group, subcommand and typed options', async () => {
    const role = [...sim.world.guild(guildId).roles.values()].at(-1);
    const { result, record } = await withBot(
      () =>
        sim.users.slash({
          command: 'config colour set',
          guildId,
          options: {
            text: 'red',
            count: 3,
            share: { type: 10, value: 0.5 },
            sure: true,
            role: { type: 8, value: role?.id ?? '' },
          },
        }),
      async (interaction) => {
        if (!interaction.isChatInputCommand()) throw new Error('Expected a slash command.');
        const { options } = interaction;
        await interaction.reply({ content: 'Set.', flags: MessageFlags.Ephemeral });
        return [
          interaction.commandName,
          options.getSubcommandGroup(),
          options.getSubcommand(),
          options.getString('text'),
          options.getInteger('count'),
          options.getNumber('share'),
          options.getBoolean('sure'),
          options.getRole('role')?.name,
        ];
      },
    );
    expect(result).toEqual(['config', 'colour', 'set', 'red', 3, 0.5, true, role?.name]);
    expect(record).toMatchObject({ name: 'config colour set', responseKind: 'reply' });
  });

  test('deferred, edited, followed up, deleted', async () => {
    const { record } = await withBot(
      () => sim.users.slash({ command: 'report', guildId }),
      async (interaction) => {
        const it = repliable(interaction);
        await it.deferReply();
        const edited = await it.editReply('Here it is.');
        expect(edited.content).toBe('Here it is.');
        const more = await it.followUp('And more.');
        await it.deleteReply(more);
        await it.deleteReply();
      },
    );
    expect(record).toMatchObject({ responseKind: 'defer', edits: 1, followUps: 1, deletes: 2 });
  });

  test('a reply with response gives the message back', async () => {
    const { result, record } = await withBot(
      () => sim.users.slash({ command: 'ping', guildId }),
      (interaction) => repliable(interaction).reply({ content: 'Pong', withResponse: true }),
    );
    expect(result.resource?.message?.content).toBe('Pong');
    expect(result.resource?.message?.id).toBe(record.responseMessageId);
  });

  test('in a direct message there is a user and no guild', async () => {
    const { result, record } = await withBot(
      () => sim.users.slash({ command: 'ping', guildId: null }),
      async (interaction) => {
        await repliable(interaction).reply('Pong');
        return interaction.inGuild();
      },
    );
    expect(result).toBe(false);
    expect(record).toMatchObject({ guildId: null, shardId: 0, outcome: 'answered' });
  });

  test('a second answer is refused with 40060', async () => {
    const { result, record } = await withBot(
      () => sim.users.slash({ command: 'ping', guildId }),
      async (interaction) => {
        await repliable(interaction).reply('Pong');
        const path = `/interactions/${interaction.id}/${interaction.token}/callback` as const;
        return client.rest
          .post(path, { body: { type: 4, data: { content: 'again' } }, auth: false })
          .then(
            () => 'accepted',
            (error: unknown) => error,
          );
      },
    );
    expect(result).toMatchObject({ status: 400, code: 40060 });
    expect(record.repeatedAnswers).toBe(1);
  });

  test('an answer after the deadline is refused with 10062', async () => {
    const { result, record } = await withBot(
      () => sim.users.slash({ command: 'slow', guildId }),
      async (interaction) => {
        const sent = sim.interactions().find(({ id }) => id === interaction.id);
        if (sent !== undefined) await sim.settled(sent);
        return repliable(interaction)
          .reply('Too late')
          .then(
            () => 'accepted',
            (error: unknown) => error,
          );
      },
    );
    expect(result).toMatchObject({ status: 404, code: 10062 });
    expect(record).toMatchObject({ outcome: 'unanswered', lateAnswers: 1, responseKind: null });
  });
});

describe('components', () => {
  const row = new ActionRowBuilder<ButtonBuilder>().addComponents(
    new ButtonBuilder().setCustomId('vote:yes').setLabel('Yes').setStyle(ButtonStyle.Primary),
  );

  test('a button on a message that the bot sent is updated', async () => {
    const channel = client.guilds.cache.get(guildId)?.systemChannel;
    const message = await channel?.send({ content: 'Vote', components: [row] });
    const { record } = await withBot(
      () => sim.users.button({ customId: 'vote:yes' }),
      async (interaction) => {
        if (!interaction.isButton()) throw new Error('Expected a button.');
        expect(interaction.message.id).toBe(message?.id);
        await interaction.update({ content: 'Voted', components: [] });
      },
    );
    expect(record.responseKind).toBe('update');
    expect(sim.world.findMessage(message?.id ?? '')?.content).toBe('Voted');
  });

  test('a button is deferred', async () => {
    const { record } = await withBot(
      () => sim.users.button({ customId: 'made-up', guildId }),
      async (interaction) => {
        if (!interaction.isButton()) throw new Error('Expected a button.');
        await interaction.deferUpdate();
      },
    );
    expect(record.responseKind).toBe('defer_update');
  });

  test.each([
    ['string', ComponentType.StringSelect],
    ['user', ComponentType.UserSelect],
    ['role', ComponentType.RoleSelect],
    ['mentionable', ComponentType.MentionableSelect],
    ['channel', ComponentType.ChannelSelect],
  ] as const)('%s select menu', async (select, componentType) => {
    const { result } = await withBot(
      () => sim.users.select({ customId: `pick-${select}`, select, guildId }),
      async (interaction) => {
        if (!interaction.isAnySelectMenu()) throw new Error('Expected a select menu.');
        await interaction.reply('Chosen.');
        return [interaction.componentType, interaction.values.length];
      },
    );
    expect(result).toEqual([componentType, 1]);
  });
});

test('a form is shown, filled in and submitted', async () => {
  const field = new TextInputBuilder()
    .setCustomId('text')
    .setLabel('What do you think?')
    .setStyle(TextInputStyle.Short);
  const form = new ModalBuilder()
    .setCustomId('feedback')
    .setTitle('Feedback')
    .addComponents(new ActionRowBuilder<TextInputBuilder>().addComponents(field));
  const shown = await withBot(
    () => sim.users.slash({ command: 'feedback', guildId }),
    async (interaction) => {
      if (interaction.isChatInputCommand()) await interaction.showModal(form);
    },
  );
  expect(shown.record.responseKind).toBe('modal');
  const { result, record } = await withBot(
    () => sim.users.modal({ customId: 'feedback', fields: { text: 'Good' }, guildId }),
    async (interaction) => {
      if (!interaction.isModalSubmit()) throw new Error('Expected a form.');
      await interaction.reply('Thanks');
      return interaction.fields.getTextInputValue('text');
    },
  );
  expect(result).toBe('Good');
  expect(record).toMatchObject({ kind: 'modal', name: 'feedback', responseKind: 'reply' });
});

test('suggestions', async () => {
  const { result, record } = await withBot(
    () => sim.users.autocomplete({ command: 'weather', options: { place: 'har' }, guildId }),
    async (interaction) => {
      if (!interaction.isAutocomplete()) throw new Error('Expected an autocomplete.');
      await interaction.respond([{ name: 'Harbour', value: 'harbour' }]);
      return interaction.options.getFocused();
    },
  );
  expect(result).toBe('har');
  expect(record).toMatchObject({ kind: 'autocomplete', responseKind: 'autocomplete' });
});

test('user and message context menus', async () => {
  const user = await withBot(
    () => sim.users.userMenu({ command: 'User info', guildId }),
    async (interaction) => {
      if (!interaction.isUserContextMenuCommand()) throw new Error('Expected a user menu.');
      await interaction.reply('Noted.');
      return interaction.targetUser.id;
    },
  );
  expect(user.result).toBe(user.record.userId);
  const message = await withBot(
    () => sim.users.messageMenu({ command: 'Bookmark', guildId }),
    async (interaction) => {
      if (!interaction.isMessageContextMenuCommand()) throw new Error('Expected a message menu.');
      await interaction.reply('Noted.');
      return interaction.targetMessage.content;
    },
  );
  expect(message.result).toBe('See here.');
  expect(message.record.kind).toBe('context_menu');
});
