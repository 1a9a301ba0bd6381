import { parseArgs } from 'node:util';
import { COMMANDS, type Command, type Options } from './commands.ts';
import type { Env } from './env.ts';
import { Failure } from './failure.ts';

const OPTIONS = {
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  quota: { type: 'string' },
  'retention-days': { type: 'string' },
  name: { type: 'string' },
  scope: { type: 'string' },
  overlap: { type: 'string' },
  key: { type: 'string' },
  endpoint: { type: 'string' },
  events: { type: 'string' },
} as const;

/** The help text. */
export function usage(): string {
  const rows = COMMANDS.map(
    ({ words, usage: args, doc }) => `  ${`${words} ${args}`.trim()}\n      ${doc}`,
  );
  return [
    'bot-analytics: administers the server that runs on DATA_DIR (default ./data)',
    '',
    ...rows,
    '',
    'Every command takes --json. BOT is an id or a name.',
  ].join('\n');
}

/** Runs one command line. @returns the exit code: 0, 1 (it did not work), 2 (not understood) */
export async function main(env: Env, argv: readonly string[]): Promise<number> {
  const asJson = argv.includes('--json');
  try {
    const { values, positionals } = parse(argv);
    if (values.help === true || positionals.length === 0) {
      env.out(usage());
      return values.help === true ? 0 : 2;
    }
    const { command, rest } = findCommand(positionals);
    const { json, lines, exitCode = 0 } = await command.run(env, rest, values);
    env.out(asJson ? JSON.stringify(json) : lines.join('\n'));
    return exitCode;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    env.err(asJson ? JSON.stringify({ error: error.message }) : error.message);
    return error.exitCode;
  }
}

function parse(argv: readonly string[]): {
  values: Options & { help?: boolean | undefined };
  positionals: string[];
} {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new Failure(error instanceof Error ? error.message : String(error), 2);
  }
}

function findCommand(positionals: readonly string[]): {
  command: Command;
  rest: readonly string[];
} {
  for (const command of COMMANDS) {
    const words = command.words.split(' ');
    if (!words.every((word, i) => positionals[i] === word)) continue;
    const rest = positionals.slice(words.length);
    if (rest.length === command.positionals) return { command, rest };
    throw new Failure(`Usage: ${command.words} ${command.usage}`.trim(), 2);
  }
  throw new Failure(`There is no command ${positionals.join(' ')}.\n\n${usage()}`, 2);
}
