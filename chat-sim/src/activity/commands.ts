import type { OptionValue } from '../drive/user-input.ts';
import { booleanAt, isObject, numberAt, objectsAt, textAt } from '../json.ts';
import type { JsonObject } from '../json.ts';
import type { Random } from '../random.ts';
import { NOUNS } from '../world/names.ts';

/** A command as a user would type it. */
export interface TypedCommand {
  readonly command: string;
  readonly options: Record<string, OptionValue>;
  /** Option with suggestions; `null` = the command has none. */
  readonly focused: string | null;
}

/** Options up to this type are subcommands and their groups. */
const SUBCOMMAND_MAX = 2;
const OPTION = { text: 3, integer: 4, boolean: 5, number: 10 } as const;

/** Types a registered command: walks into a subcommand and fills every option. */
export function typeCommand(definition: object, random: Random): TypedCommand {
  let at: JsonObject = isObject(definition) ? definition : {};
  let command = textAt(at, 'name') ?? 'ping';
  let rows = objectsAt(at, 'options');
  while (rows.length > 0 && rows.every((row) => (numberAt(row, 'type') ?? 0) <= SUBCOMMAND_MAX)) {
    at = random.pick(rows);
    command += ` ${textAt(at, 'name') ?? ''}`;
    rows = objectsAt(at, 'options');
  }
  const options: Record<string, OptionValue> = {};
  for (const row of rows) {
    const value = typeOption(row, random);
    if (value !== undefined) options[textAt(row, 'name') ?? ''] = value;
  }
  const focused = rows.find((row) => booleanAt(row, 'autocomplete') === true);
  return {
    command,
    options,
    focused: focused === undefined ? null : (textAt(focused, 'name') ?? ''),
  };
}

function typeOption(row: JsonObject, random: Random): OptionValue | undefined {
  const choices = objectsAt(row, 'choices');
  const chosen = choices.length === 0 ? undefined : random.pick(choices)['value'];
  if (typeof chosen === 'string' || typeof chosen === 'number') return chosen;
  const type = numberAt(row, 'type');
  if (type === OPTION.text) return random.pick(NOUNS);
  if (type === OPTION.boolean) return random.chance(0.5);
  if (type === OPTION.number) return { type, value: random.next() };
  if (type === OPTION.integer) {
    return random.int(numberAt(row, 'min_value') ?? 1, numberAt(row, 'max_value') ?? 100);
  }
  return undefined; // users, roles and the like stay empty, as optional options may
}
