import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { startChatSim } from '@bot-analytics/chat-sim';
import { root, say } from '../run.mjs';
import { demoBots, untilReady } from './bots.mjs';
import { endOf } from './last-words.mjs';
import { demoPython } from './python.mjs';

/**
 * The demo: one stand-in platform for each bot, and the bots as processes of their own. Ends with the
 * server, whose child it is.
 */
const children = new Set();
let ending = false;
process.on('disconnect', () => {
  for (const child of children) child.kill('SIGKILL');
  process.exit(0);
});
// Ctrl-C reaches the whole group; the server decides when it is over, and bots that end are no news.
const onSignal = () => (ending = true);
process.on('SIGINT', onSignal);
process.on('SIGTERM', onSignal);

const server = await untilReady();
const keys = await demoBots(server);
await startBot('discord.js', {
  command: process.execPath,
  args: [join(root, 'tools/demo/js-bot.mjs')],
  apiKey: keys.js.apiKey,
  world: { seed: 7, guilds: 24, shards: 2 },
});
say(`The demo bot on discord.js is at ${server.url}/b/${keys.js.botId}/status`);
const python = await demoPython();
if (python !== null) {
  await startBot('discord.py', {
    command: python,
    args: ['-u', join(root, 'sdk-py/examples/demo_bot.py')],
    apiKey: keys.py.apiKey,
    world: { seed: 11, guilds: 12, shards: 1 },
  });
  say(`The demo bot on discord.py is at ${server.url}/b/${keys.py.botId}/status`);
}

/** Starts a platform with people on it, and the bot that they use; a bot that dies is started again. */
async function startBot(name, { command, args, apiKey, world }) {
  const sim = await startChatSim(world);
  const env = {
    ...process.env,
    BOT_ANALYTICS_API_KEY: apiKey,
    BOT_ANALYTICS_ENDPOINT: server.url,
    CHAT_SIM_REST: sim.restUrl,
    CHAT_SIM_GATEWAY: sim.gatewayUrl,
    DISCORD_TOKEN: 'demo.token',
  };
  const start = () => {
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'ignore', 'pipe'] });
    children.add(child);
    let lastWords = '';
    child.stderr.on('data', (chunk) => (lastWords = (lastWords + chunk).slice(-2_000)));
    child.on('exit', (code, signal) => {
      children.delete(child);
      if (ending) return;
      say(endOf(name, { code, signal, stderr: lastWords }));
      setTimeout(() => ending || start(), 5_000);
    });
    child.on('error', (error) => say(`The demo bot on ${name} did not start: ${error.message}`));
  };
  start();
  await sim.gateway.untilConnected(world.shards);
  sim.activity.start(3);
}
