import { z } from 'zod';
import type { ErrorCode } from '../error-codes.ts';
import { count, iso, Status } from '../read-api-shapes.ts';
import { ApiUsage, ShardHistory } from './figure-shapes.ts';
import {
  AUTH,
  bot,
  from,
  NoContent,
  none,
  OWNERS,
  processShard,
  shard,
  to,
  type Param,
  type Route,
} from './route.ts';

/** What a share link can show: presence, hourly history of a shard, API usage. */
export const SHARE_SECTIONS = ['status', 'history', 'api'] as const;
export type ShareSection = (typeof SHARE_SECTIONS)[number];

/** A share link without its secret part. */
export const Share = z.object({
  shareId: z.string().length(8),
  sections: z.array(z.enum(SHARE_SECTIONS)),
  createdAt: iso,
  expiresAt: iso.nullable(),
  revokedAt: iso.nullable(),
});
export type Share = z.infer<typeof Share>;

export const ShareCreated = Share.extend({
  url: z.string().describe('Public address, shown once'),
  token: z.string().describe('Secret part of the address, shown once'),
});
export type ShareCreated = z.infer<typeof ShareCreated>;

/** What the holder of a share link may know of it. */
export const PublicInfo = z.object({
  name: z.string(),
  sections: z.array(z.enum(SHARE_SECTIONS)),
  expiresAt: iso.nullable(),
});
export type PublicInfo = z.infer<typeof PublicInfo>;

/** The status in one line, for other programs. */
export const PublicSummary = z.object({
  name: z.string(),
  state: z
    .enum(['online', 'degraded', 'offline', 'unknown'])
    .describe('degraded: some shards are offline; unknown: no heartbeat was ever seen'),
  online: count,
  total: count,
  message: z.string().describe('`1,987 of 2,000 shards online`'),
  generatedAt: iso,
});
export type PublicSummary = z.infer<typeof PublicSummary>;

const token = {
  name: 'token',
  in: 'path',
  required: true,
  schema: z.string().min(20).max(80),
  doc: 'Token of the share link',
} as const satisfies Param;
const SHARED = ['share'] as const;
const PUBLIC = [
  'not_found',
  'too_many_requests',
  'store_unavailable',
] as const satisfies readonly ErrorCode[];

/** Share links, and what they show without a login. */
export const SHARE_ROUTES = {
  shareList: {
    ...none,
    method: 'GET',
    path: '/v1/bots/:bot/shares',
    callers: OWNERS,
    params: [bot],
    answer: z.object({ shares: z.array(Share) }),
    status: 200,
    errors: AUTH,
    doc: 'Share links of a bot, newest first',
  },
  shareCreate: {
    ...none,
    method: 'POST',
    path: '/v1/bots/:bot/shares',
    callers: OWNERS,
    params: [bot],
    body: z.strictObject({
      sections: z.array(z.enum(SHARE_SECTIONS)).min(1).max(SHARE_SECTIONS.length),
      expiresAt: iso.nullable().optional().describe('null, or left out: until it is revoked'),
    }),
    answer: ShareCreated,
    status: 201,
    errors: [...AUTH, 'invalid_parameter'],
    doc: 'Makes a public read-only link',
  },
  shareRevoke: {
    ...none,
    method: 'DELETE',
    path: '/v1/shares/:shareId',
    callers: OWNERS,
    params: [
      {
        name: 'shareId',
        in: 'path',
        required: true,
        schema: z.string().length(8),
        doc: 'Public part of the share link',
      },
    ],
    answer: NoContent,
    status: 204,
    errors: AUTH,
    doc: 'Ends a share link within 1 s',
  },
  publicInfo: {
    ...none,
    method: 'GET',
    path: '/v1/public/:token',
    callers: SHARED,
    params: [token],
    answer: PublicInfo,
    status: 200,
    errors: PUBLIC,
    doc: 'What a share link shows',
  },
  publicStatus: {
    ...none,
    method: 'GET',
    path: '/v1/public/:token/status',
    callers: SHARED,
    params: [token],
    answer: Status,
    status: 200,
    errors: PUBLIC,
    doc: 'Presence of every shard; section `status`',
  },
  publicStatusStream: {
    ...none,
    method: 'GET',
    path: '/v1/public/:token/status/stream',
    callers: SHARED,
    params: [token],
    answer: 'text',
    status: 200,
    errors: [...PUBLIC, 'too_many_streams'],
    doc: 'As statusStream; section `status`',
  },
  publicSummary: {
    ...none,
    method: 'GET',
    path: '/v1/public/:token/summary',
    callers: SHARED,
    params: [token],
    answer: PublicSummary,
    status: 200,
    errors: PUBLIC,
    doc: 'The status in one line; section `status`',
  },
  publicBadge: {
    ...none,
    method: 'GET',
    path: '/v1/public/:token/badge.svg',
    callers: SHARED,
    params: [token],
    answer: 'text',
    status: 200,
    errors: PUBLIC,
    doc: 'The status as an SVG picture; section `status`',
  },
  publicShardHistory: {
    ...none,
    method: 'GET',
    path: '/v1/public/:token/shards/:shard/history',
    callers: SHARED,
    params: [token, shard, from, to],
    answer: ShardHistory,
    status: 200,
    errors: [...PUBLIC, 'invalid_range', 'invalid_parameter'],
    doc: 'As shardHistory, of the last 31 days; section `history`',
  },
  publicApiUsage: {
    ...none,
    method: 'GET',
    path: '/v1/public/:token/api-usage',
    callers: SHARED,
    params: [token, from, to, processShard],
    answer: ApiUsage,
    status: 200,
    errors: [...PUBLIC, 'invalid_range', 'invalid_parameter'],
    doc: 'As apiUsage, of the last 31 days; section `api`',
  },
} as const satisfies Record<string, Route>;
