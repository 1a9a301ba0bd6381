/** First millisecond of the platform's id clock: 2015-01-01T00:00:00Z. */
export const PLATFORM_EPOCH_MS = 1_420_070_400_000;

/** What a platform id looks like on the wire. Ids made here have 17 to 19 digits. */
export const SNOWFLAKE = /^\d{17,20}$/;

/** Lowest common multiple of 1 to 16, and of 32 and 64. */
const EVEN_STEP_MS = 2_882_880;

/** Unix ms (2016 or later, for 17 digits; fractions are cut) and a counter below 4,194,304 → id. */
export function makeSnowflake(unixMs: number, counter: number): string {
  const platformMs = Math.floor(unixMs - PLATFORM_EPOCH_MS);
  return ((BigInt(platformMs) << 22n) | BigInt(counter & 0x3f_ffff)).toString();
}

/** Unix ms at which an id was made. */
export function snowflakeMs(id: string): number {
  return Number(BigInt(id) >> 22n) + PLATFORM_EPOCH_MS;
}

/** The shard that carries a guild's dispatches; direct messages (no guild) are on shard 0. */
export function shardOf(guildId: string | null, shardCount: number): number {
  return guildId === null ? 0 : Number((BigInt(guildId) >> 22n) % BigInt(shardCount));
}

/**
 * Id of the `index`-th guild. `random01` picks its age (2017 to 2022). Guild `index` is on shard
 * `index % count` for every count from 1 to 16, 32 and 64, so that small worlds spread evenly.
 */
export function guildSnowflake(index: number, random01: number): string {
  const step = 22_000 + Math.floor(random01 * 60_000);
  return makeSnowflake(PLATFORM_EPOCH_MS + step * EVEN_STEP_MS + index, index);
}

/** Hands out ids that never repeat: time from the clock it is given, plus a running counter. */
export class SnowflakeSource {
  #counter = 0;
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  next(): string {
    this.#counter += 1;
    return makeSnowflake(this.#now(), this.#counter);
  }
}
