import { isObject, listAt, numberAt, objectsAt, textAt } from '../json.ts';
import type { Json, JsonObject } from '../json.ts';
import type { InteractionRecord } from '../operations/interaction-book.ts';
import { INTERACTION_TYPE, resolvePlace, sendInteraction } from '../operations/interactions.ts';
import type { Place, ResolvedPlace } from '../operations/interactions.ts';
import { createMessage } from '../operations/messages.ts';
import type { Platform } from '../platform.ts';
import type { Guild, Message } from '../world/entities.ts';
import { messagePayload, partialMember } from '../world/payloads.ts';

/** Option types of a slash command. */
const OPTION = { subcommand: 1, group: 2, text: 3, integer: 4, boolean: 5, number: 10 } as const;

/** A value as typed, or with its option type (6 user, 7 channel, 8 role, 9 mentionable). */
export type OptionValue =
  | string
  | number
  | boolean
  | { readonly type: number; readonly value: string | number | boolean };

export interface SlashInput extends Place {
  /** Full path: `ping`, `config set`, `config colour set`. */
  readonly command: string;
  readonly options?: Readonly<Record<string, OptionValue>>;
}

export interface AutocompleteInput extends SlashInput {
  /** Option that the user is typing in; default: the last one. */
  readonly focused?: string;
}

export interface ButtonInput extends Place {
  readonly customId: string;
  /** Default: the bot's newest message with this component, or a made-up one. */
  readonly messageId?: string;
}

/** Component types of the five select menus. */
export const SELECT_TYPE = { string: 3, user: 5, role: 6, mentionable: 7, channel: 8 } as const;

export interface SelectInput extends ButtonInput {
  /** Default `string`. */
  readonly select?: keyof typeof SELECT_TYPE;
  /** Chosen values or ids; default: one that fits the kind. */
  readonly values?: readonly string[];
}

export interface ModalInput extends Place {
  readonly customId: string;
  /** Text by the custom id of the field. */
  readonly fields: Readonly<Record<string, string>>;
  /** Message whose component opened the form. */
  readonly messageId?: string;
}

export interface UserMenuInput extends Place {
  readonly command: string;
  /** Member the menu was opened on; default: the user. */
  readonly targetId?: string;
}

export interface MessageMenuInput extends Place {
  readonly command: string;
  /** Message in the channel; default: one that the user sends for it. */
  readonly targetId?: string;
}

/** What users do with the bot: one method per kind of interaction. Each returns its record. */
export class UserInput {
  readonly #platform: Platform;

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  slash(input: SlashInput): InteractionRecord {
    return this.#command(input, 'slash', INTERACTION_TYPE.command);
  }

  autocomplete(input: AutocompleteInput): InteractionRecord {
    return this.#command(input, 'autocomplete', INTERACTION_TYPE.autocomplete);
  }

  button(input: ButtonInput): InteractionRecord {
    const message = this.#source(input);
    const place = this.#placeOf(input, message);
    return sendInteraction(this.#platform, {
      kind: 'button',
      type: INTERACTION_TYPE.component,
      name: input.customId,
      place,
      data: { custom_id: input.customId, component_type: 2, id: 1 },
      message: message ?? this.#madeUpMessage(place, input.customId),
    });
  }

  select(input: SelectInput): InteractionRecord {
    const message = this.#source(input);
    const place = this.#placeOf(input, message);
    const kind = input.select ?? 'string';
    const values = input.values ?? [this.#defaultChoice(kind, place)];
    const resolved = kind === 'string' ? {} : { resolved: this.#resolve(place, values) };
    return sendInteraction(this.#platform, {
      kind: 'select',
      type: INTERACTION_TYPE.component,
      name: input.customId,
      place,
      data: {
        custom_id: input.customId,
        component_type: SELECT_TYPE[kind],
        id: 1,
        values,
        ...resolved,
      },
      message: message ?? this.#madeUpMessage(place, input.customId),
    });
  }

  modal(input: ModalInput): InteractionRecord {
    const message = input.messageId === undefined ? undefined : this.#source(input);
    const form = this.#platform.interactions.modal(input.customId);
    const components = isObject(form)
      ? objectsAt(form, 'components').map((row) => fillRow(row, input.fields))
      : Object.entries(input.fields).map(([id, value]) => textRow(id, value));
    return sendInteraction(this.#platform, {
      kind: 'modal',
      type: INTERACTION_TYPE.modal,
      name: input.customId,
      place: this.#placeOf(input, message),
      data: { custom_id: input.customId, components, resolved: {} },
      message,
    });
  }

  userMenu(input: UserMenuInput): InteractionRecord {
    const place = resolvePlace(this.#platform, input);
    const targetId = input.targetId ?? place.user.id;
    const resolved = this.#resolve(place, [targetId]);
    return this.#menu(input.command, place, { type: 2, targetId, resolved });
  }

  messageMenu(input: MessageMenuInput): InteractionRecord {
    const place = resolvePlace(this.#platform, input);
    const { world } = this.#platform;
    const target =
      input.targetId === undefined
        ? this.#plainMessage(place)
        : world.message(place.channelId, input.targetId);
    const resolved = { messages: { [target.id]: messagePayload(world, target) } };
    return this.#menu(input.command, place, { type: 3, targetId: target.id, resolved });
  }

  #menu(
    command: string,
    place: ResolvedPlace,
    target: { type: number; targetId: string; resolved: object },
  ): InteractionRecord {
    const { type, targetId, resolved } = target;
    const head = this.#commandHead(command, type, place.guild);
    return sendInteraction(this.#platform, {
      kind: 'context_menu',
      type: INTERACTION_TYPE.command,
      name: command,
      place,
      data: { ...head, target_id: targetId, resolved },
    });
  }

  #command(
    input: AutocompleteInput,
    kind: 'slash' | 'autocomplete',
    type: number,
  ): InteractionRecord {
    const place = resolvePlace(this.#platform, input);
    const [name = '', ...path] = input.command.split(' ');
    const focused = input.focused ?? Object.keys(input.options ?? {}).at(-1);
    const leaf = Object.entries(input.options ?? {}).map(([option, value]) => ({
      name: option,
      ...typedValue(value),
      ...(kind === 'autocomplete' && option === focused ? { focused: true } : {}),
    }));
    const ids = leaf.filter((row) => row.type >= 6 && row.type <= 9).map((row) => `${row.value}`);
    const resolved = ids.length === 0 ? {} : { resolved: this.#resolve(place, ids) };
    const options = nest(path, leaf);
    const head = this.#commandHead(name, 1, place.guild);
    const data = { ...head, options, ...resolved };
    return sendInteraction(this.#platform, { kind, type, name: input.command, place, data });
  }

  /** Id and name of a command; one that was never registered gets an id of its own. */
  #commandHead(name: string, type: number, guild: Guild | null): object {
    const registered = [...this.#platform.world.commands.values()].find(
      (one) =>
        one.name === name &&
        one.type === type &&
        (one.guildId === null || one.guildId === guild?.facts.id),
    );
    const scope = registered?.guildId ?? null;
    return {
      id: registered?.id ?? this.#platform.ids.next(),
      name,
      type,
      ...(scope === null ? {} : { guild_id: scope }),
    };
  }

  #source(input: { customId: string; messageId?: string } & Place): Message | undefined {
    const { world } = this.#platform;
    if (input.messageId === undefined) return world.messageWithComponent(input.customId);
    const found = world.findMessage(input.messageId);
    if (found !== undefined) return found;
    throw new RangeError(`No message ${input.messageId}.`);
  }

  /** A component is used where its message is. */
  #placeOf(input: Place, message: Message | undefined): ResolvedPlace {
    if (message === undefined) return resolvePlace(this.#platform, input);
    const { guildId, channelId } = message;
    const dmUser = this.#platform.world.dmChannels.get(channelId)?.recipients?.[0]?.id;
    const userId = input.userId ?? dmUser;
    const user = userId === undefined ? {} : { userId };
    return resolvePlace(this.#platform, { ...user, guildId, channelId });
  }

  #madeUpMessage(place: ResolvedPlace, customId: string): Message {
    const button = { type: 2, id: 2, style: 1, label: 'Press', custom_id: customId };
    return createMessage(this.#platform, {
      channelId: place.channelId,
      author: this.#platform.world.bot,
      body: { content: 'Choose', components: [{ type: 1, id: 1, components: [button] }] },
      applicationId: this.#platform.world.applicationId,
    });
  }

  #plainMessage(place: ResolvedPlace): Message {
    const body = { content: 'See here.' };
    return createMessage(this.#platform, { channelId: place.channelId, author: place.user, body });
  }

  #defaultChoice(kind: keyof typeof SELECT_TYPE, place: ResolvedPlace): string {
    if (kind === 'string') return 'a';
    if (kind === 'role') return [...(place.guild?.roles.keys() ?? [])].at(-1) ?? '';
    return kind === 'channel' ? place.channelId : place.user.id;
  }

  /** Users, members, roles and channels behind these ids, as `resolved` carries them. */
  #resolve(place: ResolvedPlace, ids: readonly string[]): object {
    const users: Record<string, object> = {};
    const members: Record<string, object> = {};
    const roles: Record<string, object> = {};
    const channels: Record<string, object> = {};
    for (const id of ids) {
      const user = this.#platform.world.users.get(id);
      const member = place.guild?.members.get(id);
      const role = place.guild?.roles.get(id);
      const channel = place.guild?.channels.get(id);
      if (user !== undefined) users[id] = user;
      if (member !== undefined) members[id] = { ...partialMember(member), permissions: '0' };
      if (role !== undefined) roles[id] = role;
      if (channel !== undefined) channels[id] = { ...channel, permissions: '0' };
    }
    return { users, members, roles, channels };
  }
}

function typedValue(value: OptionValue): { type: number; value: string | number | boolean } {
  if (typeof value === 'object') return { type: value.type, value: value.value };
  if (typeof value === 'string') return { type: OPTION.text, value };
  if (typeof value === 'boolean') return { type: OPTION.boolean, value };
  return { type: Number.isInteger(value) ? OPTION.integer : OPTION.number, value };
}

function nest(path: readonly string[], leaf: readonly object[]): readonly object[] {
  const [first, second] = path;
  if (first === undefined) return leaf;
  if (second === undefined) return [{ name: first, type: OPTION.subcommand, options: leaf }];
  const inner = { name: second, type: OPTION.subcommand, options: leaf };
  return [{ name: first, type: OPTION.group, options: [inner] }];
}

function textRow(customId: string, value: string): object {
  return { type: 1, id: 1, components: [{ type: 4, id: 2, custom_id: customId, value }] };
}

/** One row of the shown form, filled in: an action row of fields, or a label around one field. */
function fillRow(row: JsonObject, fields: Readonly<Record<string, string>>): object {
  const fill = (field: Json | undefined): object => {
    if (!isObject(field)) return {};
    const customId = textAt(field, 'custom_id') ?? '';
    const value = fields[customId] ?? '';
    const type = numberAt(field, 'type') ?? 4;
    const filled = type === 4 ? { value } : { values: value === '' ? [] : value.split(',') };
    return { type, id: numberAt(field, 'id') ?? 2, custom_id: customId, ...filled };
  };
  const type = numberAt(row, 'type') ?? 1;
  const head = { type, id: numberAt(row, 'id') ?? 1 };
  if (isObject(row['component'])) return { ...head, component: fill(row['component']) };
  return { ...head, components: listAt(row, 'components').map((field) => fill(field)) };
}
