import type { Env } from '../env.ts';
import type { Bot } from '../keys/records.ts';
import type { Registry } from '../keys/registry.ts';
import type { Log } from '../log.ts';
import type { Presence } from '../status/presence.ts';
import { eraseBot } from '../store/erase.ts';
import type { InsertTable } from '../store/inserts.ts';
import type { Store } from '../store/store.ts';
import { eventRow, eventsOfSlot } from './events.ts';
import { diedMs, HISTORY_MS, SHARD_IDS, SLOT_MS, SLOTS_OF_MINUTE } from './fleet.ts';
import { beatOf, beatRow, beatsOfSlot, type Beat, type SampleBot } from './heartbeats.ts';
import { hourRows } from './hours.ts';
import { lifecycleEvents } from './lifecycle.ts';
import { routeRows } from './routes.ts';

const NAME = 'Sample bot';
/** Its rows leave the disk a day after they leave the made-up history. */
const RETENTION_DAYS = 8;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const HISTORY_HOURS = HISTORY_MS / HOUR_MS;
const HOURS_OF_PIECE = 12;
const MINUTES_OF_HOUR = 60;
const SLOTS_OF_HOUR = HOUR_MS / SLOT_MS;
/** Hours whose heartbeats themselves are made: what the server has not computed yet, and one more. */
const RAW_HOURS = 2;
/** The SDK's own interval between two lists of routes, minutes. */
const ROUTES_EVERY_MIN = 5;
/** After a pause of the process no more than a minute is made up for; the rest is an honest gap. */
const LATE_SLOTS_MAX = SLOTS_OF_MINUTE;

interface Deps {
  readonly env: Pick<Env, 'nowMs' | 'after' | 'every'>;
  readonly log: Log;
  readonly registry: Registry;
  readonly presence: Presence;
  readonly store: Pick<Store, 'insert' | 'run' | 'address'>;
}

type Rows = readonly (readonly [InsertTable, string])[];

function hourRoutes(bot: SampleBot, hour: number): string {
  return routeRows(bot, hour * MINUTES_OF_HOUR, (hour + 1) * MINUTES_OF_HOUR);
}

/** The list of routes that is sent at the end of five minutes. */
function fiveRoutes(bot: SampleBot, five: number): string {
  return routeRows(bot, (five - 1) * ROUTES_EVERY_MIN, five * ROUTES_EVERY_MIN);
}

function slots(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}

/**
 * Everything that the bot "sent" before it was made, by table and day. In pieces, so that making them
 * never keeps the event loop for more than 20 ms or so.
 */
function* pastRows(bot: SampleBot): Generator<readonly [InsertTable, string]> {
  const nowSlot = Math.floor(bot.createdAtMs / SLOT_MS);
  const hour = Math.floor(bot.createdAtMs / HOUR_MS);
  for (let from = hour - HISTORY_HOURS; from < hour; from += HOURS_OF_PIECE) {
    const hours = slots(from, Math.min(hour, from + HOURS_OF_PIECE));
    yield ['shard_hours', hours.map((at) => hourRows(bot, at * HOUR_MS)).join('')];
    yield ['api_routes', hours.map((at) => hourRoutes(bot, at)).join('')];
  }
  for (let from = hour - HISTORY_HOURS; from <= hour; from += HOURS_OF_PIECE) {
    const to = Math.min(nowSlot + 1, (from + HOURS_OF_PIECE) * SLOTS_OF_HOUR);
    const events = slots(from * SLOTS_OF_HOUR, to).flatMap((slot) => eventsOfSlot(bot, slot));
    const past = events.filter((event) => event.atMs <= bot.createdAtMs);
    yield ['events', past.map((event) => eventRow(bot, event)).join('')];
  }
  for (let at = hour - RAW_HOURS; at <= hour; at += 1) {
    const to = Math.min(nowSlot + 1, (at + 1) * SLOTS_OF_HOUR);
    const beats = slots(at * SLOTS_OF_HOUR, to).flatMap((slot) => beatsOfSlot(bot, slot));
    yield ['heartbeats', beats.map((beat) => beatRow(bot, beat)).join('')];
  }
  const nowFive = Math.floor(bot.createdAtMs / (ROUTES_EVERY_MIN * MINUTE_MS));
  const fives = slots((hour * MINUTES_OF_HOUR) / ROUTES_EVERY_MIN, nowFive);
  yield ['api_routes', fives.map((at) => fiveRoutes(bot, at + 1)).join('')];
  yield [
    'events',
    lifecycleEvents(bot)
      .map((event) => eventRow(bot, event))
      .join(''),
  ];
}

/** The heartbeats that presence and the judgement of gateways start from. */
function lastBeats(bot: SampleBot): readonly Beat[] {
  const nowSlot = Math.floor(bot.createdAtMs / SLOT_MS);
  const dead = SHARD_IDS.flatMap((shard) => {
    const died = diedMs(shard, bot.createdAtMs);
    return died === null ? [] : [beatOf(bot, shard, died)];
  });
  const recent = slots(nowSlot - 5 * SLOTS_OF_MINUTE, nowSlot + 1);
  return [...dead, ...recent.flatMap((slot) => beatsOfSlot(bot, slot))];
}

/**
 * The sample bot: made-up data in the ordinary tables, under a bot of its own that takes no keys. Its
 * heartbeats go on as long as it is there, so that its page shows what a live bot's does. Everything
 * follows from the time it was made, so several servers write the same rows. Decision 0086.
 */
export class SampleBots {
  readonly #deps: Deps;
  #making: Promise<Bot> | undefined;
  #doneSlot = 0;
  #cancel: () => void = () => undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Keeps the heartbeats of the sample bot going. */
  start(): void {
    const { env } = this.#deps;
    this.#doneSlot = Math.floor(env.nowMs() / SLOT_MS);
    this.#cancel = env.every(SLOT_MS, () => void this.tick());
  }

  stop(): void {
    this.#cancel();
  }

  /** The sample bot, if there is one. */
  current(): Bot | undefined {
    return this.#deps.registry.bots().find((bot) => bot.sample);
  }

  /** Makes the sample bot; callers share one run. @throws StoreDownError */
  async create(): Promise<Bot> {
    const known = this.current();
    if (known !== undefined) return known;
    this.#making ??= this.#make().finally(() => {
      this.#making = undefined;
    });
    return this.#making;
  }

  async #make(): Promise<Bot> {
    const { registry, presence } = this.#deps;
    const draft = registry.draftBot(NAME);
    const bot: Bot = { ...draft, sample: true, retentionDays: RETENTION_DAYS };
    await this.#write(await this.#past(bot));
    this.#beat(bot, lastBeats(bot));
    // Last, so that nobody sees a bot that is half there.
    await registry.addBot(bot).catch((error: unknown) => {
      presence.forget(bot.botId);
      throw error;
    });
    return bot;
  }

  async #past(bot: Bot): Promise<Rows> {
    const { env } = this.#deps;
    const byTable = new Map<InsertTable, string>();
    for (const [table, text] of pastRows(bot)) {
      byTable.set(table, (byTable.get(table) ?? '') + text);
      // Requests of bots that are really there come in between.
      await new Promise<void>((resolve) => void env.after(0, resolve));
    }
    return [...byTable];
  }

  /** Removes the sample bot and its rows; false when there is none. @throws StoreDownError */
  async remove(): Promise<boolean> {
    const { registry, presence, store } = this.#deps;
    const bot = this.current();
    if (bot === undefined) return false;
    await registry.removeBot(bot);
    presence.forget(bot.botId);
    await eraseBot(store, bot.botId);
    return true;
  }

  /** Makes what is due since the last time. Never rejects. */
  async tick(): Promise<void> {
    const { env, log } = this.#deps;
    const nowSlot = Math.floor(env.nowMs() / SLOT_MS);
    const due = slots(Math.max(this.#doneSlot, nowSlot - LATE_SLOTS_MAX) + 1, nowSlot + 1);
    this.#doneSlot = nowSlot;
    const bot = this.current();
    if (bot === undefined || bot.suspended) return;
    const beats = due.flatMap((slot) => beatsOfSlot(bot, slot));
    this.#beat(bot, beats);
    try {
      await this.#write(this.#rowsOf(bot, due, beats));
    } catch (error) {
      log.warn('sample data could not be written', { error: String(error) });
    }
  }

  #rowsOf(bot: Bot, due: readonly number[], beats: readonly Beat[]): Rows {
    const every = ROUTES_EVERY_MIN * SLOTS_OF_MINUTE;
    const fives = due.filter((slot) => slot % every === 0).map((slot) => slot / every);
    const events = due.slice(0, -1).flatMap((slot) => eventsOfSlot(bot, slot));
    // The slot that has just begun lies ahead: its events come with the next one.
    const [first] = due;
    const before = first === undefined ? [] : eventsOfSlot(bot, first - 1);
    return [
      ['heartbeats', beats.map((beat) => beatRow(bot, beat)).join('')],
      ['api_routes', fives.map((at) => fiveRoutes(bot, at)).join('')],
      ['events', [...before, ...events].map((event) => eventRow(bot, event)).join('')],
    ];
  }

  #beat(bot: Bot, beats: readonly Beat[]): void {
    for (const { shardId, clusterId, atMs, heartbeat } of beats) {
      this.#deps.presence.beat(bot.botId, { shardId, clusterId, arrivedAtMs: atMs, heartbeat });
    }
  }

  async #write(rows: Rows): Promise<void> {
    for (const [table, text] of rows) {
      // One after the other: the writer has few sockets, and bots that send come first.
      if (text !== '') await this.#deps.store.insert(table, text);
    }
  }
}
