import type { Observer } from '../collect/adapter.ts';
import type { DiscordClientView } from './client-view.ts';
import { finite, integer, path, prop, isObject } from '../core/read.ts';
import { emitter, listen, mapLike, type Undo } from './shape.ts';

/** Close codes after which the library gives up. Source: discord.js, WebSocketManager. */
const UNRECOVERABLE: ReadonlySet<number> = new Set([4004, 4010, 4011, 4012, 4013, 4014]);

/** What the shard hooks need. */
export interface ShardParts {
  readonly client: object;
  readonly view: DiscordClientView;
  readonly observer: Observer;
  /** Monotonic clock, ms. */
  readonly monotonic: () => number;
  readonly onFault: (error: unknown) => void;
}

/**
 * The life of each shard. `shardDisconnect` alone would be wrong: the library emits it only for
 * codes that it gives up on; every other loss shows in the `close` event of the shard's socket.
 * platform.md 0.1.
 */
export class ShardHooks {
  readonly #parts: ShardParts;
  readonly #undos: Undo[] = [];
  readonly #watched = new WeakSet<object>();
  readonly #connectedMs = new Map<number, number>();
  readonly #downMs = new Map<number, number>();
  readonly #attempts = new Map<number, number>();

  constructor(parts: ShardParts) {
    this.#parts = parts;
    const { client, view } = parts;
    const target = emitter(client);
    if (target === null) return;
    for (const id of view.readyShardIds()) this.#watch(id);
    this.#listen('shardReady', (id, unavailable) => this.#ready(id, unavailable));
    this.#listen('shardReconnecting', (id) => this.#reconnecting(integer(id) ?? 0));
    this.#listen('shardResume', (id, replayed) => this.#resumed(integer(id) ?? 0, replayed));
  }

  /** READY: a session was made; guilds are still to come. */
  connected(shardId: number): void {
    this.#connectedMs.set(shardId, this.#parts.monotonic());
    this.#attempts.delete(shardId);
    this.#parts.view.markConnected(shardId);
    this.#watch(shardId);
    this.#parts.observer.shard({ type: 'shard_connect', data: { shardId, resumed: false } });
  }

  detach(): void {
    for (const undo of this.#undos) undo();
  }

  #listen(event: string, run: (...args: readonly unknown[]) => void): void {
    const target = emitter(this.#parts.client);
    if (target === null) return;
    this.#undos.push(listen(target, { event, run, onFault: this.#parts.onFault }));
  }

  /** Shard objects appear during the login, so each is watched from its first sign of life. */
  #watch(shardId: number): void {
    const shard = mapLike(path(this.#parts.client, 'ws', 'shards'))?.get(shardId);
    const target = emitter(shard);
    if (target === null || !isObject(shard)) return;
    if (this.#watched.has(shard)) return;
    this.#watched.add(shard);
    const run = (event: unknown): void => this.#closed(shardId, integer(prop(event, 'code')));
    this.#undos.push(listen(target, { event: 'close', run, onFault: this.#parts.onFault }));
  }

  #ready(id: unknown, unavailable: unknown): void {
    const shardId = integer(id) ?? 0;
    const { observer, view, monotonic } = this.#parts;
    view.markConnected(shardId);
    this.#watch(shardId);
    const connectedMs = this.#connectedMs.get(shardId);
    const startupMs = connectedMs === undefined ? null : Math.round(monotonic() - connectedMs);
    const unavailableGuilds = integer(prop(unavailable, 'size')) ?? 0;
    const guildCount = view.guildIdsOfShard(shardId).length;
    this.#attempts.delete(shardId);
    this.#downMs.delete(shardId);
    observer.shard({
      type: 'shard_ready',
      data: { shardId, guildCount, unavailableGuilds, startupMs },
    });
  }

  #closed(shardId: number, code: number | null): void {
    const { observer, view, monotonic } = this.#parts;
    this.#downMs.set(shardId, monotonic());
    const willReconnect = !view.isDestroyed() && !(code !== null && UNRECOVERABLE.has(code));
    observer.shard({ type: 'shard_disconnect', data: { shardId, code, willReconnect } });
  }

  #reconnecting(shardId: number): void {
    const { observer, view } = this.#parts;
    // `client.destroy()` emits this too. platform.md 0.1.
    if (view.isDestroyed()) return;
    const attempt = (this.#attempts.get(shardId) ?? 0) + 1;
    this.#attempts.set(shardId, attempt);
    this.#watch(shardId);
    observer.shard({ type: 'shard_reconnect', data: { shardId, attempt } });
  }

  #resumed(shardId: number, replayed: unknown): void {
    const { observer, monotonic } = this.#parts;
    const downSinceMs = this.#downMs.get(shardId);
    this.#downMs.delete(shardId);
    this.#attempts.delete(shardId);
    const count = finite(replayed);
    observer.shard({
      type: 'shard_resume',
      data: {
        shardId,
        // The library counts RESUMED itself. catalogue.md A4.
        replayedEvents: count === null ? null : Math.max(0, Math.round(count) - 1),
        downMs: downSinceMs === undefined ? null : Math.round(monotonic() - downSinceMs),
      },
    });
  }
}
