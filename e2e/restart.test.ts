import { startChatSim, type ChatSim } from '@bot-analytics/chat-sim';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BotProcess, ServerProcess, tempFolder, until, type Api, type BotKeys } from './stage.ts';

/** The server goes away in the middle of a bot's work and comes back on the same data and port. */
const COMMANDS = 300;

let folder: ReturnType<typeof tempFolder>;
let sim: ChatSim;
let server: ServerProcess;
let bot: BotProcess;
let api: Api;
let keys: BotKeys;

beforeEach(async () => {
  folder = tempFolder();
  sim = await startChatSim({
    seed: 5,
    guilds: 6,
    shards: 2,
    rateLimit: { limit: 10_000, windowMs: 1_000 },
  });
  server = new ServerProcess(folder.path);
  api = await server.start();
  keys = await api.createBot('Restarted');
  bot = new BotProcess({
    restUrl: sim.restUrl,
    endpoint: api.url,
    apiKey: keys.apiKey,
    thinkMs: 5,
  });
  await sim.gateway.untilConnected(2);
});

afterEach(async () => {
  await bot.kill();
  await server.end('SIGKILL');
  await sim.stop();
  folder.remove();
});

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'nothing is lost and nothing doubled across a %s under load',
  async (signal) => {
    const records = [];
    for (let i = 0; i < COMMANDS; i += 1) {
      records.push(await sim.settled(sim.users.slash({ command: `command-${i}` })));
      if (i !== COMMANDS / 3) continue;
      const ended = await server.end(signal);
      if (signal === 'SIGTERM') expect(ended).toEqual({ code: 0, signal: null });
      api = await server.start();
    }
    expect(records.filter(({ outcome }) => outcome !== 'answered')).toEqual([]);

    // While it restarts the server asks for a pause, in which the SDK keeps its events.
    const stored = await until(
      'every command',
      async () => {
        const events = await api.events(keys, '&type=interaction_slash');
        return events.length >= COMMANDS ? events : undefined;
      },
      60_000,
    );
    const stats = await bot.finish();
    expect(Object.values(stats.dropped).filter((count) => count > 0)).toEqual([]);
    const names = stored.map(({ data }) => data['commandName']);
    expect(new Set(names)).toEqual(
      new Set(Array.from({ length: COMMANDS }, (_, i) => `command-${i}`)),
    );
    expect(names).toHaveLength(COMMANDS);
  },
);
