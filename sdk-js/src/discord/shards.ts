import type { GuildChanged, Observer } from '../collect/adapter.ts';
import { finite, integer, prop } from '../core/read.ts';
import { guildFacts, type DiscordView } from './client-view.ts';
import type { On, OnDispatch } from './hooks.ts';

/** Close codes after which the library gives up. Source: discord.js, WebSocketManager. */
const UNRECOVERABLE: ReadonlySet<unknown> = new Set([4004, 4010, 4011, 4012, 4013, 4014]);

/** What the shard hooks need. */
export interface ShardParts {
  readonly client: unknown;
  readonly view: DiscordView;
  readonly observer: Observer;
  /** Monotonic clock, ms. */
  readonly monotonic: () => number;
  readonly on: On;
  readonly onDispatch: OnDispatch;
}

/** What is read of READY, GUILD_CREATE and GUILD_DELETE. */
export interface GuildPacket {
  readonly id: string;
  readonly unavailable?: boolean;
  readonly guilds: readonly { readonly id: string }[];
}

/** What is remembered of a shard. */
interface Life {
  connectedMs?: number;
  downMs?: number;
  attempts: number;
}

/**
 * The life of each shard, and its guilds. `shardDisconnect` alone would be wrong: the library emits
 * it only for codes that it gives up on; every other loss shows in the `close` event of the shard's
 * socket. platform.md 0.1.
 *
 * Joins and leaves are told from everything else that makes guilds appear and vanish (the start,
 * outages, resumes, re-identifying) by an own list of the guilds of each shard. The list of READY is
 * the truth: what it lacks was left while the shard was away, what is new in it was joined and is
 * reported when its GUILD_CREATE brings its name. platform.md B1.
 */
export class ShardHooks {
  readonly #parts: ShardParts;
  readonly #lives = new Map<number, Life>();

  constructor(parts: ShardParts) {
    this.#parts = parts;
    const { client, view, on, onDispatch } = parts;
    for (const [id, shard] of view.allShards()) {
      if (prop(shard, 'status') !== 0) continue;
      view.guildsOf(id);
      this.#life(id);
    }
    onDispatch('READY', (packet: GuildPacket, shardId) => this.#connected(packet, shardId));
    onDispatch('GUILD_CREATE', (packet: GuildPacket, shardId) => this.#created(packet, shardId));
    onDispatch('GUILD_DELETE', ({ id, unavailable }: GuildPacket, shardId) => {
      if (!unavailable) this.#left(id, shardId);
    });
    on(client, 'shardReady', (id: number, unavailable: unknown) => this.#ready(id, unavailable));
    on(client, 'shardReconnecting', (id: number) => this.#reconnecting(id));
    on(client, 'shardResume', (id: number, replayed: unknown) => this.#resumed(id, replayed));
  }

  /** Shard objects appear during the login, so each is watched from its first sign of life. */
  #life(shardId: number): Life {
    const { view, on } = this.#parts;
    let life = this.#lives.get(shardId);
    if (!life) {
      life = { attempts: 0 };
      this.#lives.set(shardId, life);
      on(view.allShards().get(shardId), 'close', (event: unknown) => this.#closed(shardId, event));
    }
    return life;
  }

  /** READY: a session was made; guilds are still to come. */
  #connected(packet: GuildPacket, shardId: number): void {
    const { view, observer, monotonic } = this.#parts;
    this.#life(shardId).connectedMs = monotonic();
    observer.shard({ type: 'shard_connect', data: { shardId, resumed: false } });
    const listed = new Set(packet.guilds.map(({ id }) => id));
    const known = view.known.get(shardId);
    if (!known) view.known.set(shardId, listed);
    else for (const id of known) if (!listed.has(id)) this.#left(id, shardId);
  }

  #ready(shardId: number, unavailable: unknown): void {
    const { view, observer } = this.#parts;
    const life = this.#life(shardId);
    life.attempts = 0;
    observer.shard({
      type: 'shard_ready',
      data: {
        shardId,
        guildCount: view.guildsOf(shardId).size,
        unavailableGuilds: integer(prop(unavailable, 'size')) ?? 0,
        startupMs: this.#since(life.connectedMs),
      },
    });
  }

  #closed(shardId: number, event: unknown): void {
    const { view, observer, monotonic } = this.#parts;
    this.#life(shardId).downMs = monotonic();
    const code = integer(prop(event, 'code'));
    const willReconnect = !view.isDestroyed() && !UNRECOVERABLE.has(code);
    observer.shard({ type: 'shard_disconnect', data: { shardId, code, willReconnect } });
  }

  #reconnecting(shardId: number): void {
    const { view, observer } = this.#parts;
    // `client.destroy()` emits this too. platform.md 0.1.
    if (view.isDestroyed()) return;
    const life = this.#life(shardId);
    life.attempts += 1;
    observer.shard({ type: 'shard_reconnect', data: { shardId, attempt: life.attempts } });
  }

  #resumed(shardId: number, replayed: unknown): void {
    const { view, observer } = this.#parts;
    const life = this.#life(shardId);
    life.attempts = 0;
    view.guildsOf(shardId);
    const count = finite(replayed);
    observer.shard({
      type: 'shard_resume',
      data: {
        shardId,
        // The library counts RESUMED itself. catalogue.md A4.
        replayedEvents: count === null ? null : Math.max(0, Math.round(count) - 1),
        downMs: this.#since(life.downMs),
      },
    });
  }

  #since(ms: number | undefined): number | null {
    return ms === undefined ? null : Math.round(this.#parts.monotonic() - ms);
  }

  /** GUILD_CREATE: joined, or back from an outage, or part of the start. */
  #created(packet: GuildPacket, shardId: number): void {
    const { id, unavailable } = packet;
    const known = this.#parts.view.known.get(shardId);
    if (!known || unavailable || known.has(id)) return;
    known.add(id);
    this.#changed('guild_join', id, shardId, packet);
  }

  #left(id: string, shardId: number): void {
    const { view } = this.#parts;
    if (view.known.get(shardId)?.delete(id))
      this.#changed('guild_leave', id, shardId, view.guilds().get(id));
  }

  #changed(type: GuildChanged['type'], guildId: string, shardId: number, guild: unknown): void {
    const { view, observer } = this.#parts;
    // A guild that was joined is not cached yet, one that was left is cached still.
    const { size } = view.guilds();
    const guildCount = size + Number(type === 'guild_join') - Number(view.guilds().has(guildId));
    observer.guild({ type, guildId, data: { ...guildFacts(guild), shardId, guildCount } });
  }
}
