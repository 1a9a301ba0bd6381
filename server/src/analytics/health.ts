import { REJECT_CODES, WARNING_CODES } from '@bot-analytics/protocol';
import type { Health } from '@bot-analytics/protocol/read-api';
import type { ShardPresence } from '../status/presence.ts';
import { isOnline } from '../status/view.ts';
import type { HealthRow } from '../store/queries/health.ts';
import type { TimeRange } from './range.ts';

const iso = (ms: number | string): string => new Date(Number(ms)).toISOString();

/** `@vendor/chat.js@0.5.0` is a name and a version; the name may hold an `@` itself. */
function splitSdk(code: string): { readonly name: string; readonly version: string } {
  const at = code.lastIndexOf('@');
  return at <= 0
    ? { name: code, version: '' }
    : { name: code.slice(0, at), version: code.slice(at + 1) };
}

/** What the SDKs of the online processes say they dropped; each process tells it on all its shards. */
export function droppedBySdks(shards: readonly ShardPresence[], nowMs: number): number {
  const byProcess = new Map<string, number>();
  for (const shard of shards) {
    if (!isOnline(shard, nowMs)) continue;
    const { instanceId = `shard ${shard.shardId}`, sdkDropped = 0 } = shard.heartbeat;
    byProcess.set(instanceId, Math.max(byProcess.get(instanceId) ?? 0, sdkDropped));
  }
  return [...byProcess.values()].reduce((sum, dropped) => sum + dropped, 0);
}

/** The answer of the health route from what was counted. */
export function toHealth(range: TimeRange, rows: readonly HealthRow[], sdkDropped: number): Health {
  const of = (kind: HealthRow['kind']) => rows.filter((row) => row.kind === kind);
  const event = (code: string): number =>
    Number(of('event').find((row) => row.code === code)?.total ?? 0);
  const known = (codes: object, kind: HealthRow['kind']) =>
    of(kind)
      .filter((row) => row.code in codes)
      .map((row) => ({ code: row.code, count: Number(row.total) }));
  const skew = of('skew')[0]?.lastValue ?? null;
  const batches = rows.filter((row) => row.kind === 'sdk' || row.kind === 'event');
  const lastBatchMs = Math.max(0, ...batches.map((row) => Number(row.lastAtMs)));
  return {
    from: iso(range.fromMs),
    to: iso(range.toMs),
    received: event('received'),
    accepted: event('accepted'),
    duplicates: event('duplicate'),
    rejected: known(REJECT_CODES, 'rejected'),
    warnings: known(WARNING_CODES, 'warning'),
    refusedRequests: of('refused').map(({ code, total, lastAtMs }) => ({
      code,
      count: Number(total),
      lastAt: iso(lastAtMs),
    })),
    sdks: of('sdk').map(({ code, total, lastAtMs }) => ({
      ...splitSdk(code),
      batches: Number(total),
      lastAt: iso(lastAtMs),
    })),
    clockSkewMs: skew === null ? null : Number(skew),
    lastBatchAt: lastBatchMs === 0 ? null : iso(lastBatchMs),
    sdkDropped,
  };
}
