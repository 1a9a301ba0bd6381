import { Status } from '../read-api-shapes.ts';
import { ApiUsage, ShardHistory } from './figure-shapes.ts';
import {
  AUTH,
  bot,
  from,
  none,
  processShard,
  RANGE,
  READERS,
  shard,
  to,
  type Route,
} from './route.ts';

/** Presence, history and API usage. */
export const STATUS_ROUTES = {
  status: {
    ...none,
    method: 'GET',
    path: '/v1/bots/:bot/status',
    callers: READERS,
    params: [bot],
    answer: Status,
    status: 200,
    errors: AUTH,
    doc: 'Presence of every shard',
  },
  statusStream: {
    ...none,
    method: 'GET',
    path: '/v1/bots/:bot/status/stream',
    callers: READERS,
    params: [bot],
    answer: 'text',
    status: 200,
    errors: [...AUTH, 'too_many_streams'],
    doc:
      'Server-sent events: `snapshot` (Status), then at most one `delta` (StatusDelta) a second; a later ' +
      '`snapshot` replaces everything. With the header `Last-Event-ID` of an event of the last 120 s ' +
      'the stream goes on behind it without a snapshot. A comment every 15 s',
  },
  shardHistory: {
    ...none,
    method: 'GET',
    path: '/v1/bots/:bot/shards/:shard/history',
    callers: READERS,
    params: [bot, shard, from, to],
    answer: ShardHistory,
    status: 200,
    errors: RANGE,
    doc: 'Hourly figures and lifecycle events of a shard; default the last 24 h',
  },
  apiUsage: {
    ...none,
    method: 'GET',
    path: '/v1/bots/:bot/api-usage',
    callers: READERS,
    params: [bot, from, to, processShard],
    answer: ApiUsage,
    status: 200,
    errors: RANGE,
    doc: 'REST requests, 429, 400/401/403 and top routes; default the last 24 h',
  },
} as const satisfies Record<string, Route>;
