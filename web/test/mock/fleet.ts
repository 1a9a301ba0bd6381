import type {
  ApiUsage,
  Bot,
  Health,
  ShardHistory,
  ShardStatus,
  Status,
} from '@bot-analytics/protocol/read-api';

/** Even numbers in [0, 1) from a seed (mulberry32), so that screenshots repeat. */
export function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A scripted fleet. */
export interface FleetPlan {
  readonly shards: number;
  /** Shards of a cluster; 0: no clusters. */
  readonly perCluster: number;
  readonly offline: readonly number[];
  readonly unresponsive?: readonly number[];
  /** As the heartbeats report it; default: `shards`. */
  readonly shardCount?: number;
}

const iso = (ms: number): string => new Date(ms).toISOString();

function shardOf(id: number, plan: FleetPlan, nowMs: number): ShardStatus {
  const roll = dice(id + 1);
  const offline = plan.offline.includes(id);
  const silent = plan.unresponsive?.includes(id) === true;
  return {
    shardId: id,
    state: offline ? 'offline' : 'online',
    lastHeartbeatAt: iso(nowMs - (offline ? 48 * 60_000 : Math.floor(roll() * 60_000))),
    wsPingMs: Math.round(40 + roll() * 140 + (roll() > 0.96 ? 300 : 0)),
    memoryMb: Math.round(300 + roll() * 900),
    cpuPercent: Math.round(roll() * 600) / 10,
    guildCount: Math.round(800 + roll() * 400),
    voiceConnections: Math.round(roll() * 24),
    gateway: silent ? 'disconnected' : 'ready',
    unresponsive: silent ? 'gateway_silent' : null,
  };
}

export function makeStatus(plan: FleetPlan, nowMs: number): Status {
  const shards = Array.from({ length: plan.shards }, (_, id) => shardOf(id, plan, nowMs));
  const size = plan.perCluster === 0 ? Math.max(1, plan.shards) : plan.perCluster;
  const clusters = [];
  for (let first = 0; first < shards.length; first += size) {
    const members = shards.slice(first, first + size);
    clusters.push({
      clusterId: plan.perCluster === 0 ? null : String(first / size),
      online: members.filter((shard) => shard.state === 'online').length,
      total: members.length,
      shards: members,
    });
  }
  return {
    generatedAt: iso(nowMs),
    offlineAfterMs: 120_000,
    online: clusters.reduce((sum, cluster) => sum + cluster.online, 0),
    total: shards.length,
    shardCount: plan.shards === 0 ? null : (plan.shardCount ?? plan.shards),
    clusters,
  };
}

const hourMs = 3_600_000;

/** A history with a gap of `gapHours` in the middle, and nothing at the end when offline. */
export function makeHistory(
  shardId: number,
  range: { readonly fromMs: number; readonly toMs: number },
  offline: boolean,
): ShardHistory {
  const roll = dice(shardId + 77);
  const first = Math.floor(range.fromMs / hourMs) * hourMs;
  const count = Math.ceil((range.toMs - first) / hourMs);
  const gap = { from: Math.floor(count * 0.45), to: Math.floor(count * 0.55) + 1 };
  const hours = Array.from({ length: count }, (_, index) => {
    const missing = (index >= gap.from && index < gap.to) || (offline && index >= count - 3);
    const day = Math.sin((index / 24) * 2 * Math.PI);
    const value = (middle: number, swing: number): number | null =>
      missing ? null : Math.round((middle + swing * day + swing * roll()) * 10) / 10;
    return {
      hour: iso(first + index * hourMs),
      wsPingMs: value(90, 25),
      memoryMb: value(600, 80),
      cpuPercent: value(18, 9),
      eventLoopDelayP95Ms: value(6, 3),
      heartbeats: missing ? 0 : 60,
    };
  });
  const at = (index: number, minutes: number): string =>
    iso(first + index * hourMs + minutes * 60_000);
  const event = (type: ShardHistory['lifecycle'][number]['type'], ts: string, n: number) => ({
    id: `01990000-0000-7000-8000-00000000000${n}`,
    type,
    ts,
    data: type === 'shard_disconnect' ? { code: 1006, willReconnect: true } : {},
  });
  return {
    shardId,
    clusterId: '0',
    from: iso(range.fromMs),
    to: iso(range.toMs),
    state: offline ? 'offline' : 'online',
    lastHeartbeatAt: iso(offline ? range.toMs - 3 * hourMs : range.toMs - 20_000),
    hours,
    lifecycle: [
      event('shard_disconnect', at(gap.from, 4), 1),
      event('shard_reconnect', at(gap.to, 0), 2),
      event('shard_ready', at(gap.to, 1), 3),
    ],
  };
}

const ROUTE_NAMES = [
  ['POST', '/channels/{id}/messages'],
  ['POST', '/interactions/{id}/{token}/callback'],
  ['PATCH', '/webhooks/{id}/{token}/messages/@original'],
  ['GET', '/guilds/{id}/members/{id}'],
  ['PUT', '/guilds/{id}/members/{id}/roles/{id}'],
  ['DELETE', '/channels/{id}/messages/{id}'],
  ['GET', '/channels/{id}/messages'],
  ['PUT', '/channels/{id}/messages/{id}/reactions/{emoji}/@me'],
  ['PATCH', '/guilds/{id}/members/{id}'],
  ['POST', '/users/@me/channels'],
] as const;

export function makeUsage(range: { readonly fromMs: number; readonly toMs: number }): ApiUsage {
  const roll = dice(5);
  const first = Math.floor(range.fromMs / hourMs) * hourMs;
  const count = Math.ceil((range.toMs - first) / hourMs);
  const hours = Array.from({ length: count }, (_, index) => {
    const day = 1 + 0.5 * Math.sin((index / 24) * 2 * Math.PI);
    const missing = index === 6 || index === 7;
    const some = (n: number): number | null => (missing ? null : Math.floor(n * day * roll()));
    return {
      hour: iso(first + index * hourMs),
      restRequests: missing ? null : Math.round(52_000 * day + roll() * 9_000),
      rateLimitedGlobal: some(0.6),
      rateLimitedBucket: some(3),
      rest400: some(4),
      rest401: missing ? null : 0,
      rest403: some(2),
    };
  });
  const sum = (name: Exclude<keyof (typeof hours)[number], 'hour'>): number =>
    hours.reduce((total, hour) => total + (hour[name] ?? 0), 0);
  const totals = {
    restRequests: sum('restRequests'),
    rateLimitedGlobal: sum('rateLimitedGlobal'),
    rateLimitedBucket: sum('rateLimitedBucket'),
    rest400: sum('rest400'),
    rest401: sum('rest401'),
    rest403: sum('rest403'),
  };
  const routes = ROUTE_NAMES.map(([method, route], index) => {
    const trend = Array.from({ length: 24 }, () =>
      Math.round((9_000 / (index + 1)) * (0.6 + roll())),
    );
    return { method, route, trend, count: trend.reduce((total, one) => total + one, 0) };
  });
  return {
    from: iso(range.fromMs),
    to: iso(range.toMs),
    ...totals,
    hours,
    shards: [0, 16, 32, 48].map((shardId) => ({
      shardId,
      restRequests: Math.round(totals.restRequests / 4),
      rateLimitedGlobal: shardId === 0 ? totals.rateLimitedGlobal : 0,
      rateLimitedBucket: Math.round(totals.rateLimitedBucket / 4),
      rest400: Math.round(totals.rest400 / 4),
      rest401: 0,
      rest403: shardId === 16 ? totals.rest403 : 0,
    })),
    invalidRequests: {
      limit: 10_000,
      windowMs: 600_000,
      now: 12,
      peak: 641,
      peakAt: iso(range.toMs - 5 * hourMs),
    },
    routesAsOf: iso(range.toMs - 150_000),
    routesTotal: routes.reduce((total, route) => total + route.count, 0) + 41_000,
    trendStepMs: Math.max(1, Math.ceil(count / 24)) * hourMs,
    routes,
  };
}

export function makeHealth(nowMs: number, connected: boolean): Health {
  return {
    from: iso(nowMs - 24 * hourMs),
    to: iso(nowMs),
    received: connected ? 184_203 : 0,
    accepted: connected ? 184_093 : 0,
    duplicates: connected ? 96 : 0,
    rejected: connected ? [{ code: 'ts_too_old', count: 14 }] : [],
    warnings: connected ? [{ code: 'string_cut', count: 31 }] : [],
    refusedRequests: connected
      ? [{ code: 'quota_reached', count: 3, lastAt: iso(nowMs - 3 * hourMs) }]
      : [],
    sdks: connected
      ? [{ name: '@vendor/chat.js', version: '0.5.0', batches: 17_280, lastAt: iso(nowMs - 4_000) }]
      : [],
    clockSkewMs: connected ? 38 : null,
    lastBatchAt: connected ? iso(nowMs - 4_000) : null,
    sdkDropped: 0,
  };
}

export function makeBot(botId: string, name: string, nowMs: number): Bot {
  return {
    botId,
    name,
    createdAt: iso(nowMs - 40 * 24 * hourMs),
    monthlyQuota: name.length % 2 === 0 ? 500_000 : null,
    quotaUsed: 184_203,
    retentionDays: 90,
    suspended: false,
    sample: false,
    presence: { online: 0, total: 0, guildCount: 0 },
  };
}
