import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChatSim, type ChatSim } from '@bot-analytics/chat-sim';
import { LANGUAGES, SoakBot, type LanguageName } from '../soak/bots.ts';
import { Conductor } from '../soak/conductor.ts';
import { Relay } from '../soak/relay.ts';
import { CANARY } from '../soak/acts.ts';
import { until } from '../stage.ts';
import { Sink } from './sink.ts';

const GUILDS = 4;
const LIMITED = { kind: 'rate-limit-bucket', times: 1, retryAfterSeconds: 0.3 } as const;

/** What one bot sent while the script was played. */
export interface Played {
  readonly sink: Sink;
  /** Ids of the seeded world: the same for every bot. */
  readonly known: ReadonlySet<string>;
  readonly failed: readonly string[];
}

/** The same script on the same world for each bot: everything once, a resume, a new session. */
export async function play(sdk: LanguageName): Promise<Played> {
  const folder = mkdtempSync(join(tmpdir(), 'ba-parity-'));
  LANGUAGES[sdk].prepare(folder);
  const sim = await startChatSim({
    seed: 23,
    guilds: GUILDS,
    shards: 2,
    interactionDeadlineMs: 10_000,
  });
  const known = idsOf(sim);
  const sink = new Sink();
  // Of the conductor's stage only the platform is used.
  const relay = new Relay(CANARY, () => 1);
  const bot = new SoakBot(LANGUAGES[sdk], folder, {
    CHAT_SIM_REST: sim.restUrl,
    CHAT_SIM_GATEWAY: sim.gatewayUrl,
    SOAK_SHARDS: '2',
    BOT_ANALYTICS_ENDPOINT: await sink.start(),
    BOT_ANALYTICS_API_KEY: 'key',
  });
  try {
    const never = () => Promise.reject(new Error('no server here'));
    const conductor = new Conductor({ sim, relay, shards: 2, restartServer: never });
    await sim.gateway.untilConnected(2);
    await ready(sink, 2);
    await conductor.settle();
    await conductor.round();
    await conductor.trouble('shard closed, resumes');
    await conductor.trouble('session invalid, not resumable');
    await ready(sink, 3);
    // The first message that the bot sends: which call comes first of all is chance.
    sim.restFaults.add({ ...LIMITED, method: 'POST', route: '/channels/{id}/messages' });
    await conductor.round();
    await conductor.settle();
    const snapshots = (): number =>
      new Set(
        sink
          .events()
          .filter(({ type }) => type === 'guild_snapshot')
          .map(({ guildId }) => (typeof guildId === 'string' ? guildId : ''))
          .filter((id) => known.has(id)),
      ).size;
    await until('snapshots of all guilds', () => (snapshots() === GUILDS ? true : undefined));
    await bot.finish();
    return { sink, known, failed: conductor.failed };
  } finally {
    await bot.kill();
    await sim.stop();
    await sink.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Until then the guilds of a shard come in, and what happens in them is not yet seen alike. */
async function ready(sink: Sink, shards: number): Promise<void> {
  const count = (): number => sink.events().filter(({ type }) => type === 'shard_ready').length;
  await until('shards are ready', () => (count() >= shards ? true : undefined), 40_000);
}

function idsOf({ world }: ChatSim): Set<string> {
  const ids = world
    .guildList()
    .flatMap((guild) => [
      guild.facts.id,
      ...guild.members.keys(),
      ...guild.roles.keys(),
      ...guild.channels.keys(),
    ]);
  return new Set([...ids, world.applicationId, world.bot.id]);
}
