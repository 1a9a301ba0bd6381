import { parseArgs } from 'node:util';
import { DEFAULTS } from './options.ts';
import { startChatSim } from './sim.ts';

const USAGE = `Usage: chat-sim [--port N] [--guilds N] [--shards N] [--seed N] [--activity N]
  --port      loopback port, 0 = chosen by the system (default 0)
  --guilds    guilds at the start (default 20)
  --shards    shard count that the platform recommends (default 1)
  --seed      same seed, same world (default 1)
  --activity  user actions per second (default 0)`;

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    guilds: { type: 'string', default: '20' },
    shards: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(DEFAULTS.seed) },
    activity: { type: 'string', default: '0' },
    help: { type: 'boolean', default: false },
  },
});

function wholeNumber(name: 'port' | 'guilds' | 'shards' | 'seed'): number {
  const number = Number(values[name]);
  if (Number.isInteger(number) && number >= 0) return number;
  console.error(`Expected a whole number for --${name}, got "${values[name]}".\n${USAGE}`);
  process.exit(1);
}

if (values.help) {
  console.log(USAGE);
} else {
  const perSecond = Number(values.activity);
  const sim = await startChatSim({
    port: wholeNumber('port'),
    guilds: wholeNumber('guilds'),
    shards: wholeNumber('shards'),
    seed: wholeNumber('seed'),
  });
  sim.activity.start(Number.isFinite(perSecond) ? perSecond : 0);
  const { restUrl, gatewayUrl, controlUrl } = sim;
  console.log(JSON.stringify({ restUrl, gatewayUrl, controlUrl, pid: process.pid }));
  const stop = (): void => {
    sim.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}
