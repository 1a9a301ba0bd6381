import { LIMITS } from '@bot-analytics/protocol';
import { cutToChars } from '../event/text.ts';
import type { CommandData } from './library.ts';

/** The last of the option types that are part of a command's name: subcommand 1 and group 2. */
const SUBCOMMAND_GROUP = 2;

/** A command with its subcommand path, `config set`. Other options are values and not looked at. */
export function commandPath(data: CommandData | null | undefined): string {
  const name = data?.name ?? '';
  const first = data?.options?.[0];
  const whole = Number(first?.type) <= SUBCOMMAND_GROUP ? `${name} ${commandPath(first)}` : name;
  return cutToChars(whole, LIMITS.commandNameCharsMax);
}
