import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  InteractionContextType,
} from 'discord.js';
import type { ApplicationCommandData } from 'discord.js';

const contexts = [InteractionContextType.Guild, InteractionContextType.BotDM];

/** What the demo bot registers. */
export const DEMO_COMMANDS: readonly ApplicationCommandData[] = [
  { name: 'ping', description: 'Is the bot awake?', contexts },
  {
    name: 'weather',
    description: 'The weather in a place.',
    contexts,
    options: [
      {
        name: 'place',
        description: 'Where?',
        type: ApplicationCommandOptionType.String,
        required: true,
        autocomplete: true,
      },
    ],
  },
  {
    name: 'config',
    description: 'Settings of this guild.',
    contexts,
    options: [
      {
        name: 'set',
        description: 'Change a setting.',
        type: ApplicationCommandOptionType.Subcommand,
        options: [
          {
            name: 'key',
            description: 'Which one?',
            type: ApplicationCommandOptionType.String,
            required: true,
            choices: ['colour', 'language', 'greeting'].map((name) => ({ name, value: name })),
          },
          {
            name: 'value',
            description: 'To what?',
            type: ApplicationCommandOptionType.String,
            required: true,
          },
        ],
      },
      {
        name: 'show',
        description: 'Show all settings.',
        type: ApplicationCommandOptionType.Subcommand,
      },
    ],
  },
  { name: 'poll', description: 'Ask the channel.', contexts },
  { name: 'feedback', description: 'Tell us what you think.', contexts },
  { name: 'role', description: 'Take or give back the helper role.', contexts },
  { name: 'report', description: 'A long report; takes a while.', contexts },
  { name: 'User info', type: ApplicationCommandType.User, contexts },
  { name: 'Bookmark', type: ApplicationCommandType.Message, contexts },
];
