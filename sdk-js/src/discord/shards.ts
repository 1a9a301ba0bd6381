import type { Observer } from '../collect/adapter.ts';
import { integer, isObject, prop } from '../core/read.ts';
import type { DiscordView } from './client-view.ts';
import { watchGuilds } from './guilds.ts';
import type { On, OnDispatch } from './hooks.ts';
import type { Emitter, GuildPacket } from './library.ts';

/** Close codes after which the library gives up. Source: discord.js, WebSocketManager. */
const UNRECOVERABLE: ReadonlySet<unknown> = new Set([4004, 4010, 4011, 4012, 4013, 4014]);

/** What the shard hooks need. */
export interface ShardParts {
  /** Monotonic clock, ms. */
  readonly monotonic: () => number;
  readonly on: On;
  readonly onDispatch: OnDispatch;
}

/** What is remembered of a shard. */
interface Life {
  connectedMs?: number;
  closedMs?: number;
  attempts: number;
}

/** Returns what is remembered of a shard; its losses are reported from the first time on. */
function remember(
  view: DiscordView,
  observer: Observer,
  { monotonic, on }: ShardParts,
): (shardId: number) => Life {
  const lives = new Map<number, Life>();
  const watched = new WeakSet<object>();
  return (shardId) => {
    const life = lives.get(shardId) ?? { attempts: 0 };
    lives.set(shardId, life);
    const shard = view.allShards().get(shardId);
    // A later login may put another object in place.
    if (isObject(shard) && !watched.has(shard)) {
      watched.add(shard);
      on(shard, 'close', (event: unknown) => {
        life.closedMs = monotonic();
        const code = integer(prop(event, 'code'));
        const willReconnect = !view.hasEnded() && !UNRECOVERABLE.has(code);
        observer.shard({ type: 'shard_disconnect', data: { shardId, code, willReconnect } });
      });
    }
    return life;
  };
}

/**
 * The life of each shard. `shardDisconnect` alone would be wrong: the library emits it only for
 * codes that it gives up on; every other loss shows in the `close` event of the shard's socket.
 * Shard objects appear with a login, so each is watched from its first sign of life. platform.md 0.1.
 */
export function watchShards(
  client: Emitter,
  view: DiscordView,
  observer: Observer,
  parts: ShardParts,
): void {
  const { monotonic, on, onDispatch } = parts;
  const lifeOf = remember(view, observer, parts);
  const since = (ms: number | undefined): number | null =>
    ms === undefined ? null : Math.round(monotonic() - ms);
  for (const [id, shard] of view.allShards()) {
    if (prop(shard, 'status') === 0) view.guildsOf(id);
    lifeOf(id);
  }
  const session = watchGuilds(view, observer, onDispatch);
  // A session was made; guilds are still to come.
  onDispatch('READY', (packet: GuildPacket, shardId) => {
    lifeOf(shardId).connectedMs = monotonic();
    observer.shard({ type: 'shard_connect', data: { shardId, resumed: false } });
    session(packet, shardId);
  });
  on(client, 'shardReady', (shardId: number, unavailable?: ReadonlySet<string>) => {
    const life = lifeOf(shardId);
    const guildCount = view.guildsOf(shardId).size;
    const unavailableGuilds = unavailable?.size ?? 0;
    const startupMs = since(life.connectedMs);
    life.attempts = 0;
    delete life.closedMs;
    observer.shard({
      type: 'shard_ready',
      data: { shardId, guildCount, unavailableGuilds, startupMs },
    });
  });
  on(client, 'shardReconnecting', (shardId: number) => {
    // `client.destroy()` emits this too. platform.md 0.1.
    if (view.hasEnded()) return;
    const attempt = (lifeOf(shardId).attempts += 1);
    observer.shard({ type: 'shard_reconnect', data: { shardId, attempt } });
  });
  on(client, 'shardResume', (shardId: number, replayed: unknown) => {
    const life = lifeOf(shardId);
    const downMs = since(life.closedMs);
    // The library counts RESUMED itself. catalogue.md A4.
    const count = integer(replayed);
    const replayedEvents = count && count - 1;
    life.attempts = 0;
    delete life.closedMs;
    view.guildsOf(shardId);
    observer.shard({ type: 'shard_resume', data: { shardId, replayedEvents, downMs } });
  });
}
