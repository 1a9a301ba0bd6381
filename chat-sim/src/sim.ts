import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocketServer } from 'ws';
import { Activity } from './activity/activity.ts';
import { handleControl } from './control/http.ts';
import { systemEnv } from './env.ts';
import { GatewayControl } from './drive/gateway-control.ts';
import { GatewayEvents } from './drive/gateway-events.ts';
import { Gateway } from './gateway/gateway.ts';
import type { GatewaySettings } from './gateway/gateway.ts';
import { GuildLife } from './drive/guild-life.ts';
import { Ledger } from './ledger.ts';
import type { LedgerSnapshot } from './ledger.ts';
import { InteractionBook } from './operations/interaction-book.ts';
import type { InteractionRecord } from './operations/interaction-book.ts';
import { setVoiceChannel } from './operations/voice.ts';
import { DEFAULTS } from './options.ts';
import type { ChatSimOptions } from './options.ts';
import type { Platform } from './platform.ts';
import { Random } from './random.ts';
import { RestFaults } from './rest/faults.ts';
import { APPLICATION_ROUTES } from './rest/routes/application.ts';
import { CHANNEL_ROUTES } from './rest/routes/channels.ts';
import { gatewayRoutes } from './rest/routes/gateway.ts';
import { GUILD_ROUTES } from './rest/routes/guilds.ts';
import { INTERACTION_ROUTES } from './rest/routes/interactions.ts';
import { MESSAGE_ROUTES } from './rest/routes/messages.ts';
import { RestServer } from './rest/server.ts';
import { UserInput } from './drive/user-input.ts';
import { seedWorld } from './world/seed.ts';
import { SnowflakeSource } from './world/snowflake.ts';
import type { World } from './world/world.ts';

const HOST = '127.0.0.1';
const KEEP_ALIVE_MS = 120_000;

type Settings = Required<Omit<ChatSimOptions, 'env'>>;

/** A running platform with one bot application. Made by {@link startChatSim}. */
export class ChatSim {
  /** Base for clients, without version: `http://127.0.0.1:P/api`. */
  readonly restUrl: string;
  /** `ws://127.0.0.1:P/gateway`. */
  readonly gatewayUrl: string;
  /** Base of the HTTP control API: `http://127.0.0.1:P/_sim`. */
  readonly controlUrl: string;
  /** What exists. Read it; change it through the members below. */
  readonly world: World;
  /** What users do with the bot: the six interaction kinds. */
  readonly users: UserInput;
  /** What happens without the bot: one method per gateway kind. */
  readonly events: GatewayEvents;
  readonly guilds: GuildLife;
  /** Gateway faults: close, kill, op 7, op 9, withheld acks, refusals. */
  readonly gateway: GatewayControl;
  /** REST faults: 429 of four kinds, 401, 403, 5xx, delay, reset. */
  readonly restFaults: RestFaults;
  /** A seeded stream of user actions. */
  readonly activity: Activity;
  readonly #platform: Platform;
  readonly #server: Server;

  constructor(platform: Platform, server: Server, parts: ChatSimParts) {
    const { port } = server.address() as AddressInfo; // a listening TCP server has one
    this.restUrl = `http://${HOST}:${port}/api`;
    this.gatewayUrl = `ws://${HOST}:${port}/gateway`;
    this.controlUrl = `http://${HOST}:${port}/_sim`;
    this.world = platform.world;
    this.users = new UserInput(platform);
    this.events = new GatewayEvents(platform);
    this.guilds = new GuildLife(platform);
    const { gateway, ledger, env } = platform;
    this.gateway = new GatewayControl(gateway, ledger, parts.gatewaySettings, env);
    this.restFaults = parts.restFaults;
    this.activity = new Activity(platform, this.users, this.events, parts.seed);
    this.#platform = platform;
    this.#server = server;
  }

  /** Everything that happened, counted. */
  ledger(): LedgerSnapshot {
    return this.#platform.ledger.snapshot();
  }

  resetLedger(): void {
    this.#platform.ledger.reset();
  }

  /** Every interaction and what became of it, oldest first. */
  interactions(): readonly InteractionRecord[] {
    return this.#platform.interactions.records();
  }

  /** Resolves when the bot answered, the deadline passed, or nobody was there to hear it. */
  settled(record: InteractionRecord): Promise<InteractionRecord> {
    return this.#platform.interactions.settled(record);
  }

  /** Closes every connection and the port. */
  async stop(): Promise<void> {
    this.activity.stop();
    this.#platform.gateway.stop();
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    this.#server.closeAllConnections();
    await closed;
  }
}

interface ChatSimParts {
  readonly gatewaySettings: GatewaySettings;
  readonly restFaults: RestFaults;
  readonly seed: number;
}

/** Starts a platform on a loopback port. Rejects when the port is taken. */
export async function startChatSim(options: ChatSimOptions = {}): Promise<ChatSim> {
  const settings: Settings = { ...DEFAULTS, ...options };
  const gatewaySettings: GatewaySettings = { ...settings, gatewayUrl: '' };
  const platform = buildPlatform(settings, gatewaySettings, options);
  const restFaults = new RestFaults();
  const rest = new RestServer(platform, settings, restFaults, [
    ...gatewayRoutes(() => ({ ...settings, gatewayUrl: gatewaySettings.gatewayUrl })),
    ...APPLICATION_ROUTES,
    ...INTERACTION_ROUTES,
    ...MESSAGE_ROUTES,
    ...CHANNEL_ROUTES,
    ...GUILD_ROUTES,
  ]);
  const server = createServer();
  // Node's 5 s would end pooled connections just when a client takes them up again.
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request: IncomingMessage, tcp: Socket, head: Buffer) => {
    sockets.handleUpgrade(request, tcp, head, (socket) => {
      platform.gateway.accept(socket, tcp, addressOf(request));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.port, HOST, resolve);
  });
  const sim = new ChatSim(platform, server, { gatewaySettings, restFaults, seed: settings.seed });
  gatewaySettings.gatewayUrl = sim.gatewayUrl;
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    serve({ sim, rest }, request, response).catch((error: unknown) => {
      response.writeHead(500, { 'Content-Type': 'text/plain' });
      response.end(`The simulation failed: ${String(error)}`);
    });
  });
  return sim;
}

function buildPlatform(
  settings: Settings,
  gatewaySettings: GatewaySettings,
  options: ChatSimOptions,
): Platform {
  const env = options.env ?? systemEnv;
  const { world, maker } = seedWorld(settings);
  const ledger = new Ledger();
  const random = new Random(settings.seed + 1);
  const gateway = new Gateway({ env, world, ledger, random, settings: gatewaySettings });
  const platform: Platform = {
    env,
    world,
    maker,
    gateway,
    ledger,
    random,
    ids: new SnowflakeSource(() => env.now()),
    interactions: new InteractionBook(settings.interactionDeadlineMs),
  };
  gateway.onVoice = (guildId, channelId) => {
    const guild = world.guilds.get(guildId);
    if (guild !== undefined) setVoiceChannel(platform, guild, world.bot.id, channelId);
  };
  return platform;
}

/** `/_sim` drives the simulation; everything else is the platform's REST. */
async function serve(
  { sim, rest }: { sim: ChatSim; rest: RestServer },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const address = addressOf(request);
  if (address.pathname.startsWith('/_sim')) {
    return handleControl(sim, request, response, address.pathname);
  }
  return rest.handle(request, response, address);
}

function addressOf(request: IncomingMessage): URL {
  return new URL(request.url ?? '/', `http://${HOST}`);
}
