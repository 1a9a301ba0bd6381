import { createDemoBot } from '@bot-analytics/chat-sim/bots';
import { Analytics } from '@vendor/chat.js';

/**
 * One process of a discord.js bot: shards FIRST_SHARD to LAST_SHARD of SHARD_COUNT, in cluster
 * CLUSTER_ID if it is set. Its heartbeats come every second, so that a test need not wait for them.
 */
const { CHAT_SIM_REST, FIRST_SHARD = '0', LAST_SHARD = '0', SHARD_COUNT = '1' } = process.env;
const first = Number(FIRST_SHARD);
const shards = Array.from({ length: Number(LAST_SHARD) - first + 1 }, (_, index) => first + index);
const client = createDemoBot({
  restUrl: CHAT_SIM_REST,
  shards,
  shardCount: Number(SHARD_COUNT),
  behaviour: { thinkMs: [20, 30], failure: 0, forgotten: 0, chat: 0 },
});
const clusterId = process.env.CLUSTER_ID;
new Analytics({
  flushIntervalMs: 300,
  snapshotIntervalMs: 1_000,
  ...(clusterId === undefined ? {} : { clusterId }),
}).attach(client);
process.on('disconnect', () => process.exit(0));
await client.login();
