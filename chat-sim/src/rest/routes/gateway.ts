import type { RestRoute } from '../route.ts';
import { ok } from '../route.ts';

export interface GatewayFacts {
  readonly gatewayUrl: string;
  /** Shard count that GET /gateway/bot recommends. */
  readonly shards: number;
  /** Shards that may identify at once; the platform's is 1 for most bots, with 5 s in between. */
  readonly maxConcurrency: number;
}

/** Where the gateway is. The facts are read at each call: the port is known only then. */
export function gatewayRoutes(facts: () => GatewayFacts): readonly RestRoute[] {
  return [
    ['GET', '/gateway', () => ok({ url: facts().gatewayUrl }), 'open'],
    [
      'GET',
      '/gateway/bot',
      () =>
        ok({
          url: facts().gatewayUrl,
          shards: facts().shards,
          session_start_limit: {
            total: 1000,
            remaining: 1000,
            reset_after: 86_400_000,
            max_concurrency: facts().maxConcurrency,
          },
        }),
    ],
  ];
}
