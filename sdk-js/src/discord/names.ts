import { LIMITS } from '@bot-analytics/protocol';
import { cutToChars } from '../event/text.ts';
import { integer, prop, text } from '../core/read.ts';

/** Option types of a command that are part of its name: subcommand and subcommand group. */
const SUBCOMMAND_TYPES: ReadonlySet<number> = new Set([1, 2]);

/** A command with its subcommand path, `config set`. Other options are values and not looked at. */
export function commandPath(data: unknown): string {
  const name = text(prop(data, 'name')) ?? '';
  const options = prop(data, 'options');
  const first: unknown = Array.isArray(options) ? options[0] : undefined;
  const isSub = SUBCOMMAND_TYPES.has(integer(prop(first, 'type')) ?? 0);
  const whole = isSub ? `${name} ${commandPath(first)}` : name;
  return cutToChars(whole, LIMITS.commandNameCharsMax);
}
