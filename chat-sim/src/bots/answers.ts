import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  MessageFlags,
  ModalBuilder,
  StringSelectMenuBuilder,
  TextInputBuilder,
  TextInputStyle,
} from 'discord.js';
import type {
  AutocompleteInteraction,
  ButtonInteraction,
  ChatInputCommandInteraction,
  ContextMenuCommandInteraction,
  Interaction,
  ModalSubmitInteraction,
  StringSelectMenuInteraction,
} from 'discord.js';
import type { Nerves } from './behaviour.ts';

const PLACES = ['Harbour', 'Meadow', 'Quarry', 'Summit', 'Reef', 'Marsh'];
const HELPER_ROLE = 'Helper';

/** Answers whatever arrives, as a bot of some experience would. */
export async function answer(interaction: Interaction, nerves: Nerves): Promise<void> {
  if (interaction.isAutocomplete()) return suggest(interaction);
  if (nerves.random.chance(nerves.behaviour.forgotten)) return;
  await nerves.think();
  if (interaction.isChatInputCommand()) await command(interaction, nerves);
  else if (interaction.isContextMenuCommand()) await menu(interaction);
  else if (interaction.isButton()) await button(interaction, nerves);
  else if (interaction.isStringSelectMenu()) await choice(interaction);
  else if (interaction.isModalSubmit()) await form(interaction);
}

async function suggest(interaction: AutocompleteInteraction): Promise<void> {
  const typed = interaction.options.getFocused().toLowerCase();
  const fitting = PLACES.filter((place) => place.toLowerCase().includes(typed.slice(0, 1)));
  await interaction.respond(fitting.map((name) => ({ name, value: name })));
}

async function command(interaction: ChatInputCommandInteraction, nerves: Nerves): Promise<void> {
  switch (interaction.commandName) {
    case 'weather':
    case 'report':
      await interaction.deferReply();
      await nerves.work();
      await interaction.editReply('Here it is.');
      break;
    case 'config':
      await interaction.reply({ content: 'Done.', flags: MessageFlags.Ephemeral });
      break;
    case 'poll':
      await interaction.reply(poll());
      break;
    case 'feedback':
      await interaction.showModal(feedbackForm());
      break;
    case 'role':
      await toggleRole(interaction);
      break;
    default:
      await interaction.reply('Pong.');
      if (nerves.random.chance(0.2)) await interaction.followUp('And pong again.');
  }
  // A second answer is the commonest mistake: the library throws before anything is sent.
  if (nerves.random.chance(nerves.behaviour.failure)) await interaction.reply('Oops.');
}

async function menu(interaction: ContextMenuCommandInteraction): Promise<void> {
  await interaction.reply({ content: 'Noted.', flags: MessageFlags.Ephemeral });
}

async function button(interaction: ButtonInteraction, nerves: Nerves): Promise<void> {
  if (interaction.customId === 'poll:comment') return interaction.showModal(feedbackForm());
  if (nerves.random.chance(0.5)) {
    await interaction.update({ content: 'Thank you for your vote.' });
    return;
  }
  await interaction.deferUpdate();
}

async function choice(interaction: StringSelectMenuInteraction): Promise<void> {
  await interaction.reply({ content: 'Counted.', flags: MessageFlags.Ephemeral });
}

async function form(interaction: ModalSubmitInteraction): Promise<void> {
  await interaction.reply({ content: 'Thank you.', flags: MessageFlags.Ephemeral });
}

async function toggleRole(interaction: ChatInputCommandInteraction): Promise<void> {
  await interaction.deferReply({ flags: MessageFlags.Ephemeral });
  const guild = interaction.guild;
  const role = guild?.roles.cache.find(({ name }) => name === HELPER_ROLE);
  const member = guild?.members.cache.get(interaction.user.id);
  if (role !== undefined && member !== undefined) {
    if (member.roles.cache.has(role.id)) await member.roles.remove(role);
    else await member.roles.add(role);
  }
  await interaction.editReply('Changed.');
}

function poll(): { content: string; components: ActionRowBuilder<Part>[] } {
  const votes = ['yes', 'no', 'comment'].map((name) =>
    new ButtonBuilder().setCustomId(`poll:${name}`).setLabel(name).setStyle(ButtonStyle.Secondary),
  );
  const when = new StringSelectMenuBuilder()
    .setCustomId('poll:when')
    .addOptions(['today', 'tomorrow', 'later'].map((day) => ({ label: day, value: day })));
  return {
    content: 'Shall we meet?',
    components: [
      new ActionRowBuilder<Part>().addComponents(votes),
      new ActionRowBuilder<Part>().addComponents(when),
    ],
  };
}

type Part = ButtonBuilder | StringSelectMenuBuilder;

function feedbackForm(): ModalBuilder {
  const field = new TextInputBuilder()
    .setCustomId('text')
    .setLabel('What do you think?')
    .setStyle(TextInputStyle.Paragraph);
  return new ModalBuilder()
    .setCustomId('feedback')
    .setTitle('Feedback')
    .addComponents(new ActionRowBuilder<TextInputBuilder>().addComponents(field));
}
