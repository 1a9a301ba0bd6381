import { SELECT_TYPE } from '../drive/user-input.ts';
import type { UserInput } from '../drive/user-input.ts';
import { isObject, textAt } from '../json.ts';
import type { InteractionRecord } from '../operations/interaction-book.ts';
import type { Platform } from '../platform.ts';
import type { Random } from '../random.ts';
import { NotFound } from '../world/errors.ts';
import { SENTENCES } from '../world/names.ts';
import { typeCommand } from './commands.ts';
import { clickables, formFields } from './components.ts';
import type { Clickable } from './components.ts';
import type { VisitKind } from './mixture.ts';

/** Command types. */
const SLASH = 1;
const USER_MENU = 2;
const MESSAGE_MENU = 3;

const BUTTON = 2;
/** Forms that wait to be filled in; the oldest are given up first. */
const OPEN_FORMS_MAX = 50;

/** Users that go to the bot: they find what it offers (commands, components, forms) and use it. */
export class Visits {
  readonly #platform: Platform;
  readonly #users: UserInput;
  readonly #random: Random;
  #openForms: InteractionRecord[] = [];

  constructor(platform: Platform, users: UserInput, random: Random) {
    this.#platform = platform;
    this.#users = users;
    this.#random = random;
  }

  /** One visit of this kind; false when the bot offers nothing for it, or its place is gone. */
  pay(kind: VisitKind): boolean {
    try {
      const record = this.#paid[kind]();
      if (record !== undefined) this.#watch(record);
      return record !== undefined;
    } catch (error) {
      if (error instanceof NotFound) return false;
      throw error;
    }
  }

  readonly #paid = {
    slash: () => {
      const definition = this.#pick(this.#commands(SLASH));
      if (definition === undefined) return undefined;
      const { command, options } = typeCommand(definition, this.#random);
      return this.#users.slash({ command, options });
    },
    autocomplete: () => {
      const typed = this.#commands(SLASH)
        .map((definition) => typeCommand(definition, this.#random))
        .filter(({ focused }) => focused !== null);
      const chosen = this.#pick(typed);
      if (chosen === undefined) return undefined;
      const { command, options, focused } = chosen;
      return this.#users.autocomplete({ command, options, focused: focused ?? '' });
    },
    userMenu: () => this.#menu(USER_MENU, (command) => this.#users.userMenu({ command })),
    messageMenu: () => this.#menu(MESSAGE_MENU, (command) => this.#users.messageMenu({ command })),
    button: () => {
      const found = this.#pick(this.#clickable().filter(({ type }) => type === BUTTON));
      if (found === undefined) return undefined;
      return this.#users.button({ customId: found.customId, messageId: found.message.id });
    },
    select: () => {
      const menus = this.#clickable().filter(({ type }) => selectName(type) !== undefined);
      const found = this.#pick(menus);
      const select = found === undefined ? undefined : selectName(found.type);
      if (found === undefined || select === undefined) return undefined;
      const input = { customId: found.customId, messageId: found.message.id, select };
      const value = this.#pick(found.values);
      return this.#users.select(value === undefined ? input : { ...input, values: [value] });
    },
    modal: () => {
      const shown = this.#openForms.shift();
      const form = shown?.modal ?? null;
      if (shown === undefined || !isObject(form)) return undefined;
      const rows = formFields(form).map((id) => [id, this.#random.pick(SENTENCES)] as const);
      const { guildId, channelId, userId } = shown;
      const customId = textAt(form, 'custom_id') ?? '';
      const fields = Object.fromEntries(rows);
      return this.#users.modal({ customId, fields, guildId, channelId, userId });
    },
  } as const satisfies Record<VisitKind, () => InteractionRecord | undefined>;

  #menu(type: number, open: (command: string) => InteractionRecord): InteractionRecord | undefined {
    const chosen = this.#pick(this.#commands(type));
    return isObject(chosen) ? open(textAt(chosen, 'name') ?? '') : undefined;
  }

  #pick<T>(list: readonly T[]): T | undefined {
    return list.length === 0 ? undefined : this.#random.pick(list);
  }

  #commands(type: number): object[] {
    return [...this.#platform.world.commands.values()]
      .filter((one) => one.type === type && one.guildId === null)
      .map(({ definition }) => definition);
  }

  #clickable(): Clickable[] {
    const { world } = this.#platform;
    const open = world
      .interactiveMessages()
      .filter(({ guildId }) => guildId !== null && world.guilds.get(guildId)?.available === true);
    return clickables(open);
  }

  /** A form that the bot shows is filled in by a later visit. */
  #watch(record: InteractionRecord): void {
    void this.#platform.interactions.settled(record).then((settled) => {
      if (settled.modal === null) return;
      this.#openForms.push(settled);
      if (this.#openForms.length > OPEN_FORMS_MAX) this.#openForms.shift();
    });
  }
}

function selectName(type: number): keyof typeof SELECT_TYPE | undefined {
  const names = ['string', 'user', 'role', 'mentionable', 'channel'] as const;
  return names.find((name) => SELECT_TYPE[name] === type);
}
