import type { FieldTable } from '../field.ts';
import { HEARTBEAT_FIELDS } from './heartbeat.ts';
import { guildName, locale, memberCount, shardId } from './shared.ts';

/** Snapshots. The guild of a guild_snapshot is the event's `guildId`. catalogue.md A5. */
export const SNAPSHOT_FIELDS = {
  heartbeat: HEARTBEAT_FIELDS,
  guild_snapshot: {
    memberCount,
    onlineCount: {
      kind: 'integer',
      unit: 'members',
      min: 0,
      nullable: true,
      doc: 'Members online; null without the presence intent.',
      js: 'guild.presences',
      py: 'member.status',
    },
    name: guildName,
    locale,
    available: {
      kind: 'boolean',
      doc: 'False in an outage of the guild.',
      js: 'guild.available',
      py: 'not guild.unavailable',
    },
    shardId,
  },
  api_routes_snapshot: {
    windowMs: {
      kind: 'integer',
      unit: 'ms',
      min: 0,
      doc: 'Time the counts cover.',
      js: 'clock',
      py: 'clock',
    },
    total: {
      kind: 'integer',
      unit: 'requests',
      min: 0,
      doc: 'Requests of all routes.',
      js: 'REST response event',
      py: 'trace config',
    },
    distinctRoutes: {
      kind: 'integer',
      min: 0,
      doc: 'Distinct method and route pairs; counting stops at 500.',
      js: 'REST response event',
      py: 'trace config',
    },
    routes: {
      kind: 'routes',
      doc: 'The most used routes, at most 10, `{method, route, count}`, most used first.',
      js: 'REST response event',
      py: 'trace config',
    },
    instanceId: HEARTBEAT_FIELDS.instanceId,
    shardId: { ...shardId, doc: 'Lowest shard of the process.' },
  },
} as const satisfies Record<string, FieldTable>;
