import { errorMonitor } from 'node:events';
import { GATEWAY_KINDS, gatewayTypesFor } from '@bot-analytics/protocol';
import type { ClientView, Observer } from '../collect/adapter.ts';
import type { Collect } from '../api/options.ts';
import { DiscordClientView, intentBits } from './client-view.ts';
import { GuildMembership, guildSource } from './guilds.ts';
import { InteractionHooks, readInteraction } from './interactions.ts';
import { failureOf, observeAttempts, wrapRest } from './rest.ts';
import { path, prop, isObject } from '../core/read.ts';
import { emitter, listen, type Emitter, type Undo } from './shape.ts';
import { ShardHooks } from './shards.ts';

/** What the adapter needs. */
export interface AdapterParts {
  readonly collect: Required<Collect>;
  /** Monotonic clock, ms. */
  readonly monotonic: () => number;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** A fault inside the SDK's own hooks. */
  readonly onFault: (error: unknown) => void;
}

/** A client that can be observed. */
export interface Adapter {
  readonly view: ClientView;
  /** Installs the hooks; the returned function removes them. */
  start(observer: Observer): Undo;
  /** Shards that were ready already. */
  readyShardIds(): readonly number[];
}

/** An adapter for a discord.js client, null when the object is none. */
export function discordAdapter(client: unknown, parts: AdapterParts): Adapter | null {
  const ws = emitter(prop(client, 'ws'));
  const clientEmitter = emitter(client);
  if (!isObject(client) || ws === null || clientEmitter === null) {
    return null;
  }
  const view = new DiscordClientView(client, parts.variables);
  return {
    view,
    readyShardIds: () => view.readyShardIds(),
    start: (observer) => new Hooks({ client, clientEmitter, ws, view, observer }, parts).undo,
  };
}

interface Targets {
  readonly client: object;
  readonly clientEmitter: Emitter;
  readonly ws: Emitter;
  readonly view: DiscordClientView;
  readonly observer: Observer;
}

/** All hooks of one client. */
class Hooks {
  readonly #targets: Targets;
  readonly #parts: AdapterParts;
  readonly #undos: Undo[] = [];

  constructor(targets: Targets, parts: AdapterParts) {
    this.#targets = targets;
    this.#parts = parts;
    this.#shardsAndGuilds();
    if (parts.collect.gateway) this.#gateway();
    this.#rest();
    this.#errors();
  }

  readonly undo = (): void => {
    for (const undo of this.#undos.splice(0)) undo();
  };

  /** Raw dispatches: they come before the library's own handling and are never left out. platform.md 0.4. */
  #onDispatch(event: string, run: (packet: unknown, shardId: number) => void): void {
    this.#undos.push(
      listen(this.#targets.ws, {
        event,
        onFault: this.#parts.onFault,
        run: (packet, shardId) => run(packet, typeof shardId === 'number' ? shardId : 0),
      }),
    );
  }

  #shardsAndGuilds(): void {
    const { client, view, observer } = this.#targets;
    const { monotonic, onFault } = this.#parts;
    for (const id of view.readyShardIds()) view.markConnected(id);
    const shards = new ShardHooks({ client, view, observer, monotonic, onFault });
    const guilds = new GuildMembership(observer, guildSource(client));
    for (const id of view.readyShardIds()) guilds.startFrom(id, view.guildIdsOfShard(id));
    this.#onDispatch('READY', (packet, shardId) => {
      shards.connected(shardId);
      guilds.ready(packet, shardId);
    });
    this.#onDispatch('GUILD_CREATE', (packet, shardId) => guilds.create(packet, shardId));
    this.#onDispatch('GUILD_DELETE', (packet, shardId) => guilds.remove(packet, shardId));
    this.#undos.push(() => shards.detach());
  }

  /** One listener per kind whose intent is on; none where it is off. Spec: Intent detection. */
  #gateway(): void {
    const { client, observer } = this.#targets;
    const bits = intentBits(path(client, 'options', 'intents'));
    for (const type of gatewayTypesFor(bits)) {
      this.#onDispatch(GATEWAY_KINDS[type].dispatch, (_packet, shardId) => {
        observer.dispatch(type, shardId);
      });
    }
  }

  #rest(): void {
    const { client, clientEmitter, observer } = this.#targets;
    const { collect, monotonic, onFault } = this.#parts;
    const interactions = new InteractionHooks(observer, onFault);
    if (collect.interactions) this.#interactions(clientEmitter, interactions);
    const rest = prop(client, 'rest');
    if (!isObject(rest)) return;
    this.#undos.push(observeAttempts(rest, observer, onFault));
    if (!collect.interactions && !collect.actions) return;
    this.#undos.push(
      wrapRest(rest, {
        monotonic,
        onFault,
        settled: (call) => {
          if (interactions.takeCallback(call) || !collect.actions) return;
          observer.restCall({ ...call, ...failureOf(call.failure) });
        },
      }),
    );
  }

  #interactions(clientEmitter: Emitter, interactions: InteractionHooks): void {
    const { observer } = this.#targets;
    this.#onDispatch('INTERACTION_CREATE', (packet, shardId) => {
      const seen = readInteraction(packet, shardId);
      if (seen !== null) observer.interaction(seen);
    });
    const run = (interaction: unknown): void => interactions.wrapReplies(interaction);
    const { onFault } = this.#parts;
    this.#undos.push(
      listen(clientEmitter, { event: 'interactionCreate', run, first: true, onFault }),
    );
  }

  /** Observes errors of the client without handling them: the bot dies or lives as before. platform.md 0.3. */
  #errors(): void {
    const { clientEmitter, observer } = this.#targets;
    const { onFault } = this.#parts;
    const run = (error: unknown): void => {
      observer.clientError(error, (clientEmitter.listenerCount?.('error') ?? 0) > 0);
    };
    this.#undos.push(listen(clientEmitter, { event: errorMonitor, run, onFault }));
  }
}
