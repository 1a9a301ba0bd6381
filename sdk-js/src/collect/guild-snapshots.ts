import type { ClientView } from './adapter.ts';
import type { Emit } from './parts.ts';

/** Guild snapshots of one interval leave in this many portions. design.md 7. */
export const PORTIONS = 60;

/** Returns what emits the next portion of guilds; each guild is in one of `PORTIONS` portions. */
export function guildSnapshots(client: ClientView, emit: Emit): () => void {
  let guildIds: readonly string[] = [];
  let portion = 0;
  return () => {
    if (portion === 0) guildIds = client.guildIds();
    for (const guildId of guildIds.filter((_, index) => index % PORTIONS === portion)) {
      const data = client.guild(guildId);
      if (data) emit({ type: 'guild_snapshot', guildId, data });
    }
    portion = (portion + 1) % PORTIONS;
  };
}
