import { LIMITS } from '@bot-analytics/protocol';
import { finite, isObject, prop, text } from '../core/read.ts';
import { cutToChars } from '../event/text.ts';

/** The text of an error, as `error` and `command_error` carry it. */
export interface ErrorText {
  readonly name: string;
  readonly message: string;
  readonly stack: string | null;
  readonly code: number | string | null;
}

/**
 * Reads anything that can be thrown. Never throws itself: getters of an error may. The bounds of
 * name, message and stack are those of the guards, which know an error event.
 */
export function describeError(thrown: unknown): ErrorText {
  return {
    name: text(prop(thrown, 'name')) ?? (thrown instanceof Error ? 'Error' : typeof thrown),
    message: text(prop(thrown, 'message')) ?? plainText(thrown),
    stack: text(prop(thrown, 'stack')),
    code: errorCode(thrown),
  };
}

/** Code of the platform (10062) or of the system (ECONNRESET), null when there is none. */
export function errorCode(thrown: unknown): number | string | null {
  const code = prop(thrown, 'code');
  return typeof code === 'string' ? cutToChars(code, LIMITS.errorNameCharsMax) : finite(code);
}

/** Text of a thrown value that is no error. Objects are named only: their content is the bot's. */
function plainText(thrown: unknown): string {
  if (isObject(thrown)) return '[object]';
  return typeof thrown === 'function' ? '[function]' : String(thrown);
}
