import { realEnv } from '../../sdk-js/src/core/env.ts';
import { createHttpClient } from '../../sdk-js/src/core/http-client.ts';
import { Transport } from '../../sdk-js/src/core/transport.ts';
import { UuidSource } from '../../sdk-js/src/event/uuid.ts';
import { GUILD_ID, sampleData, USER_ID } from './event.ts';

/**
 * The SDK's transport as a subject. `run.ts` compiles this file as the package is compiled, so that
 * what is measured is what is published.
 */
export function ours(url: string): { capture(n: number): void; flush(): Promise<void> } {
  const env = realEnv();
  const transport = new Transport({
    url: `${url}/v1/events`,
    headers: { 'Content-Type': 'application/json', Authorization: 'Bearer k' },
    requestTimeoutMs: 10_000,
    flushIntervalMs: 5_000,
    send: createHttpClient(env).send,
    env: { ...env, warn: () => undefined },
    ids: new UuidSource(env),
    onDrop: undefined,
    onStateChange: () => undefined,
  });
  return {
    capture: (n) =>
      transport.enqueue({
        type: 'interaction_slash',
        tsMs: env.now(),
        guildId: GUILD_ID,
        userId: USER_ID,
        data: sampleData(n),
      }),
    flush: async () => {
      await transport.flush(30_000);
    },
  };
}
