import { Client, Events, GatewayIntentBits } from 'discord.js';
import type { ClientOptions, GuildMember, Message } from 'discord.js';
import { systemEnv } from '../env.ts';
import type { Env } from '../env.ts';
import { Random } from '../random.ts';
import { answer } from './answers.ts';
import { BEHAVIOUR, Nerves } from './behaviour.ts';
import type { Behaviour } from './behaviour.ts';
import { DEMO_COMMANDS } from './commands.ts';

export interface DemoBotOptions {
  /** `restUrl` of the simulation. */
  readonly restUrl: string;
  /** Any text, unless the simulation was started with `tokens`. Default `demo.token`. */
  readonly token?: string;
  /** Shards of this client. Default `auto`: what the platform recommends. */
  readonly shards?: ClientOptions['shards'];
  readonly shardCount?: number;
  /** Default: all but presences and typing. */
  readonly intents?: ClientOptions['intents'];
  /** Same seed, same decisions. Default 1. */
  readonly seed?: number;
  readonly behaviour?: Partial<Behaviour>;
  /** Told of every failed handler. Default: nobody. */
  readonly onError?: (error: unknown) => void;
  /** Clock and timers. Default: those of the process. */
  readonly env?: Env;
}

const INTENTS = [
  GatewayIntentBits.Guilds,
  GatewayIntentBits.GuildMembers,
  GatewayIntentBits.GuildModeration,
  GatewayIntentBits.GuildInvites,
  GatewayIntentBits.GuildVoiceStates,
  GatewayIntentBits.GuildMessages,
  GatewayIntentBits.GuildMessageReactions,
  GatewayIntentBits.DirectMessages,
  GatewayIntentBits.MessageContent,
  GatewayIntentBits.AutoModerationExecution,
];

/**
 * A discord.js bot that behaves like a real one: it registers commands, answers all six kinds of
 * interaction in all forms, chats, greets and grants roles, and fails now and then. It carries its
 * token: start it with `client.login()`.
 */
export function createDemoBot(options: DemoBotOptions): Client {
  const client = new Client({
    intents: options.intents ?? INTENTS,
    shards: options.shards ?? 'auto',
    ...(options.shardCount === undefined ? {} : { shardCount: options.shardCount }),
    waitGuildTimeout: 1000,
    rest: { api: options.restUrl },
  });
  client.token = options.token ?? 'demo.token';
  const behaviour = { ...BEHAVIOUR, ...options.behaviour };
  const nerves = new Nerves(behaviour, new Random(options.seed ?? 1), options.env ?? systemEnv);
  const onError = options.onError ?? (() => undefined);
  // A client without an error listener ends the process when a handler fails.
  client.on(Events.Error, onError);
  const guarded =
    <T>(handle: (thing: T) => Promise<unknown>) =>
    (thing: T): void => {
      handle(thing).catch(onError);
    };
  client.once(
    Events.ClientReady,
    guarded((ready) => ready.application.commands.set(DEMO_COMMANDS)),
  );
  client.on(
    Events.InteractionCreate,
    guarded((interaction) => answer(interaction, nerves)),
  );
  client.on(
    Events.MessageCreate,
    guarded((message) => chat(message, nerves)),
  );
  client.on(
    Events.GuildMemberAdd,
    guarded((member) => greet(member)),
  );
  return client;
}

async function chat(message: Message, nerves: Nerves): Promise<void> {
  if (message.author.bot || !nerves.random.chance(nerves.behaviour.chat)) return;
  await nerves.think();
  if (nerves.random.chance(0.5)) await message.react('👀');
  else if (message.channel.isSendable()) await message.channel.send('I see.');
}

async function greet(member: GuildMember): Promise<void> {
  const { guild } = member;
  const role = guild.roles.cache.find(({ name }) => name === 'Helper');
  if (role !== undefined) await member.roles.add(role);
  await guild.systemChannel?.send('Welcome!');
}
