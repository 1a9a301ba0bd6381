import type { Env } from './env.ts';

/** Levels from the quietest to the loudest. */
export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

type Fields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** One JSON object a line. Fields are flat, and no caller passes a key, a body or an address. */
export interface Log {
  error(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  debug(message: string, fields?: Fields): void;
}

/** Longest string of a field; with some fields a line stays under 4 KiB. server.md T6. */
const FIELD_CHARS_MAX = 500;

function shorten(fields: Fields): Fields {
  const out: Record<string, string | number | boolean | null | undefined> = {};
  for (const [name, value] of Object.entries(fields)) {
    out[name] = typeof value === 'string' ? value.slice(0, FIELD_CHARS_MAX) : value;
  }
  return out;
}

/** Writes the lines of `level` and above through `write`. */
export function createLog(
  level: LogLevel,
  env: Pick<Env, 'nowMs'>,
  write: (line: string) => void,
): Log {
  const loudest = LOG_LEVELS.indexOf(level);
  const at = (name: LogLevel) => {
    if (LOG_LEVELS.indexOf(name) > loudest) return () => undefined;
    return (message: string, fields: Fields = {}): void => {
      const time = new Date(env.nowMs()).toISOString();
      // JSON escapes every control character below 0x20, so one call is one line whatever it holds.
      write(`${JSON.stringify({ time, level: name, message, ...shorten(fields) })}\n`);
    };
  };
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') };
}
