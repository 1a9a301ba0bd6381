import { ClusterClient, getInfo } from 'discord-hybrid-sharding';
import { Client, GatewayIntentBits } from 'discord.js';
import { Analytics } from '../../../dist/index.js';

const { SHARD_LIST, TOTAL_SHARDS } = getInfo();
const client = new Client({
  intents: [GatewayIntentBits.Guilds],
  rest: { api: process.env.SIM },
  shards: SHARD_LIST,
  shardCount: TOTAL_SHARDS,
});
client.cluster = new ClusterClient(client);
new Analytics({ apiKey: 'k', endpoint: process.env.ENDPOINT }).attach(client);
await client.login('any.token');
