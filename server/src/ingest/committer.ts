import type { Env } from '../env.ts';
import type { Log } from '../log.ts';
import type { Candidate, Dedupe } from './dedupe.ts';
import { decideShare, eventRows, snapshotRowsOf, type Owner, type Share } from './shares.ts';
import type { UsageBook } from './usage-book.ts';
import { writeRows, type Insert } from './write-rows.ts';

/** Rows of one insert; 10,000 rows take 30 to 40 ms. A group holds at least one request. */
const GROUP_ROWS_MAX = 12_000;
/** A request that waited this long hears "not now"; the SDK gives up after 10 s. */
const WAIT_MAX_MS = 8_000;
/** A write that takes this long means that the store hangs: new requests hear "not now" at once. */
const STALL_MS = 5_000;
const SWEEP_MS = 500;

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
      /** Places in `events` whose rows the store itself refused. */
      readonly refused: readonly number[];
    }
  | { readonly kind: 'quota' }
  | { readonly kind: 'down' };

interface Pending {
  readonly request: CommitRequest;
  readonly submittedAtMs: number;
  readonly resolve: (result: CommitResult) => void;
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
      rows += request.batch.size;
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
    const shares = this.#decide(requests);
    await this.#write(shares);
    let rows = 0;
    for (const [i, share] of shares.entries()) {
      rows += share.fresh.length;
      group[i]?.resolve(this.#settle(share));
    }
    this.#deps.onGroup({ rows, ms: env.monotonicMs() - this.#groupStartedAtMs });
  }

  /** One request after the other, so that the quota is crossed by one of them only. */
  #decide(requests: readonly CommitRequest[]): Share<CommitRequest>[] {
    const { dedupe, usage } = this.#deps;
    const taken = new Map<string, number>();
    return requests.map((request) => {
      const { botId, monthlyQuota } = request;
      const before = usage.get(botId);
      const used = before.used + (taken.get(botId) ?? 0);
      const share = decideShare(request, dedupe, { ...before, used }, monthlyQuota);
      taken.set(botId, (taken.get(botId) ?? 0) + share.freshEvents);
      return share;
    });
  }

  async #write(shares: readonly Share<CommitRequest>[]): Promise<void> {
    const { insert } = this.#deps;
    // Snapshots first: if the events fail after them, sending both again replaces equal by equal.
    const snapshots = snapshotRowsOf(shares);
    for (const [table, rows] of snapshots) this.#note(await writeRows(insert, table, rows));
    this.#note(await writeRows(insert, 'events', eventRows(shares)));
  }

  #note(refused: readonly Owner<CommitRequest>[]): void {
    for (const { share, position } of refused) share.refused.add(position);
    if (refused.length > 0) this.#deps.log.warn('the store refused rows', { rows: refused.length });
  }

  /** The group is on disk: remember its ids, make the answer. */
  #settle(share: Share<CommitRequest>): CommitResult {
    const { dedupe, usage } = this.#deps;
    const { request, refused } = share;
    const { batch, botId } = request;
    let events = share.freshEvents;
    for (const position of share.fresh) {
      if (!refused.has(position)) dedupe.remember(request, position);
      else if (!batch.snapshots.has(position)) events--;
    }
    usage.add(botId, events);
    if (share.quotaReached) return { kind: 'quota' };
    return {
      kind: 'stored',
      accepted: share.fresh.length - refused.size,
      duplicates: share.duplicates,
      refused: [...refused].map((position) => batch.indexes[position] ?? 0),
    };
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
