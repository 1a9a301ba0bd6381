import type { FastifyInstance } from 'fastify';
import type { Parts } from '../parts.ts';
import { botHandlers, keyHandlers } from './admin.ts';
import { createApp } from './app.ts';
import type { AuthDeps } from './auth.ts';
import { IngestRoute } from './ingest.ts';
import { probeHandlers } from './probes.ts';
import { registerRoutes } from './routes.ts';

/** The HTTP server with all its routes, not yet listening. */
export async function buildHttp(parts: Parts): Promise<FastifyInstance> {
  const app = createApp(parts);
  const { registry, badKeys, env, adminHash } = parts;
  const auth: AuthDeps = { registry, badKeys, env, adminHash };
  const { inFlightBytesMax } = parts.config;
  await new IngestRoute({ ...parts, auth, inFlightBytesMax }).register(app);
  const handlers = { ...botHandlers(parts), ...keyHandlers(parts), ...probeHandlers(parts) };
  registerRoutes(app, handlers, auth);
  return app;
}
