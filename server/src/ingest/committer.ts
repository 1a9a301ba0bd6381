import type { Env } from '../env.ts';
import type { Log } from '../log.ts';
import type { Item } from './batch.ts';
import type { Candidate, Dedupe } from './dedupe.ts';
import { isUsedUp } from './quota.ts';
import type { SnapshotTable } from './snapshot-rows.ts';
import type { UsageBook } from './usage-book.ts';
import { writeRows, type Insert, type OwnedRow } from './write-rows.ts';

/** Rows of one insert; 10,000 rows take 30 to 40 ms. A group holds at least one request. */
const GROUP_ROWS_MAX = 12_000;
/** A request that waited this long hears "not now"; the SDK gives up after 10 s. */
const WAIT_MAX_MS = 8_000;
/** A write that takes this long means that the store hangs: new requests hear "not now" at once. */
const STALL_MS = 5_000;
const SWEEP_MS = 500;

const SNAPSHOT_TABLES = ['heartbeats', 'guilds', 'guild_days', 'api_routes'] as const;

/** What to store for one request. */
export interface CommitRequest extends Candidate {
  readonly monthlyQuota: number | null;
}

/** `down`: nothing is known to be stored; the sender tries again with the same ids. */
export type CommitResult =
  | {
      readonly kind: 'stored';
      readonly accepted: number;
      readonly duplicates: number;
      /** Items that the store itself refused. */
      readonly refused: readonly Item[];
    }
  | { readonly kind: 'quota' }
  | { readonly kind: 'down' };

interface Pending {
  readonly request: CommitRequest;
  readonly submittedAtMs: number;
  readonly resolve: (result: CommitResult) => void;
}

/** One request inside a group, after the decision. */
interface Share {
  readonly pending: Pending;
  /** Positions of the items to store. */
  readonly fresh: readonly number[];
  readonly duplicates: number;
  readonly quotaReached: boolean;
  readonly refused: Set<Item>;
}

interface Owner {
  readonly share: Share;
  readonly item: Item;
}

interface Deps {
  readonly insert: Insert;
  readonly dedupe: Dedupe;
  readonly usage: UsageBook;
  readonly env: Pick<Env, 'monotonicMs' | 'every'>;
  readonly log: Log;
  /** Called after each group with its figures. */
  readonly onGroup: (figures: { readonly rows: number; readonly ms: number }) => void;
}

/**
 * Group commit: requests that wait at the same moment share one insert, and each hears its answer only
 * after the insert came back from disk. One group at a time, so "which ids are new" has one answer.
 */
export class Committer {
  readonly #deps: Deps;
  #waiting: Pending[] = [];
  #group: readonly Pending[] = [];
  #groupStartedAtMs = 0;
  #loop: Promise<void> | undefined;
  readonly #cancelSweep: () => void;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#cancelSweep = deps.env.every(SWEEP_MS, () => this.#sweep());
  }

  /** Stores what is new in the request. Never rejects. */
  submit(request: CommitRequest): Promise<CommitResult> {
    return new Promise((resolve) => {
      const submittedAtMs = this.#deps.env.monotonicMs();
      this.#waiting.push({ request, submittedAtMs, resolve });
      this.#loop ??= this.#run();
    });
  }

  /** True while a write takes so long that the store must hang. */
  isStalled(): boolean {
    const age = this.#deps.env.monotonicMs() - this.#groupStartedAtMs;
    return this.#group.length > 0 && age > STALL_MS;
  }

  /** Waits until everything that was submitted has its answer. */
  async stop(): Promise<void> {
    await this.#loop;
    this.#cancelSweep();
  }

  async #run(): Promise<void> {
    // Requests whose bodies arrived in the same turn of the event loop join the first group.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      this.#group = this.#takeGroup();
      this.#groupStartedAtMs = this.#deps.env.monotonicMs();
      try {
        await this.#commit(this.#group);
      } catch (error) {
        this.#fail(error);
      }
    }
    this.#group = [];
    this.#loop = undefined;
  }

  #takeGroup(): readonly Pending[] {
    let rows = 0;
    let count = 0;
    for (const { request } of this.#waiting) {
      rows += request.batch.items.length;
      if (count > 0 && rows > GROUP_ROWS_MAX) break;
      count++;
    }
    return this.#waiting.splice(0, count);
  }

  async #commit(group: readonly Pending[]): Promise<void> {
    const { dedupe, usage, env } = this.#deps;
    const requests = group.map((pending) => pending.request);
    const bounded = new Set(requests.filter((r) => r.monthlyQuota !== null).map((r) => r.botId));
    await Promise.all([dedupe.begin(requests), ...[...bounded].map((botId) => usage.load(botId))]);
    const taken = new Map<string, number>();
    const shares = group.map((pending) => this.#decide(pending, taken));
    await this.#write(shares);
    let rows = 0;
    for (const share of shares) {
      rows += share.fresh.length;
      this.#settle(share);
    }
    this.#deps.onGroup({ rows, ms: env.monotonicMs() - this.#groupStartedAtMs });
  }

  /** `taken`: events of each bot that earlier requests of this group will store. */
  #decide(pending: Pending, taken: Map<string, number>): Share {
    const { dedupe, usage } = this.#deps;
    const { request } = pending;
    const { botId, batch, monthlyQuota } = request;
    const before = usage.get(botId);
    const used = before.used + (taken.get(botId) ?? 0);
    const usedUp = isUsedUp({ ...before, used }, monthlyQuota);
    const fresh: number[] = [];
    let events = 0;
    let refusedEvents = 0;
    for (const [position, item] of batch.items.entries()) {
      if (!dedupe.isNew(request, position, item)) continue;
      if (usedUp && item.row !== null) {
        refusedEvents++;
        continue;
      }
      dedupe.claim(request, position);
      fresh.push(position);
      if (item.row !== null) events++;
    }
    taken.set(botId, (taken.get(botId) ?? 0) + events);
    const duplicates = batch.items.length - fresh.length - refusedEvents;
    return { pending, fresh, duplicates, quotaReached: refusedEvents > 0, refused: new Set() };
  }

  async #write(shares: readonly Share[]): Promise<void> {
    const events: OwnedRow<Owner>[] = [];
    const snapshots = new Map<SnapshotTable, OwnedRow<Owner>[]>();
    for (const share of shares) {
      const { items } = share.pending.request.batch;
      for (const position of share.fresh) {
        const item = items[position];
        if (item === undefined) continue;
        const owner = { share, item };
        if (item.row !== null) events.push({ text: item.row, owner });
        for (const [table, text] of item.snapshot ?? []) {
          const rows = snapshots.get(table) ?? [];
          rows.push({ text, owner });
          snapshots.set(table, rows);
        }
      }
    }
    // Snapshots first: if the events fail after them, sending both again replaces equal by equal.
    for (const table of SNAPSHOT_TABLES) {
      this.#note(await writeRows(this.#deps.insert, table, snapshots.get(table) ?? []));
    }
    this.#note(await writeRows(this.#deps.insert, 'events', events));
  }

  #note(refused: readonly Owner[]): void {
    for (const { share, item } of refused) {
      share.refused.add(item);
      const id = item.id;
      this.#deps.log.warn('the store refused a row', { type: item.type, id });
    }
  }

  #settle(share: Share): void {
    const { dedupe, usage } = this.#deps;
    const { request, resolve } = share.pending;
    let events = 0;
    for (const position of share.fresh) {
      const item = request.batch.items[position];
      if (item === undefined || share.refused.has(item)) continue;
      dedupe.remember(request, position, item);
      if (item.row !== null) events++;
    }
    usage.add(request.botId, events);
    if (share.quotaReached) return resolve({ kind: 'quota' });
    const refused = [...share.refused];
    const accepted = share.fresh.length - refused.length;
    resolve({ kind: 'stored', accepted, duplicates: share.duplicates, refused });
  }

  /** Some rows of the group may be on disk; the answer is "not now" for all of it. */
  #fail(error: unknown): void {
    this.#deps.log.warn('a group could not be stored', { error: String(error) });
    for (const { request, resolve } of this.#group) {
      this.#deps.dedupe.doubt(request);
      this.#deps.usage.forget(request.botId);
      resolve({ kind: 'down' });
    }
  }

  /** Answers those who waited too long; a group that is being written keeps its place. */
  #sweep(): void {
    const oldest = this.#deps.env.monotonicMs() - WAIT_MAX_MS;
    for (const { submittedAtMs, resolve } of this.#group) {
      if (submittedAtMs < oldest) resolve({ kind: 'down' });
    }
    const late = this.#waiting.filter((pending) => pending.submittedAtMs < oldest);
    if (late.length === 0) return;
    this.#waiting = this.#waiting.filter((pending) => pending.submittedAtMs >= oldest);
    for (const { resolve } of late) resolve({ kind: 'down' });
  }
}
