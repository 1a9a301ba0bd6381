import { PLAIN_EVENTS, type ChatSim, type InteractionRecord } from '@bot-analytics/chat-sim';
import { ACTION_TYPES } from '@bot-analytics/protocol';
import { until } from '../stage.ts';
import { CANARY, FAULTS, type Act } from './acts.ts';
import { sum } from './expected.ts';
import type { Relay } from './relay.ts';

/** What the conductor acts on. */
export interface Stage {
  readonly sim: ChatSim;
  readonly relay: Relay;
  readonly shards: number;
  /** Ends the server by the signal and starts it again on the same data and port. */
  readonly restartServer: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>;
}

const SELECTS = ['string', 'user', 'role', 'mentionable', 'channel'] as const;
/** The library waits 5 s between two identifies of a shard. */
const RECONNECT_MAX_MS = 30_000;

/** Makes everything happen: people, the bot's own work, faults of platform and server. */
export class Conductor {
  /** How often each act was done, as the bot answered. */
  readonly done: Record<string, number> = {};
  /** Acts that the bot could not do, with its words. */
  readonly failed: string[] = [];
  /** Troubles that were made, by name. */
  readonly troubles: Record<string, number> = {};
  readonly #stage: Stage;
  #joined: string | undefined;
  #shard = 0;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** Once each: every gateway kind, every interaction kind, every act, a guild joined and left. */
  async round(): Promise<void> {
    this.#happen();
    await this.#visit();
    for (const what of [...ACTION_TYPES, ...FAULTS]) await this.#act(what);
    this.#membership();
  }

  /** One trouble, and the way out of it. */
  async trouble(name: TroubleName): Promise<void> {
    this.troubles[name] = (this.troubles[name] ?? 0) + 1;
    this.#shard = (this.#shard + 1) % this.#stage.shards;
    await TROUBLES[name](this.#stage, this.#shard);
    await this.#stage.sim.gateway.untilConnected(this.#stage.shards, RECONNECT_MAX_MS);
  }

  /** Returns when every shard has heard everything that was dispatched before. */
  async settle(): Promise<void> {
    const { sim, shards } = this.#stage;
    await sim.gateway.untilConnected(shards, RECONNECT_MAX_MS);
    const heard = new Set<number | null>();
    for (const { available, facts } of sim.world.guildList()) {
      if (!available) continue;
      // Its answer makes no message: nothing is dispatched after it.
      const typed = { command: 'find', options: { place: 'a' }, focused: 'place' };
      const record = sim.users.autocomplete({ ...typed, guildId: facts.id });
      await sim.settled(record);
      heard.add(record.shardId);
    }
    if (heard.size !== shards) throw new Error(`${heard.size} of ${shards} shards are heard`);
  }

  #happen(): void {
    const { events } = this.#stage.sim;
    const fields = { embeds: [{ title: CANARY }] };
    events.messageCreate({ content: CANARY, fields });
    events.messageUpdate({ content: `${CANARY} edited`, fields });
    events.automodAction({ content: CANARY });
    for (const name of PLAIN_EVENTS) events[name]();
  }

  async #visit(): Promise<void> {
    const { sim } = this.#stage;
    const { users } = sim;
    const options = { text: CANARY, number: 7 };
    const records: InteractionRecord[] = [
      users.slash({ command: 'ping', options }),
      users.slash({ command: 'config set', options }),
      users.slash({ command: 'ping', options, guildId: null }),
      users.autocomplete({ command: 'find', options: { place: CANARY }, focused: 'place' }),
      users.button({ customId: 'vote:yes' }),
      users.userMenu({ command: 'User info' }),
      users.messageMenu({ command: 'Bookmark' }),
      ...SELECTS.map((select) =>
        users.select({
          customId: `choose:${select}`,
          select,
          ...(select === 'string' ? { values: [CANARY] } : {}),
        }),
      ),
    ];
    await Promise.all(records.map((record) => sim.settled(record)));
    await sim.settled(users.slash({ command: 'form' }));
    await sim.settled(users.modal({ customId: 'form', fields: { text: CANARY } }));
  }

  async #act(what: Act): Promise<void> {
    const { sim } = this.#stage;
    const guild = sim.world.guildList().find(({ available }) => available);
    if (guild === undefined) throw new Error('no guild to act in');
    const guildId = guild.facts.id;
    const target = sim.events.memberJoin({ guildId }).user.id;
    const role = [...guild.roles.keys()].find((id) => id !== guildId) ?? '';
    const options = { what, target, role, note: CANARY };
    const record = await sim.settled(sim.users.slash({ command: 'act', options, guildId }));
    const answer = sim.world.findMessage(record.responseMessageId ?? '')?.content;
    if (answer === 'done') this.done[what] = (this.done[what] ?? 0) + 1;
    else this.failed.push(`${what}: ${answer ?? record.outcome}`);
  }

  /** One guild is joined in each round; it is left in the next. */
  #membership(): void {
    const { guilds } = this.#stage.sim;
    if (this.#joined !== undefined) guilds.leave(this.#joined);
    this.#joined = guilds.join().facts.id;
  }
}

type Trouble = (stage: Stage, shardId: number) => Promise<void>;

/** Everything that goes wrong; the order is that of the soak. */
const TROUBLES = {
  'shard closed, resumes': ({ sim }, shardId) =>
    ended(sim, shardId, 1, () => sim.gateway.close({ shardId, code: 4000 })),
  'server restarts (SIGTERM)': ({ restartServer }) => restartServer('SIGTERM'),
  'REST 429, bucket': ({ sim }) => limited(sim, 'rate-limit-bucket'),
  'four attempts fail with 503': async ({ relay }) => {
    await relay.nextPassed();
    relay.plan({ status: 503 }, { status: 503 }, { status: 503 }, { status: 503 });
    await relay.nextPassed();
  },
  'shard cut, resumes': ({ sim }, shardId) =>
    ended(sim, shardId, 1, () => sim.gateway.kill({ shardId })),
  'REST 429, global': ({ sim }) => limited(sim, 'rate-limit-global'),
  'resume refused': ({ sim }, shardId) => {
    sim.gateway.refuseResume({ shardId });
    // The connection, and the one that asked for the resume.
    return ended(sim, shardId, 2, () => sim.gateway.close({ shardId, code: 4000 }));
  },
  'server killed (SIGKILL)': ({ restartServer }) => restartServer('SIGKILL'),
  'REST 500': async ({ sim }) => {
    sim.restFaults.add({ kind: 'server-error', times: 1 });
  },
  'asked to reconnect (op 7)': ({ sim }, shardId) =>
    ended(sim, shardId, 1, () => sim.gateway.reconnect({ shardId })),
  'pause of 10 s (429)': ({ relay }) => {
    relay.plan({ status: 429, retryAfterSeconds: 10 });
    return Promise.resolve();
  },
  // discord.py closes the connection for it, discord.js resumes on the one it has.
  'session invalid, resumable': async ({ sim }, shardId) => {
    const resumes = (): number => sim.ledger().shards[shardId]?.resumes ?? 0;
    const wanted = resumes() + 1;
    sim.gateway.invalidSession({ shardId, resumable: true });
    await until('the resume', () => (resumes() >= wanted ? true : undefined));
  },
  'outage of half the guilds': async ({ sim }) => {
    const down = sim.world.guildList().filter((_, at) => at % 2 === 0);
    for (const { facts } of down) sim.guilds.outage(facts.id);
    for (const { facts } of down) sim.guilds.restore(facts.id);
  },
  'session invalid, not resumable': ({ sim }, shardId) =>
    ended(sim, shardId, 1, () => sim.gateway.invalidSession({ shardId, resumable: false })),
  'REST 429, shared': ({ sim }) => limited(sim, 'rate-limit-shared'),
} as const satisfies Record<string, Trouble>;

export type TroubleName = keyof typeof TROUBLES;
export const TROUBLE_NAMES = Object.keys(TROUBLES) as readonly TroubleName[];

/**
 * Returns when so many connections of the shard have ended by the deed. Until then it looks
 * connected, and a guild that joins and leaves meanwhile is never seen by a bot.
 */
async function ended(
  sim: ChatSim,
  shardId: number,
  times: number,
  deed: () => unknown,
): Promise<void> {
  const count = (): number => sum(Object.values(sim.ledger().shards[shardId]?.disconnects ?? {}));
  const wanted = count() + times;
  deed();
  await until('the connections end', () => (count() >= wanted ? true : undefined));
}

async function limited(
  sim: ChatSim,
  kind: 'rate-limit-bucket' | 'rate-limit-global' | 'rate-limit-shared',
): Promise<void> {
  sim.restFaults.add({ kind, times: 1, retryAfterSeconds: 0.5 });
}
