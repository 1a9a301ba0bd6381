import { dice } from './dice.ts';
import {
  clusterOf,
  diedMs,
  HISTORY_MS,
  isMeasured,
  OUTAGES,
  SHARD_IDS,
  shardFigures,
  SHARDS,
} from './fleet.ts';
import type { SampleEvent } from './events.ts';
import type { SampleBot } from './heartbeats.ts';

const DAY_MS = 86_400_000;
const shardCount = SHARDS;

function disconnect(shard: number, atMs: number, code: number): SampleEvent {
  const data = { shardId: shard, shardCount, code, willReconnect: true };
  return { type: 'shard_disconnect', atMs, serial: 10, shard, data };
}

/** A connection that is made anew: connect, then ready. */
function startUp(bot: SampleBot, shard: number, atMs: number): readonly SampleEvent[] {
  const { guildCount } = shardFigures(shard, atMs, bot.createdAtMs);
  const startupMs = 1_400 + Math.round(900 * dice(80, shard));
  const ready = { shardId: shard, shardCount, guildCount, unavailableGuilds: 0, startupMs };
  const connected = { shardId: shard, shardCount, resumed: false };
  return [
    { type: 'shard_connect', atMs, serial: 11, shard, data: connected },
    { type: 'shard_ready', atMs: atMs + startupMs, serial: 12, shard, data: ready },
  ];
}

function outagesOf(bot: SampleBot, shard: number): readonly SampleEvent[] {
  return OUTAGES.filter(({ cluster }) => cluster === null || cluster === clusterOf(shard)).flatMap(
    ({ fromMs, toMs }) => [
      disconnect(shard, bot.createdAtMs - fromMs, 1_001),
      ...startUp(bot, shard, bot.createdAtMs - toMs - 20_000 + 500 * shard),
    ],
  );
}

/** A short loss of the connection, about once a day and shard. */
function resumesOf(bot: SampleBot, shard: number): readonly SampleEvent[] {
  const events: SampleEvent[] = [];
  for (let day = 1; day * DAY_MS <= HISTORY_MS; day += 1) {
    const atMs = bot.createdAtMs - Math.round((day - dice(81, shard, day)) * DAY_MS);
    if (!isMeasured(shard, atMs, bot.createdAtMs)) continue;
    const downMs = 800 + Math.round(4_000 * dice(82, shard, day));
    const data = { shardId: shard, shardCount, replayedEvents: 3, downMs };
    events.push(disconnect(shard, atMs, 1_006), {
      type: 'shard_resume',
      atMs: atMs + downMs,
      serial: 13,
      shard,
      data,
    });
  }
  return events;
}

/** What happened to the connections before the bot was made. */
export function lifecycleEvents(bot: SampleBot): readonly SampleEvent[] {
  return SHARD_IDS.flatMap((shard) => {
    const died = diedMs(shard, bot.createdAtMs);
    const end = died === null ? [] : [disconnect(shard, died + 1_000, 1_006)];
    return [...outagesOf(bot, shard), ...resumesOf(bot, shard), ...end];
  });
}
