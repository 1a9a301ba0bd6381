import { startEngine } from '@bot-analytics/engine';
import { readConfig, StartError } from './config.ts';
import { startServer } from './start.ts';

/** Longest time from signal to exit; the promise of design.md 3 is 10 s. */
const STOP_MS_MAX = 9_500;

function fail(error: unknown): never {
  const text =
    error instanceof StartError ? error.message : error instanceof Error ? error.stack : error;
  process.stderr.write(`${String(text)}\n`);
  process.exit(1);
}

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
  process.stdout.write(`ready ${server.address}\n`);
  const stop = (): void => {
    process.off('SIGTERM', stop).off('SIGINT', stop);
    // A second signal ends the process at once, as by default.
    AbortSignal.timeout(STOP_MS_MAX).addEventListener('abort', () => process.exit(1));
    server.stop().then(() => process.exit(0), fail);
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
} catch (error) {
  fail(error);
}
