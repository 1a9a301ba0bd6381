import { startChatSim, type ChatSim } from '@bot-analytics/chat-sim';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EventOf } from '../../src/api/events.ts';
import { runFile } from '../support/child.ts';
import { Sink } from '../support/sink.ts';

let sink: Sink;
let sim: ChatSim;
beforeEach(async () => {
  sink = await Sink.start();
  sim = await startChatSim({ seed: 7, guilds: 8, shards: 4 });
});
afterEach(async () => {
  await sim.stop();
  await sink.stop();
});

const MANAGER = new URL('../support/sharding/manager.mjs', import.meta.url).pathname;

function manager(mode: string) {
  return runFile(MANAGER, {
    scriptArgs: [mode],
    env: { SIM: sim.restUrl, ENDPOINT: sink.endpoint },
  });
}

function beats(): readonly EventOf<'heartbeat'>[] {
  return sink.stored.filter((event): event is EventOf<'heartbeat'> => event.type === 'heartbeat');
}

/** Rows begin with the shard id. */
function byShard(a: readonly unknown[], b: readonly unknown[]): number {
  return Number(a[0]) - Number(b[0]);
}

describe('sharding (each process reports itself)', () => {
  test.each(['process', 'worker'])('ShardingManager, mode %s', async (mode) => {
    const child = manager(mode);
    await child.line('spawned');
    await sink.until(() => beats().length >= 2, 15_000);
    expect(
      beats()
        .map(({ data }) => [data.shardId, data.shardCount, data.primary, data.guildCount])
        .toSorted(byShard),
    ).toEqual([
      [0, 2, true, 4],
      [1, 2, true, 4],
    ]);
    expect(new Set(beats().map(({ data }) => data.instanceId)).size).toBe(2);
    expect(beats().every(({ data }) => data.clusterId === null)).toBe(true);
    child.kill('SIGTERM');
    const ended = await child.ended;
    expect(ended).toMatchObject({ code: 0, stderr: '' });
  });

  test('discord-hybrid-sharding: the cluster comes from its environment', async () => {
    const child = manager('hybrid');
    await child.line('spawned');
    await sink.until(() => beats().length >= 4, 15_000);
    const rows = beats().map(({ data }) => [data.shardId, data.clusterId, data.primary]);
    expect(rows.toSorted(byShard)).toEqual([
      [0, '0', true],
      [1, '0', false],
      [2, '1', true],
      [3, '1', false],
    ]);
    expect(beats().every(({ data }) => data.shardCount === 4)).toBe(true);
    child.kill('SIGTERM');
    await child.ended;
  });
});
