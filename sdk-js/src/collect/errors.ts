import { LIMITS } from '@bot-analytics/protocol';
import { cutToBytes, cutToChars } from '../event/text.ts';

/** The text of an error, as `error` and `command_error` carry it. */
export interface ErrorText {
  readonly name: string;
  readonly message: string;
  readonly stack: string | null;
  readonly code: number | string | null;
}

/** Reads anything that can be thrown. Never throws itself: getters of an error may. */
export function describeError(thrown: unknown): ErrorText {
  const name = textOf(thrown, 'name') ?? (thrown instanceof Error ? 'Error' : typeof thrown);
  return {
    name: cutToChars(name, LIMITS.errorNameCharsMax),
    message: cutToBytes(
      textOf(thrown, 'message') ?? plainText(thrown),
      LIMITS.errorMessageBytesMax,
    ),
    stack: stackOf(thrown),
    code: errorCode(thrown),
  };
}

/** Code of the platform (10062) or of the system (ECONNRESET), null when there is none. */
export function errorCode(thrown: unknown): number | string | null {
  const code = property(thrown, 'code');
  if (typeof code === 'number' && Number.isFinite(code)) return code;
  return typeof code === 'string' ? cutToChars(code, LIMITS.errorNameCharsMax) : null;
}

/** HTTP status of a refused call, null when the error tells none. */
export function errorStatus(thrown: unknown): number | null {
  const status = property(thrown, 'status');
  return typeof status === 'number' && Number.isInteger(status) ? status : null;
}

function stackOf(thrown: unknown): string | null {
  const stack = textOf(thrown, 'stack');
  return stack === null ? null : cutToBytes(stack, LIMITS.errorStackBytesMax);
}

function textOf(thrown: unknown, name: string): string | null {
  const value = property(thrown, name);
  return typeof value === 'string' ? value : null;
}

function property(thrown: unknown, name: string): unknown {
  if (typeof thrown !== 'object' || thrown === null) return undefined;
  try {
    return Reflect.get(thrown, name);
  } catch {
    return undefined;
  }
}

/** Text of a thrown value that is no error. Objects are named only: their content is the bot's. */
function plainText(thrown: unknown): string {
  if (typeof thrown === 'object' && thrown !== null) return '[object]';
  return typeof thrown === 'function' ? '[function]' : String(thrown);
}
