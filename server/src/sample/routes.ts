import { snapshotRows } from '../ingest/snapshot-rows.ts';
import { uuidV7 } from '../keys/uuid.ts';
import { dice, diceBytes } from './dice.ts';
import { isPrimary, SHARD_IDS } from './fleet.ts';
import { decimalId, expiresOn, instanceOf, type SampleBot } from './heartbeats.ts';
import { requestsOf } from './hours.ts';

const MINUTE_MS = 60_000;
/** The SDK's own list holds as many. */
const ROUTES_MAX = 10;

/** Routes with their share of the requests; the rest goes to routes that are not listed. */
const ROUTES = [
  ['POST', '/interactions/{id}/{token}/callback', 0.34],
  ['POST', '/channels/{id}/messages', 0.21],
  ['PATCH', '/webhooks/{id}/{token}/messages/@original', 0.14],
  ['GET', '/guilds/{id}/members/{id}', 0.09],
  ['PUT', '/guilds/{id}/members/{id}/roles/{id}', 0.05],
  ['PATCH', '/channels/{id}/messages/{id}', 0.04],
  ['DELETE', '/channels/{id}/messages/{id}', 0.03],
  ['PUT', '/channels/{id}/messages/{id}/reactions/{emoji}/@me', 0.02],
  ['GET', '/channels/{id}/messages', 0.015],
  ['POST', '/users/@me/channels', 0.01],
] as const;

/** Rows of `api_routes`: what each process called from one minute to another. */
export function routeRows(bot: SampleBot, fromMinute: number, toMinute: number): string {
  const primaries = SHARD_IDS.filter(isPrimary);
  const atMs = toMinute * MINUTE_MS - 1;
  return requestsOf(bot, fromMinute, toMinute)
    .filter(({ requests }) => requests > 0)
    .flatMap(({ cluster, requests }) => {
      const routes = ROUTES.map(([method, route, part], index) => ({
        method,
        route,
        count: Math.round(requests * part * (0.85 + 0.3 * dice(30, cluster, toMinute, index))),
      })).toSorted((a, b) => b.count - a.count);
      const head = {
        botId: bot.botId,
        id: decimalId(uuidV7(atMs, diceBytes(31, cluster, toMinute))),
        tsMs: atMs,
        receivedAtMs: atMs,
        expiresOn: expiresOn(bot, atMs),
        guildId: '0',
      };
      const data = {
        shardId: primaries[cluster] ?? 0,
        instanceId: instanceOf(bot, cluster),
        windowMs: (toMinute - fromMinute) * MINUTE_MS,
        total: requests,
        distinctRoutes: 23,
        routes,
      };
      return snapshotRows('api_routes_snapshot', head, data, ROUTES_MAX).map(([, text]) => text);
    })
    .join('');
}
