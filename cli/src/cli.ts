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

const SEE_HELP = '`--help` shows every command with its options.';

/** The help text. */
export function usage(): string {
  return [
    'bot-analytics: administers the server that runs on DATA_DIR (default ./data)',
    '',
    rows(COMMANDS),
    '',
    'Every command takes --json. BOT is an id or a name.',
  ].join('\n');
}

function rows(commands: readonly Command[]): string {
  return commands
    .map(({ words, usage: args, doc }) => `  ${`${words} ${args}`.trim()}\n      ${doc}`)
    .join('\n');
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
    throw new Failure(`${notUnderstood(error)} ${SEE_HELP}`, 2);
  }
}

/** Node's parser explains at length and in its own terms; here only its first option's name is used. */
function notUnderstood(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const option = /'(?:-\w, )?(--?[^\s'=]+)/.exec(text)?.[1];
  if (option === undefined) return 'The command line is not understood.';
  const known = Object.entries(OPTIONS).find(([name]) => option === `--${name}`)?.[1];
  if (known === undefined) return `There is no option ${option}.`;
  return known.type === 'string'
    ? `${option} needs a value (one that begins with a dash is written ${option}=VALUE).`
    : `${option} takes no value.`;
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
  const [word] = positionals;
  const siblings = COMMANDS.filter(({ words }) => words.startsWith(`${word} `));
  if (siblings.length === 0)
    throw new Failure(`There is no command ${positionals.join(' ')}. ${SEE_HELP}`, 2);
  const what =
    positionals.length === 1
      ? `${word} needs one of these commands:`
      : `There is no command ${positionals.slice(0, 2).join(' ')}; there are:`;
  throw new Failure(`${what}\n${rows(siblings)}`, 2);
}
