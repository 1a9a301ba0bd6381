/** What the text in the finder means. */
export type Finding =
  | { readonly kind: 'none' }
  | { readonly kind: 'shard'; readonly shardId: number; readonly because: string | null }
  | { readonly kind: 'cluster'; readonly clusterId: string }
  | { readonly kind: 'unclear'; readonly why: string };

/** Largest shard number that the platform and the API know. */
const shardIdMax = 65_535;
/** Ids of the platform have at least this many digits; shard numbers have at most 5. */
const snowflakeDigitsMin = 15;

/**
 * The shard that serves a guild: `(guild id >> 22) % shards`. Source: the platform's gateway
 * documentation, "Sharding". `shardCount` is what the bot reports, not the number of rows seen.
 */
export function shardOfGuild(guildId: string, shardCount: number): number {
  return Number((BigInt(guildId) >> 22n) % BigInt(shardCount));
}

function guildFinding(guildId: string, shardCount: number | null): Finding {
  if (shardCount === null || shardCount < 1) {
    return { kind: 'unclear', why: 'The bot has not said yet how many shards it has.' };
  }
  const shardId = shardOfGuild(guildId, shardCount);
  return {
    kind: 'shard',
    shardId,
    because: `Guild ${guildId} is on shard ${shardId} of ${shardCount}.`,
  };
}

/** Reads a shard number, a guild id, a link to a message or guild, or `cluster <id>`. */
export function find(text: string, shardCount: number | null): Finding {
  const q = text.trim();
  if (q === '') return { kind: 'none' };
  const shard = /^(?:shard\s*|#)?(\d{1,5})$/i.exec(q)?.[1];
  if (shard !== undefined && Number(shard) <= shardIdMax) {
    return { kind: 'shard', shardId: Number(shard), because: null };
  }
  const cluster = /^cluster\s+(.+)$/i.exec(q)?.[1];
  if (cluster !== undefined) return { kind: 'cluster', clusterId: cluster };
  if (/channels\/@me\b/.test(q)) {
    return { kind: 'shard', shardId: 0, because: 'Direct messages always come to shard 0.' };
  }
  const guild = /channels\/(\d{15,20})\b/.exec(q)?.[1] ?? /^(\d{15,20})$/.exec(q)?.[1];
  if (guild !== undefined && guild.length >= snowflakeDigitsMin)
    return guildFinding(guild, shardCount);
  return {
    kind: 'unclear',
    why: 'Type a shard number, a guild id, a message link, or “cluster” and its name.',
  };
}
