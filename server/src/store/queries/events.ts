import { query, type Query } from '../query.ts';

interface RangeParams {
  readonly [name: string]: string | number | readonly string[];
  readonly botId: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** Empty: all. */
  readonly types: readonly string[];
}

/** How many events each hour of the range holds, about: duplicates not merged yet count too. */
export const eventHours = query<RangeParams, { hour: number; events: string }>(
  'event_hours',
  `SELECT toUnixTimestamp(toStartOfHour(ts)) AS hour, count() AS events
  FROM events
  WHERE bot_id = {botId:UUID}
    AND ts >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
    AND ts < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
    AND (empty({types:Array(String)}) OR has({types:Array(String)}, type))
  GROUP BY hour ORDER BY hour LIMIT 100000`,
);

export interface EventRow {
  readonly eventId: string;
  readonly type: string;
  readonly tsMs: string;
  readonly guildId: string;
  readonly channelId: string;
  readonly userId: string;
  readonly data: string;
}

interface PageParams extends RangeParams {
  /** Where the page before ended. */
  readonly afterMs: number;
  /** Decimal. */
  readonly afterId: string;
  readonly limit: number;
}

/** Events of the range behind a position, by time, then id. Each id once. */
const page = (
  name: string,
  behind: '>' | '<',
  order: 'ASC' | 'DESC',
): Query<PageParams, EventRow> =>
  query(
    name,
    `SELECT event_id AS eventId, type, toUnixTimestamp64Milli(ts) AS tsMs, guild_id AS guildId,
    channel_id AS channelId, user_id AS userId, data
  FROM events FINAL
  WHERE bot_id = {botId:UUID}
    AND ts >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
    AND ts < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
    AND (ts, id) ${behind} (fromUnixTimestamp64Milli({afterMs:Int64}, 'UTC'), {afterId:UInt128})
    AND (empty({types:Array(String)}) OR has({types:Array(String)}, type))
  ORDER BY ts ${order}, id ${order} LIMIT {limit:UInt32}`,
  );

/** From the oldest to the newest. */
export const eventPage = page('event_page', '>', 'ASC');

/** From the newest to the oldest. */
export const eventPageNewest = page('event_page_newest', '<', 'DESC');
