import { startEngine } from '@bot-analytics/engine';
import { readConfig, StartError } from './config.ts';
import { systemEnv } from './env.ts';
import { startServer } from './start.ts';

/** Longest time from signal to exit; the promise of design.md 3 is 10 s. */
const STOP_MS_MAX = 9_500;

function fail(error: unknown): never {
  const text =
    error instanceof StartError ? error.message : error instanceof Error ? error.stack : error;
  process.stderr.write(`${String(text)}\n`);
  process.exit(1);
}

/** Resolves at the first SIGTERM or SIGINT; a second one ends the process at once, as by default. */
const asked = new Promise<void>((resolve) => {
  const stop = (): void => {
    process.off('SIGTERM', stop).off('SIGINT', stop);
    resolve();
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
});

try {
  const config = readConfig(process.env);
  const server = await startServer({
    config,
    embed: ({ log, ...where }) => {
      const told = (fields: object): Record<string, string> =>
        Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
      return startEngine({
        ...where,
        log: {
          info: (fields, message) => log.info(message, told(fields)),
          warn: (fields, message) => log.warn(message, told(fields)),
          error: (fields, message) => log.error(message, told(fields)),
        },
      });
    },
    writeLog: (line) => process.stderr.write(line),
  });
  // A store that fails at this very moment is no reason to refuse to run.
  const link = await server.loginLink().catch(() => 'run `npm run cli -- login`');
  process.stdout.write(`Log in (once, within a day): ${link}\n`);
  process.stdout.write(`ready ${server.address}\n`);
  await asked;
  systemEnv.after(STOP_MS_MAX, () => process.exit(1));
  await server.stop();
  process.exit(0);
} catch (error) {
  fail(error);
}
