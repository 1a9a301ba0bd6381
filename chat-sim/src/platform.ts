import type { Env } from './env.ts';
import type { Gateway } from './gateway/gateway.ts';
import type { Ledger } from './ledger.ts';
import type { InteractionBook } from './operations/interaction-book.ts';
import type { Random } from './random.ts';
import type { GuildMaker } from './world/seed.ts';
import type { SnowflakeSource } from './world/snowflake.ts';
import { platformTime } from './world/time.ts';
import type { World } from './world/world.ts';

/** All parts of the running platform; operations and REST handlers take it as first argument. */
export interface Platform {
  readonly env: Env;
  readonly world: World;
  readonly maker: GuildMaker;
  readonly gateway: Gateway;
  readonly ledger: Ledger;
  readonly random: Random;
  readonly ids: SnowflakeSource;
  readonly interactions: InteractionBook;
}

/** The clock as the platform writes times. */
export function isoNow(platform: Platform): string {
  return platformTime(platform.env.now());
}
