import type { ShardStatus, Status } from '@bot-analytics/protocol/read-api';
import { fullCount, milliseconds, plural, shortCount } from '../../format/numbers.ts';
import type { MarkKind } from '../../ui/state-mark.tsx';
import { find } from './finder.ts';
import type { Finding } from './finder.ts';
import { isUnresponsive, manyShards } from './grid/groups.ts';
import type { ShardGroup } from './grid/groups.ts';
import type { Density, Fill, StatusSearch } from './search.ts';

/** First line of the page. */
export interface Headline {
  readonly mark: MarkKind;
  readonly text: string;
  /** "13 offline in 3 clusters · 1.99M guilds". */
  readonly detail: string;
}

/** A group with what the address says about it. */
export interface GroupView {
  readonly group: ShardGroup;
  readonly open: boolean;
}

/** Everything that the status page shows. */
export interface StatusView {
  /** empty: no heartbeat was ever seen. single: one shard, no cluster id. Spec: Status view. */
  readonly mode: 'empty' | 'single' | 'grid';
  readonly headline: Headline;
  readonly offline: number;
  /** Online shards that do not respond to the platform. */
  readonly unresponsive: number;
  readonly density: Density;
  readonly fill: Fill;
  readonly finding: Finding;
  /** The shard that was found has sent a heartbeat once, whether or not the filter shows it. */
  readonly foundSeen: boolean;
  readonly groups: readonly GroupView[];
  /** Shards left after finder and filter. */
  readonly shown: number;
  /** "Shards 4, 17 and 100–110 have sent no heartbeat yet." */
  readonly unseen: string | null;
}

function sumGuilds(groups: readonly ShardGroup[]): number {
  let sum = 0;
  for (const { shards } of groups) {
    for (const shard of shards) if (shard.state === 'online') sum += shard.guildCount ?? 0;
  }
  return sum;
}

function countUnresponsive(groups: readonly ShardGroup[]): number {
  let count = 0;
  for (const { shards } of groups) {
    for (const shard of shards) if (isUnresponsive(shard)) count += 1;
  }
  return count;
}

/** The middle value; `null` for none. */
export function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0;
  if (sorted.length % 2 === 1) return upper;
  return ((sorted[sorted.length / 2 - 1] ?? 0) + upper) / 2;
}

/** "13 offline in 3 clusters". */
function offlineText(offline: number, groups: readonly ShardGroup[]): string {
  const hit = groups.filter((one) => one.online < one.total);
  const clusters = hit.filter((one) => one.clusterId !== null).length;
  const where = clusters === hit.length ? ` in ${plural(clusters, 'cluster')}` : '';
  return `${fullCount(offline)} offline${where}`;
}

function headlineText(status: Status, name: string): Pick<Headline, 'mark' | 'text'> {
  const { online, total } = status;
  if (total === 0) return { mark: 'unseen', text: `${name} has sent no heartbeat yet` };
  if (total === 1) {
    return online === 1
      ? { mark: 'online', text: `${name} is online` }
      : { mark: 'offline', text: `${name} is offline` };
  }
  if (online === total) return { mark: 'online', text: `All ${fullCount(total)} shards online` };
  return {
    mark: online === 0 ? 'offline' : 'partly',
    text: `${fullCount(online)} of ${fullCount(total)} shards online`,
  };
}

function headlineOf(status: Status, groups: readonly ShardGroup[], name: string): Headline {
  const { online, total } = status;
  const unresponsive = countUnresponsive(groups);
  const parts = [];
  if (total > 1 && online < total) parts.push(offlineText(total - online, groups));
  if (unresponsive > 0) parts.push(`${fullCount(unresponsive)} not responding to the platform`);
  if (online > 0) {
    const guilds = sumGuilds(groups);
    parts.push(`${shortCount(guilds)} ${guilds === 1 ? 'guild' : 'guilds'}`);
  }
  const text = headlineText(status, name);
  const mark = unresponsive > 0 && text.mark === 'online' ? 'silent' : text.mark;
  return { ...text, mark, detail: parts.join(' · ') };
}

/** Summary in the heading of a group: "median 84 ms · 16.0k guilds". */
export function groupSummary(group: ShardGroup): string {
  const pings: number[] = [];
  let guilds = 0;
  for (const shard of group.unfiltered ?? group.shards) {
    if (shard.state !== 'online') continue;
    if (shard.wsPingMs !== null) pings.push(shard.wsPingMs);
    guilds += shard.guildCount ?? 0;
  }
  const ping = median(pings);
  if (group.online === 0) return '';
  const parts = ping === null ? [] : [`median ${milliseconds(Math.round(ping))}`];
  return [...parts, `${shortCount(guilds)} ${guilds === 1 ? 'guild' : 'guilds'}`].join(' · ');
}

/** "4, 17 and 100–110": numbers with runs joined. */
export function joinRuns(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const one of numbers) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === one - 1) last[1] = one;
    else runs.push([one, one]);
  }
  const texts = runs.map(([a, b]) =>
    a === b ? String(a) : b === a + 1 ? `${a}, ${b}` : `${a}–${b}`,
  );
  if (texts.length <= 1) return texts.join('');
  if (texts.length > 8)
    return `${texts.slice(0, 7).join(', ')} and ${texts.length - 7} more ranges`;
  return `${texts.slice(0, -1).join(', ')} and ${texts.at(-1) ?? ''}`;
}

function unseenOf(status: Status): string | null {
  const { shardCount, total } = status;
  if (shardCount === null || total === 0 || shardCount <= total) return null;
  const seen = new Set<number>();
  for (const cluster of status.clusters)
    for (const shard of cluster.shards) seen.add(shard.shardId);
  const missing: number[] = [];
  for (let id = 0; id < shardCount; id += 1) if (!seen.has(id)) missing.push(id);
  if (missing.length === 0) return null;
  const one = missing.length === 1;
  return `${one ? 'Shard' : 'Shards'} ${joinRuns(missing)} of ${fullCount(shardCount)} ${one ? 'has' : 'have'} sent no heartbeat yet.`;
}

function matches(
  shard: ShardStatus,
  group: ShardGroup,
  by: { finding: Finding; offlineOnly: boolean },
): boolean {
  if (by.offlineOnly && shard.state !== 'offline') return false;
  if (by.finding.kind === 'shard') return shard.shardId === by.finding.shardId;
  if (by.finding.kind === 'cluster')
    return group.clusterId?.toLowerCase() === by.finding.clusterId.toLowerCase();
  return true;
}

/** Keys in `open=` or `shut=`. */
function keysOf(text: string | undefined): ReadonlySet<string> {
  return new Set(text === undefined ? [] : text.split(','));
}

/** The search after a group was opened or closed. */
export function withGroupOpen(
  search: StatusSearch,
  group: { readonly key: string; readonly open: boolean },
  startsClosed: boolean,
): { open?: string | undefined; shut?: string | undefined } {
  const name = startsClosed ? 'open' : 'shut';
  const keys = new Set(keysOf(search[name]));
  if (group.open === startsClosed) keys.add(group.key);
  else keys.delete(group.key);
  return { [name]: keys.size === 0 ? undefined : [...keys].join(',') };
}

function ordered(groups: readonly ShardGroup[], search: StatusSearch): readonly ShardGroup[] {
  if (search.order === 'id') return groups;
  const hit = groups.filter((one) => one.online < one.total);
  if (hit.length === 0) return groups;
  return [...hit, ...groups.filter((one) => one.online === one.total)];
}

function groupViews(
  groups: readonly ShardGroup[],
  search: StatusSearch,
  by: { finding: Finding; offlineOnly: boolean; startsClosed: boolean },
): readonly GroupView[] {
  const filtered = by.offlineOnly || by.finding.kind === 'shard' || by.finding.kind === 'cluster';
  const opened = keysOf(search.open);
  const shut = keysOf(search.shut);
  const views: GroupView[] = [];
  for (const group of ordered(groups, search)) {
    const isOpen = by.startsClosed
      ? opened.has('all') || opened.has(group.key)
      : !shut.has(group.key);
    if (!filtered) {
      views.push({ group, open: isOpen || group.title === null });
      continue;
    }
    const shards = group.shards.filter((shard) => matches(shard, group, by));
    if (shards.length === 0) continue;
    views.push({ group: { ...group, shards, unfiltered: group.shards }, open: true });
  }
  return views;
}

function hasShard(group: ShardGroup, shardId: number): boolean {
  return group.shards.some((shard) => shard.shardId === shardId);
}

/** What the rules of the status page look at. */
export interface StatusInput {
  readonly status: Status;
  /** Of `status`, from a `Grouper`. */
  readonly groups: readonly ShardGroup[];
  readonly search: StatusSearch;
  /** Of the bot. */
  readonly name: string;
}

/** All rules of the status page. */
export function statusView({ status, groups, search, name }: StatusInput): StatusView {
  const finding = find(search.q ?? '', status.shardCount);
  const offlineOnly = search.show === 'offline';
  const density = search.density ?? 'cards';
  const startsClosed = groupsStartClosed(status, density);
  const views = groupViews(groups, search, { finding, offlineOnly, startsClosed });
  const [first] = status.clusters;
  const single = status.total === 1 && first?.clusterId === null && (status.shardCount ?? 1) <= 1;
  return {
    mode: status.total === 0 ? 'empty' : single ? 'single' : 'grid',
    headline: headlineOf(status, groups, name),
    offline: status.total - status.online,
    unresponsive: countUnresponsive(groups),
    density,
    fill: search.fill ?? 'status',
    finding,
    foundSeen: finding.kind === 'shard' && groups.some((one) => hasShard(one, finding.shardId)),
    groups: views,
    shown: views.reduce((sum, { group }) => sum + group.shards.length, 0),
    unseen: unseenOf(status),
  };
}

/** Cards take room, so with many shards their groups start closed; tiles do not. */
export function groupsStartClosed(status: Status, density: Density): boolean {
  return status.total > manyShards && density === 'cards';
}
