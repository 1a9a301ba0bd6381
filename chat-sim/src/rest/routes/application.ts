import type { JsonObject } from '../../json.ts';
import { numberAt, textAt } from '../../json.ts';
import type { Platform } from '../../platform.ts';
import type { Command } from '../../world/entities.ts';
import { NotFound } from '../../world/errors.ts';
import { applicationPayload, selfPayload } from '../../world/payloads.ts';
import { NO_CONTENT, created, ok } from '../route.ts';
import type { RestReply, RestRequest, RestRoute } from '../route.ts';

/** The bot itself, its application and its registered commands. */
export const APPLICATION_ROUTES: readonly RestRoute[] = [
  ['GET', '/users/@me', ({ world }) => ok(selfPayload(world))],
  ['GET', '/users/{user}', ({ world }, request) => ok(world.user(request.param('user')))],
  ['GET', '/soundboard-default-sounds', () => ok(DEFAULT_SOUNDS)],
  ['GET', '/applications/@me', ({ world }) => ok(applicationPayload(world))],
  ['GET', '/oauth2/applications/@me', ({ world }) => ok(applicationPayload(world))],
  ['GET', '/applications/{app}/commands', listCommands],
  ['PUT', '/applications/{app}/commands', replaceCommands],
  ['POST', '/applications/{app}/commands', addCommand],
  ['GET', '/applications/{app}/guilds/{guild}/commands', listCommands],
  ['PUT', '/applications/{app}/guilds/{guild}/commands', replaceCommands],
  ['POST', '/applications/{app}/guilds/{guild}/commands', addCommand],
  ['GET', '/applications/{app}/commands/{command}', getCommand],
  ['PATCH', '/applications/{app}/commands/{command}', editCommand],
  ['DELETE', '/applications/{app}/commands/{command}', removeCommand],
  ['PATCH', '/applications/{app}/guilds/{guild}/commands/{command}', editCommand],
  ['DELETE', '/applications/{app}/guilds/{guild}/commands/{command}', removeCommand],
];

/** One stands for all; clients only read them. */
const DEFAULT_SOUNDS = [
  { sound_id: '1', name: 'quack', volume: 1, emoji_id: null, emoji_name: '🦆', available: true },
] as const;

function listCommands(platform: Platform, request: RestRequest): RestReply {
  const scope = request.param('guild') || null;
  return ok(commandsOf(platform, scope).map((one) => commandPayload(platform, one)));
}

function replaceCommands(platform: Platform, request: RestRequest): RestReply {
  const scope = request.param('guild') || null;
  const before = commandsOf(platform, scope);
  for (const { id } of before) platform.world.commands.delete(id);
  const made = request.list.map((definition) => {
    const same = before.find(
      ({ name, type }) =>
        name === textAt(definition, 'name') && type === (numberAt(definition, 'type') ?? 1),
    );
    return register(platform, scope, definition, same?.id);
  });
  return ok(made.map((one) => commandPayload(platform, one)));
}

function addCommand(platform: Platform, request: RestRequest): RestReply {
  const made = register(platform, request.param('guild') || null, request.body);
  return created(commandPayload(platform, made));
}

function getCommand(platform: Platform, request: RestRequest): RestReply {
  return ok(commandPayload(platform, find(platform, request.param('command'))));
}

function editCommand(platform: Platform, request: RestRequest): RestReply {
  const known = find(platform, request.param('command'));
  const definition = { ...known.definition, ...request.body };
  return ok(commandPayload(platform, register(platform, known.guildId, definition, known.id)));
}

function removeCommand(platform: Platform, request: RestRequest): RestReply {
  platform.world.commands.delete(find(platform, request.param('command')).id);
  return NO_CONTENT;
}

function find(platform: Platform, id: string): Command {
  const command = platform.world.commands.get(id);
  if (command === undefined) throw new NotFound('command', id);
  return command;
}

function commandsOf(platform: Platform, guildId: string | null): Command[] {
  return [...platform.world.commands.values()].filter((one) => one.guildId === guildId);
}

function register(
  platform: Platform,
  guildId: string | null,
  definition: JsonObject,
  id: string = platform.ids.next(),
): Command {
  const command: Command = {
    id,
    type: numberAt(definition, 'type') ?? 1,
    name: textAt(definition, 'name') ?? '',
    description: textAt(definition, 'description') ?? '',
    guildId,
    version: platform.ids.next(),
    definition,
  };
  platform.world.commands.set(id, command);
  return command;
}

function commandPayload(platform: Platform, command: Command): object {
  const { id, type, name, description, guildId, version } = command;
  return {
    default_member_permissions: null,
    dm_permission: true,
    contexts: null,
    integration_types: [0],
    nsfw: false,
    options: [],
    ...command.definition,
    id,
    type,
    name,
    description,
    version,
    application_id: platform.world.applicationId,
    ...(guildId === null ? {} : { guild_id: guildId }),
  };
}
