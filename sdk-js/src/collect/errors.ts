import { LIMITS } from '@bot-analytics/protocol';
import { finite, prop, text } from '../core/read.ts';
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
  const kind = typeof thrown;
  return {
    name: text(prop(thrown, 'name')) ?? kind,
    // Objects are named only: their content is the bot's.
    message:
      text(prop(thrown, 'message')) ?? (Object(thrown) === thrown ? `[${kind}]` : String(thrown)),
    stack: text(prop(thrown, 'stack')),
    code: errorCode(thrown),
  };
}

/** Code of the platform (10062) or of the system (ECONNRESET), null when there is none. */
export function errorCode(thrown: unknown): number | string | null {
  const code = prop(thrown, 'code');
  return typeof code === 'string' ? cutToChars(code, LIMITS.errorNameCharsMax) : finite(code);
}
