import { startChatSim, type ChatSim, type ChatSimOptions } from '@bot-analytics/chat-sim';
import { Client, GatewayIntentBits, type ClientOptions, type Interaction } from 'discord.js';
import type { Analytics } from '../../src/analytics.ts';
import type { AnalyticsEvent, EventOf, EventType } from '../../src/api/events.ts';
import type { AnalyticsOptions } from '../../src/api/options.ts';
import type * as Source from '../../src/index.ts';
import { DIST } from './child.ts';
import { Sink } from './sink.ts';

// The published code: what shortening its names breaks, these tests see.
const published = (await import(DIST)) as typeof Source;

/** A real client on the stand-in platform, observed by the SDK, which sends to a sink. */
export interface Bot {
  readonly sim: ChatSim;
  readonly sink: Sink;
  readonly client: Client;
  readonly analytics: Analytics;
  /** Flushes and returns everything stored so far. */
  events(): Promise<readonly AnalyticsEvent[]>;
  /** Flushes until `count` events of the type are stored (8 s at most), and returns them. */
  of<T extends EventType>(type: T, count?: number): Promise<readonly EventOf<T>[]>;
  stop(): Promise<void>;
}

/** How a bot is set up. */
export interface BotSetup {
  readonly sim?: ChatSimOptions;
  readonly client?: Partial<ClientOptions>;
  readonly analytics?: AnalyticsOptions;
  /** Runs before the login; attach() was called already unless `attachLate`. */
  readonly prepare?: (client: Client) => void;
  /** Another version of the library. */
  readonly Client?: typeof Client;
  /** Attach after the client is ready. */
  readonly attachLate?: boolean;
}

/** All intents of the counters, privileged ones included. */
export const ALL_INTENTS = [
  GatewayIntentBits.Guilds,
  GatewayIntentBits.GuildMembers,
  GatewayIntentBits.GuildModeration,
  GatewayIntentBits.GuildInvites,
  GatewayIntentBits.GuildVoiceStates,
  GatewayIntentBits.GuildMessages,
  GatewayIntentBits.GuildMessageReactions,
  GatewayIntentBits.DirectMessages,
  GatewayIntentBits.AutoModerationExecution,
];

/** A new session waits 5 s: the library's throttle of identifies. */
const WAIT_MS = 8_000;

export async function startBot(setup: BotSetup = {}): Promise<Bot> {
  const sink = await Sink.start();
  const sim = await startChatSim({ seed: 7, guilds: 4, ...setup.sim });
  const client = new (setup.Client ?? Client)({
    intents: [GatewayIntentBits.Guilds],
    shards: 'auto',
    waitGuildTimeout: 1_000,
    ...setup.client,
    rest: { api: sim.restUrl, ...setup.client?.rest },
  });
  const analytics = new published.Analytics({
    apiKey: 'bak_test',
    endpoint: sink.endpoint,
    handleSignals: false,
    captureUnhandledRejections: false,
    ...setup.analytics,
  });
  if (setup.attachLate !== true) analytics.attach(client);
  setup.prepare?.(client);
  await client.login('any.token');
  await sink.until(() => client.isReady(), WAIT_MS);
  if (setup.attachLate === true) analytics.attach(client);
  const events = async (): Promise<readonly AnalyticsEvent[]> => {
    await analytics.flush();
    return sink.stored;
  };
  return {
    sim,
    sink,
    client,
    analytics,
    events,
    of: async <T extends EventType>(type: T, count = 0) => {
      const deadlineMs = performance.now() + WAIT_MS;
      for (;;) {
        const found = (await events()).filter((event) => event.type === type);
        // The filter tests the type that the cast names.
        if (found.length >= count)
          return found as readonly AnalyticsEvent[] as readonly EventOf<T>[];
        if (performance.now() > deadlineMs) throw new Error(`${found.length} of ${count} ${type}`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    stop: async () => {
      await client.destroy();
      await analytics.shutdown();
      await sim.stop();
      await sink.stop();
    },
  };
}

/** Adds an async handler; its rejection is the bot's own business and swallowed. */
export function onInteraction(
  client: Client,
  handle: (interaction: Interaction) => Promise<unknown>,
): void {
  client.on('interactionCreate', (interaction) => {
    handle(interaction).catch(() => undefined);
  });
}

/** A text channel of the stand-in platform. */
export function textChannelOf(sim: ChatSim): string {
  for (const guild of sim.world.guilds.values()) {
    for (const { id, type } of guild.channels.values()) if (type === 0) return id;
  }
  throw new Error('no text channel');
}
