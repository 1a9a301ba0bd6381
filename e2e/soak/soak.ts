import { cpus, loadavg, tmpdir } from 'node:os';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startChatSim, type ChatSim, type Counts } from '@bot-analytics/chat-sim';
import { ServerProcess, tempFolder, until, type Api, type BotKeys } from '../stage.ts';
import { CANARY } from './acts.ts';
import { LANGUAGES, SoakBot, type LanguageName } from './bots.ts';
import { Conductor, TROUBLE_NAMES, type TroubleName } from './conductor.ts';
import { expectedEvents, restAttempts, sum } from './expected.ts';
import { Relay, type SentEvent } from './relay.ts';
import type { SoakResult } from './table.ts';

export interface SoakOptions {
  readonly sdk: LanguageName;
  readonly durationMs: number;
  readonly shards: number;
  readonly guilds: number;
  /** Actions of people a second, beside those of the rounds. */
  readonly perSecond: number;
  /** Share of the SDK's requests that the relay spoils. */
  readonly spoilt: number;
  /** In this order, again and again. */
  readonly troubles: readonly TroubleName[];
}

export const LONG: Omit<SoakOptions, 'sdk' | 'durationMs'> = {
  shards: 2,
  guilds: 8,
  perSecond: 20,
  spoilt: 0.15,
  troubles: TROUBLE_NAMES,
};

const SNAPSHOTS: ReadonlySet<string> = new Set([
  'heartbeat',
  'guild_snapshot',
  'api_routes_snapshot',
]);
/** Heartbeats come every 5 s; some are repeated. */
const LAST_HEARTBEAT_MAX_MS = 40_000;

/** Seeded, so that two soaks meet the same share of faults. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Runs a real bot on the stand-in platform against a real server, and compares. */
export async function soak(options: SoakOptions): Promise<SoakResult> {
  const data = tempFolder();
  const botFolder = mkdtempSync(join(tmpdir(), 'ba-soak-bot-'));
  const language = LANGUAGES[options.sdk];
  language.prepare(botFolder);
  const sim = await startChatSim({
    seed: 11,
    guilds: options.guilds,
    shards: options.shards,
    interactionDeadlineMs: 10_000,
    rateLimit: { limit: 10_000, windowMs: 1_000 },
  });
  const server = new ServerProcess(data.path, 'server/dist/main.js');
  const relay = new Relay(CANARY, dice(5));
  let bot: SoakBot | undefined;
  try {
    const api = await server.start();
    const keys = await api.createBot('Soak');
    bot = new SoakBot(language, botFolder, {
      CHAT_SIM_REST: sim.restUrl,
      CHAT_SIM_GATEWAY: sim.gatewayUrl,
      SOAK_SHARDS: String(options.shards),
      BOT_ANALYTICS_ENDPOINT: await relay.start(api.url),
      BOT_ANALYTICS_API_KEY: keys.apiKey,
    });
    return await conduct({ options, sim, server, relay, bot, api, keys });
  } finally {
    await bot?.kill();
    await relay.stop();
    await server.end('SIGKILL');
    await sim.stop();
    data.remove();
    rmSync(botFolder, { recursive: true, force: true });
  }
}

interface Play {
  readonly options: SoakOptions;
  readonly sim: ChatSim;
  readonly server: ServerProcess;
  readonly relay: Relay;
  readonly bot: SoakBot;
  readonly api: Api;
  readonly keys: BotKeys;
}

async function conduct(play: Play): Promise<SoakResult> {
  const { options, sim, server, relay, bot, api, keys } = play;
  const conductor = new Conductor({
    sim,
    relay,
    shards: options.shards,
    restartServer: async (signal) => {
      // Five attempts outlive a restart, but not a restart and other faults in a row.
      relay.spoil(0);
      await relay.nextPassed();
      await server.end(signal);
      await server.start();
      relay.spoil(options.spoilt);
    },
  });
  await sim.gateway.untilConnected(options.shards);
  await conductor.settle();
  const load = loadavg()[0] ?? 0;
  relay.spoil(options.spoilt);
  sim.activity.start(options.perSecond);
  await rounds(conductor, options);
  sim.activity.stop();
  relay.spoil(0);
  await conductor.settle();
  const reported = await lastHeartbeats(relay, restAttempts(sim.ledger()));
  const ledger = sim.ledger();
  const report = await bot.finish();
  const stored = await api.events(keys);
  return {
    headline: headline(options, load),
    happened: expectedEvents(ledger, conductor.done),
    sent: countByType([...relay.sent.values()].filter(({ type }) => !SNAPSHOTS.has(type))),
    stored: countByType(stored),
    snapshots: countByType([...relay.sent.values()].filter(({ type }) => SNAPSHOTS.has(type))),
    report,
    troubles: conductor.troubles,
    requests: relay.counts,
    rest: { happened: restAttempts(ledger), reported },
    failedActs: conductor.failed,
    leaks: relay.leaks,
  };
}

/** Rounds and troubles by turns; every trouble at least once. */
async function rounds(conductor: Conductor, options: SoakOptions): Promise<void> {
  const { troubles, durationMs } = options;
  const endMs = performance.now() + durationMs;
  const stepMs = Math.min(10_000, durationMs / Math.max(1, troubles.length));
  await conductor.round();
  for (let at = 0; at < troubles.length || performance.now() < endMs; at += 1) {
    const nextMs = performance.now() + stepMs;
    const name = troubles[at % troubles.length];
    if (name !== undefined) await conductor.trouble(name);
    await conductor.round();
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, nextMs - performance.now())));
  }
  // A guild that joined last must be left too.
  await conductor.round();
}

/** Waits until the heartbeats tell of every HTTP attempt; returns what they told. */
async function lastHeartbeats(relay: Relay, attempts: number): Promise<number> {
  const told = (): number =>
    sum([...relay.sent.values()].map(({ data }) => Number(data['restRequests'] ?? 0)));
  await until(
    'heartbeats that tell of every call',
    () => (told() >= attempts ? true : undefined),
    LAST_HEARTBEAT_MAX_MS,
  ).catch(() => undefined);
  return told();
}

function countByType(events: readonly SentEvent[]): Counts {
  const counts: Counts = {};
  for (const { type, data } of events) {
    const times = type.startsWith('event_') ? Number(data['count']) : 1;
    counts[type] = (counts[type] ?? 0) + times;
  }
  return counts;
}

function headline(options: SoakOptions, load: number): string {
  const { sdk, durationMs, shards, guilds, perSecond, spoilt } = options;
  const minutes = Number((durationMs / 60_000).toFixed(2));
  const day = new Date().toISOString().slice(0, 10);
  return `# Soak: ${sdk}

${day}, ${cpus().length} cores, Node ${process.version}, load average before: ${load.toFixed(2)}. \`npx tsx e2e/soak/run.ts --sdk ${sdk} --minutes ${minutes}\`:
a bot outside this repository on the packed SDK, ${shards} shards, ${guilds} guilds, ${perSecond} actions of people a second beside the rounds;
${Math.round(spoilt * 100)} % of the SDK's requests spoilt on top of the troubles.`;
}
