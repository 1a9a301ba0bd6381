import type { Env } from '../env.ts';
import type { Log } from '../log.ts';
import type { Candidate, Dedupe, GroupIds } from './dedupe.ts';
import { decideShare, eventRows, snapshotRowsOf, type Owner, type Share } from './shares.ts';
import type { UsageBook } from './usage-book.ts';
import { writeRows, type Insert } from './write-rows.ts';

/** The engine has one writer; a third group would only wait there. */
const GROUPS_MAX = 2;
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

/** Requests on their way to the store together. */
interface Group {
  readonly startedAtMs: number;
  readonly ids: GroupIds;
  /** Those that must wait for another group leave it when it is decided. */
  members: readonly Pending[];
  /** Bots of the group whose quota is counted. */
  readonly bounded: Set<string>;
}

/** How requests are put together. */
export interface GroupSizes {
  /** Rows of one insert; 10,000 rows take 30 to 40 ms. A group holds at least one request. */
  readonly rowsMax: number;
  /** Rows that wait before a second group goes out beside the first: small inserts cost more a row. */
  readonly secondRowsMin: number;
}

const SIZES: GroupSizes = { rowsMax: 12_000, secondRowsMin: 4_000 };

interface Deps {
  readonly insert: Insert;
  readonly dedupe: Dedupe;
  readonly usage: UsageBook;
  readonly env: Pick<Env, 'monotonicMs' | 'every'>;
  readonly log: Log;
  /** Called after each group with its figures. */
  readonly onGroup: (figures: { readonly rows: number; readonly ms: number }) => void;
  readonly sizes?: GroupSizes;
}

/**
 * Group commit: requests that wait at the same moment share one insert, and each hears its answer only
 * after the insert came back from disk. Two groups may be on their way, so that the store has work while
 * the server makes answers; a request that shares an id with the other group waits for its end, so
 * "which ids are new" has one answer. Decision 0042.
 */
export class Committer {
  readonly #deps: Deps;
  readonly #sizes: GroupSizes;
  #waiting: Pending[] = [];
  #waitingRows = 0;
  /** Those that wait for the end of a group. */
  #deferred: Pending[] = [];
  readonly #groups = new Set<Group>();
  readonly #runs = new Set<Promise<void>>();
  readonly #cancelSweep: () => void;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#sizes = deps.sizes ?? SIZES;
    this.#cancelSweep = deps.env.every(SWEEP_MS, () => this.#sweep());
  }

  /** Stores what is new in the request. Never rejects. */
  submit(request: CommitRequest): Promise<CommitResult> {
    return new Promise((resolve) => {
      const submittedAtMs = this.#deps.env.monotonicMs();
      this.#waiting.push({ request, submittedAtMs, resolve });
      this.#waitingRows += request.batch.size;
      // Requests whose bodies arrived in the same turn of the event loop join the group.
      queueMicrotask(() => this.#startGroups());
    });
  }

  /** True while a write takes so long that the store must hang. */
  isStalled(): boolean {
    const now = this.#deps.env.monotonicMs();
    return [...this.#groups].some((group) => now - group.startedAtMs > STALL_MS);
  }

  /** Waits until everything that was submitted has its answer. */
  async stop(): Promise<void> {
    await Promise.resolve();
    while (this.#runs.size > 0) await Promise.all(this.#runs);
    this.#cancelSweep();
  }

  #startGroups(): void {
    while (this.#mayStart()) {
      const members = this.#takeMembers();
      const startedAtMs = this.#deps.env.monotonicMs();
      const ids = this.#deps.dedupe.openGroup();
      const group: Group = { startedAtMs, ids, members, bounded: new Set() };
      this.#groups.add(group);
      const run = this.#run(group).finally(() => this.#runs.delete(run));
      this.#runs.add(run);
    }
  }

  #mayStart(): boolean {
    if (this.#waiting.length === 0) return false;
    if (this.#groups.size === 0) return true;
    return this.#groups.size < GROUPS_MAX && this.#waitingRows >= this.#sizes.secondRowsMin;
  }

  #takeMembers(): readonly Pending[] {
    let rows = 0;
    let count = 0;
    for (const { request } of this.#waiting) {
      const { size } = request.batch;
      if (count > 0 && rows + size > this.#sizes.rowsMax) break;
      rows += size;
      count++;
    }
    this.#waitingRows -= rows;
    return this.#waiting.splice(0, count);
  }

  async #run(group: Group): Promise<void> {
    try {
      await this.#commit(group);
    } catch (error) {
      this.#fail(group, error);
    }
    this.#groups.delete(group);
    group.ids.close();
    // A group of which nothing was left changed nothing: whom its requests wait for is still on its way.
    if (group.members.length > 0 || this.#groups.size === 0) this.#recall();
    this.#startGroups();
  }

  /** Those that waited for the end of a group try again, before everybody else. */
  #recall(): void {
    this.#waiting.unshift(...this.#deferred);
    this.#waitingRows += rowsOf(this.#deferred);
    this.#deferred = [];
  }

  async #commit(group: Group): Promise<void> {
    const { dedupe, usage, env } = this.#deps;
    const requests = group.members.map((pending) => pending.request);
    const bounded = new Set(requests.filter((r) => r.monthlyQuota !== null).map((r) => r.botId));
    const counts = [...bounded].map((botId) => usage.load(botId));
    await Promise.all([dedupe.lookUp(group.ids, requests), ...counts]);
    const shares = this.#decide(group);
    await this.#write(shares);
    let rows = 0;
    for (const [i, share] of shares.entries()) {
      rows += share.fresh.length;
      group.members[i]?.resolve(this.#settle(share));
      share.request.batch.release();
    }
    this.#deps.onGroup({ rows, ms: env.monotonicMs() - group.startedAtMs });
  }

  /**
   * One request after the other, so that the quota is crossed by one of them only. Without a pause: what
   * is decided here rests on what the other group holds at this moment.
   */
  #decide(group: Group): Share<CommitRequest>[] {
    const { usage } = this.#deps;
    const taken = new Map<string, number>();
    const members: Pending[] = [];
    const shares: Share<CommitRequest>[] = [];
    for (const pending of group.members) {
      const { request } = pending;
      const { botId, monthlyQuota } = request;
      if (this.#mustWait(group, request)) {
        this.#deferred.push(pending);
        continue;
      }
      const before = usage.get(botId);
      const used = before.used + (taken.get(botId) ?? 0);
      const share = decideShare(request, group.ids, { ...before, used }, monthlyQuota);
      taken.set(botId, (taken.get(botId) ?? 0) + share.freshEvents);
      if (monthlyQuota !== null) group.bounded.add(botId);
      members.push(pending);
      shares.push(share);
    }
    group.members = members;
    return shares;
  }

  /** True when the other group decides about the request: an id of it, or what is left of its quota. */
  #mustWait(group: Group, request: CommitRequest): boolean {
    if (request.monthlyQuota !== null && !this.#deps.usage.knows(request.botId)) return true;
    for (const other of this.#groups) {
      if (other === group) continue;
      if (other.bounded.has(request.botId)) return true;
      if (group.ids.sharesWith(other.ids, request)) return true;
    }
    return !group.ids.canJudge(request);
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
  #fail(group: Group, error: unknown): void {
    this.#deps.log.warn('a group could not be stored', { error: String(error) });
    for (const { request, resolve } of group.members) {
      this.#deps.dedupe.doubt(request);
      this.#deps.usage.forget(request.botId);
      resolve({ kind: 'down' });
    }
  }

  /** Answers those who waited too long; a group that is being written keeps its place. */
  #sweep(): void {
    const oldest = this.#deps.env.monotonicMs() - WAIT_MAX_MS;
    const isLate = (pending: Pending): boolean => pending.submittedAtMs < oldest;
    const down = ({ resolve }: Pending): void => resolve({ kind: 'down' });
    for (const { members } of this.#groups) members.filter(isLate).forEach(down);
    for (const list of [this.#waiting, this.#deferred]) list.filter(isLate).forEach(down);
    this.#waiting = this.#waiting.filter((pending) => !isLate(pending));
    this.#deferred = this.#deferred.filter((pending) => !isLate(pending));
    this.#waitingRows = rowsOf(this.#waiting);
  }
}

function rowsOf(list: readonly Pending[]): number {
  return list.reduce((rows, { request }) => rows + request.batch.size, 0);
}
