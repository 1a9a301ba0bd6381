import type { Env } from '../env.ts';
import { changeBetween } from './delta.ts';
import { frame, FrameRing, OPENING, PING, RING_TICKS, type Frame } from './frames.ts';
import { toStatus, type StatusView } from './view.ts';

/** One open stream. */
export interface Viewer {
  write(frame: Frame): void;
  /** Bytes written that the network has not taken yet. */
  queuedBytes(): number;
  close(): void;
  /** Whether the caller may still see the bot; asked every 60 s. Must not reject. */
  mayStay(): Promise<boolean>;
}

const TICK_MS = 1_000;
const PING_EVERY_TICKS = 15;
const RECHECK_EVERY_TICKS = 60;
/** A viewer that takes nothing is let go at this backlog; it connects again. ui.md C. */
export const QUEUED_BYTES_MAX = 256 * 1_024;
/** A snapshot of 2,000 shards alone is 410 kB: a slow line gets this long to take it. */
const SNAPSHOT_GRACE_TICKS = 30;
/** Writes in one turn of the event loop: 15,000 at once were 0.18 s. ui.md C. */
const FAN_OUT_SLICE = 1_000;

interface Channel {
  view: StatusView;
  version: number;
  /** Made when the first viewer of this second asks. */
  snapshot: Frame | undefined;
  readonly ring: FrameRing;
  readonly viewers: Map<Viewer, { readonly openedTick: number; snapshotTick: number }>;
  emptySinceTick: number | null;
}

interface Deps {
  readonly env: Pick<Env, 'every' | 'after' | 'randomBytes'>;
  /** The status of a bot now. */
  readonly viewOf: (botId: string) => StatusView;
  /** Streams of this process; more are refused. */
  readonly streamsMax: number;
}

/** Feeds every status stream of the process: one view, one delta and one buffer a bot and second. */
export class StatusHub {
  readonly #deps: Deps;
  readonly #channels = new Map<string, Channel>();
  /** Versions of another process, or of an earlier run, never match. */
  readonly #epoch: string;
  #tick = 0;
  #open = 0;
  #stopTicking: () => void = () => undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#epoch = deps.env.randomBytes(6).toString('base64url');
  }

  start(): void {
    this.#stopTicking = this.#deps.env.every(TICK_MS, () => this.#onTick());
  }

  /** Ends every stream. */
  stop(): void {
    this.#stopTicking();
    for (const channel of this.#channels.values()) {
      for (const viewer of channel.viewers.keys()) this.#drop(channel, viewer);
    }
    this.#channels.clear();
  }

  /** Streams open now. */
  openStreams(): number {
    return this.#open;
  }

  isFull(): boolean {
    return this.#open >= this.#deps.streamsMax;
  }

  /**
   * Starts a stream behind `lastEventId`, or with a snapshot; returns the way to end it. Undefined: there
   * are too many streams.
   */
  open(botId: string, viewer: Viewer, lastEventId: string | undefined): (() => void) | undefined {
    if (this.isFull()) return undefined;
    const channel = this.#channelOf(botId);
    viewer.write(OPENING);
    const missed = this.#missed(channel, lastEventId);
    if (missed === undefined) viewer.write(this.#snapshotOf(channel));
    else for (const kept of missed) viewer.write(kept);
    channel.viewers.set(viewer, { openedTick: this.#tick, snapshotTick: this.#tick });
    channel.emptySinceTick = null;
    this.#open += 1;
    return () => this.#forget(channel, viewer);
  }

  #channelOf(botId: string): Channel {
    let channel = this.#channels.get(botId);
    if (channel === undefined) {
      channel = {
        view: this.#deps.viewOf(botId),
        version: 0,
        snapshot: undefined,
        ring: new FrameRing(),
        viewers: new Map(),
        emptySinceTick: null,
      };
      this.#channels.set(botId, channel);
    }
    return channel;
  }

  #missed(channel: Channel, lastEventId: string | undefined): readonly Frame[] | undefined {
    const [epoch, digits = '', ...rest] = lastEventId?.split('.') ?? [];
    const ours = epoch === this.#epoch && rest.length === 0 && /^\d{1,15}$/.test(digits);
    return ours ? channel.ring.since(Number(digits), channel.version) : undefined;
  }

  #id(channel: Channel): string {
    return `${this.#epoch}.${channel.version}`;
  }

  #snapshotOf(channel: Channel): Frame {
    channel.snapshot ??= frame('snapshot', this.#id(channel), toStatus(channel.view));
    return channel.snapshot;
  }

  #onTick(): void {
    this.#tick += 1;
    for (const [botId, channel] of this.#channels) {
      // It tells the time as well, by which pages count "48 min ago".
      channel.snapshot = undefined;
      if (channel.viewers.size === 0) {
        // Kept as long as its ring is worth something, so that a viewer can come back.
        channel.emptySinceTick ??= this.#tick;
        if (this.#tick - channel.emptySinceTick > RING_TICKS) {
          this.#channels.delete(botId);
          continue;
        }
      }
      const next = this.#advance(botId, channel);
      if (next !== undefined) this.#fanOut(channel, next);
      if (this.#tick % PING_EVERY_TICKS === 0) this.#fanOut(channel, PING);
      this.#recheck(channel);
    }
  }

  /** The frame of this second; undefined when nothing changed. */
  #advance(botId: string, channel: Channel): Frame | undefined {
    const after = this.#deps.viewOf(botId);
    const change = changeBetween(channel.view, after);
    channel.view = after;
    if (change.kind === 'none') return undefined;
    channel.version += 1;
    if (change.kind === 'snapshot') {
      channel.ring.clear();
      for (const seat of channel.viewers.values()) seat.snapshotTick = this.#tick;
      return channel.viewers.size === 0 ? undefined : this.#snapshotOf(channel);
    }
    const delta = frame('delta', this.#id(channel), change.delta);
    channel.ring.push(channel.version, delta);
    return delta;
  }

  #fanOut(channel: Channel, sent: Frame): void {
    const viewers = [...channel.viewers.keys()];
    const slice = (from: number): void => {
      for (const viewer of viewers.slice(from, from + FAN_OUT_SLICE)) {
        const seat = channel.viewers.get(viewer);
        if (seat === undefined) continue;
        const isLate = this.#tick - seat.snapshotTick > SNAPSHOT_GRACE_TICKS;
        if (isLate && viewer.queuedBytes() > QUEUED_BYTES_MAX) this.#drop(channel, viewer);
        else viewer.write(sent);
      }
      const next = from + FAN_OUT_SLICE;
      if (next < viewers.length) this.#deps.env.after(0, () => slice(next));
    };
    slice(0);
  }

  #recheck(channel: Channel): void {
    for (const [viewer, { openedTick }] of channel.viewers) {
      const age = this.#tick - openedTick;
      if (age === 0 || age % RECHECK_EVERY_TICKS !== 0) continue;
      void viewer.mayStay().then((may) => {
        if (!may) this.#drop(channel, viewer);
      });
    }
  }

  #drop(channel: Channel, viewer: Viewer): void {
    this.#forget(channel, viewer);
    viewer.close();
  }

  #forget(channel: Channel, viewer: Viewer): void {
    if (channel.viewers.delete(viewer)) this.#open -= 1;
  }
}
