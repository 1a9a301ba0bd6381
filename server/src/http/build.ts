import type { FastifyInstance } from 'fastify';
import type { Parts } from '../parts.ts';
import type { Reading } from '../reading.ts';
import { botHandlers, keyHandlers } from './admin.ts';
import { createApp } from './app.ts';
import type { AuthDeps } from './auth.ts';
import { IngestRoute } from './ingest.ts';
import { probeHandlers } from './probes.ts';
import { publicHandlers, shareHandlers } from './read-share.ts';
import { eventHandlers, statusHandlers } from './read.ts';
import { registerRoutes, type Handlers } from './routes.ts';
import { sessionHandlers } from './session.ts';
import { compressAnswers } from './page/compress.ts';
import { registerWebFiles } from './page/static.ts';
import { sampleHandlers } from './sample.ts';
import { streamHandlers } from './stream.ts';
import { Visitors } from './visitors.ts';

/** The HTTP server with all its routes, not yet listening. */
export async function buildHttp(parts: Parts, reading: Reading): Promise<FastifyInstance> {
  const app = createApp(parts);
  const { registry, badKeys, env, adminHash } = parts;
  const visitors = new Visitors({ ...reading, registry, badKeys });
  const auth: AuthDeps = { registry, badKeys, env, adminHash, visitors };
  const { inFlightBytesMax } = parts.config;
  await new IngestRoute({ ...parts, auth, inFlightBytesMax }).register(app);
  const handlers: Handlers = {
    ...botHandlers({ ...parts, ...reading }),
    ...keyHandlers(parts),
    ...probeHandlers(parts),
    ...eventHandlers(parts),
    ...statusHandlers(parts, reading),
    ...streamHandlers({ hub: reading.hub, registry, auth }),
    ...shareHandlers(parts, reading),
    ...publicHandlers(parts, reading),
    ...sampleHandlers(reading.samples),
    ...sessionHandlers(reading, visitors),
  };
  registerRoutes(app, handlers, auth);
  compressAnswers(app);
  registerWebFiles(app);
  return app;
}
