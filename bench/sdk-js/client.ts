import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Client, GatewayIntentBits } from 'discord.js';
import { Analytics } from '@vendor/chat.js';

/**
 * A discord.js client that receives a steady stream of dispatches, with or without the SDK:
 * `client.ts with|without SIM_URL SINK_URL`. Measures for 10 s once the stream runs.
 */
const [mode = '', sim = '', sink = ''] = process.argv.slice(2);
const MEASURE_MS = 10_000;
const NS = 1e6;

const client = new Client({
  intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages],
  rest: { api: sim },
});
let received = 0;
client.on('messageCreate', () => (received += 1));
if (mode === 'with') {
  new Analytics({ apiKey: 'k', endpoint: sink, snapshotIntervalMs: 5_000 }).attach(client);
}
await client.login('any.token');
await new Promise((resolve) => setTimeout(resolve, 3_000));
const delays = monitorEventLoopDelay({ resolution: 1 });
delays.enable();
received = 0;
const before = process.cpuUsage();
await new Promise((resolve) => setTimeout(resolve, MEASURE_MS));
const cpu = process.cpuUsage(before);
process.stdout.write(
  `${JSON.stringify({
    perSecond: received / (MEASURE_MS / 1_000),
    p50Ms: delays.percentile(50) / NS,
    p99Ms: delays.percentile(99) / NS,
    cpuPercent: ((cpu.user + cpu.system) / 1_000 / MEASURE_MS) * 100,
  })}\n`,
  () => process.exit(0),
);
