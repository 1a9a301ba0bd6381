import { ClusterManager } from 'discord-hybrid-sharding';
import { ShardingManager } from 'discord.js';

const file = (name) => new URL(name, import.meta.url).pathname;
const [mode] = process.argv.slice(2);

/** The libraries leave their children behind when they die; a test must not. */
let stop = () => undefined;
process.on('SIGTERM', () => {
  stop();
  process.exit(0);
});

if (mode === 'hybrid') {
  const manager = new ClusterManager(file('hybrid-bot.mjs'), {
    totalShards: 4,
    shardsPerClusters: 2,
    mode: 'process',
    token: 'any.token',
  });
  stop = () => manager.clusters.forEach((cluster) => cluster.thread?.process?.kill('SIGTERM'));
  await manager.spawn({ delay: 0, timeout: -1 });
} else {
  const manager = new ShardingManager(file('bot.mjs'), {
    totalShards: 2,
    mode,
    token: 'any.token',
    respawn: false,
  });
  stop = () => manager.shards.forEach((shard) => shard.process?.kill('SIGTERM'));
  await manager.spawn({ amount: 2, delay: 0, timeout: 15_000 });
}
process.stdout.write('spawned\n');
