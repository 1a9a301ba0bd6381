import { once } from 'node:events';
import { Client, Events, GatewayIntentBits } from 'discord.js';
import type { ClientOptions } from 'discord.js';
import type { ChatSim } from '../../src/index.ts';

/** All intents that the library knows. */
export const EVERY_INTENT = Object.values(GatewayIntentBits)
  .filter((bit) => typeof bit === 'number')
  .reduce((sum, bit) => sum | bit, 0);

/** An unmodified discord.js client that talks to the simulated platform. */
export function clientOf(
  sim: Pick<ChatSim, 'restUrl'>,
  options: Partial<ClientOptions> = {},
): Client {
  return new Client({
    intents: EVERY_INTENT,
    waitGuildTimeout: 300,
    ...options,
    rest: { api: sim.restUrl, ...options.rest },
  });
}

/** Logs in and waits until the client is ready. */
export async function login(client: Client): Promise<Client<true>> {
  const ready = once(client, Events.ClientReady);
  await client.login('sim.token.one');
  await ready;
  if (!client.isReady()) throw new Error('The client is not ready after its ready event.');
  return client;
}

/** The next event of this name, as its argument list. */
export async function next<T extends unknown[]>(client: Client, name: string): Promise<T> {
  return (await once(client, name, { signal: AbortSignal.timeout(10_000) })) as T;
}
