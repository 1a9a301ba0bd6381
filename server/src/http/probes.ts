import type { Pressure } from '../ingest/pressure.ts';
import type { Metrics } from '../metrics.ts';
import { ApiError } from './problem.ts';
import type { Handlers } from './routes.ts';

interface Deps {
  readonly metrics: Metrics;
  readonly pressure: Pressure;
}

const TEXT = 'text/plain; charset=utf-8';

/** Liveness, readiness, figures. */
export function probeHandlers({ metrics, pressure }: Deps): Handlers {
  return {
    async healthz({ reply }) {
      await reply.type(TEXT).send('ok\n');
      return undefined;
    },
    async readyz({ reply }) {
      const obstacle = pressure.obstacle();
      if (obstacle !== null) {
        throw new ApiError('store_unavailable', { detail: `Events cannot be taken: ${obstacle}.` });
      }
      await reply.type(TEXT).send('ready\n');
      return undefined;
    },
    async metrics({ reply }) {
      await reply.type('text/plain; version=0.0.4; charset=utf-8').send(metrics.render());
      return undefined;
    },
  };
}
