import { ROUTES, type Caller, type Route, type RouteName } from '@bot-analytics/protocol/read-api';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { StoreDownError, StoreRefusedError } from '../store/errors.ts';
import { authorise, type AuthDeps, type Principal } from './auth.ts';
import { ApiError } from './problem.ts';

/** Type of the body of a route, after its schema. */
export type BodyOf<N extends RouteName> = (typeof ROUTES)[N]['body'] extends {
  readonly _output: infer Output;
}
  ? Output
  : null;

/** A checked call of one route of protocol/src/read-api.ts. */
export interface Call<Body = unknown> {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** null where the route is open to anyone. */
  readonly principal: Principal | null;
  /** Path and query parameters, parsed by the schemas of the route. */
  readonly params: Readonly<Record<string, unknown>>;
  /** JSON body, parsed by the schema of the route; null where it takes none. */
  readonly body: Body;
}

/** Returns the JSON answer; undefined when it wrote to `reply` itself. */
export type Handler<Body = unknown> = (call: Call<Body>) => Promise<unknown>;
export type Handlers = { readonly [N in RouteName]?: Handler<BodyOf<N>> };

const METHODS: readonly HTTPMethods[] = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
];

const CALLER_OF = {
  key: 'read',
  admin: 'admin',
  session: 'session',
  share: 'share',
} as const satisfies Record<Principal['kind'], Caller>;

/** Lets a caller through that the route names. Ingest keys write and read nothing. server.md T3. */
function checkCaller(route: Route, principal: Principal): void {
  const isIngestKey = principal.kind === 'key' && principal.key.scope === 'ingest';
  if (isIngestKey || !route.callers.includes(CALLER_OF[principal.kind])) {
    throw new ApiError('scope_missing');
  }
}

/** Who calls the route; null where anyone may. @throws ApiError when the caller may not. */
export async function identify(
  route: Route,
  request: FastifyRequest,
  auth: AuthDeps,
): Promise<Principal | null> {
  if (route.callers.includes('anyone')) return null;
  if (!auth.registry.isLoaded) {
    throw new ApiError('store_unavailable', { detail: 'The server is starting.' });
  }
  const isShared = route.callers.includes('share');
  const principal = await (isShared
    ? auth.visitors.share(request)
    : authorise(request, auth, 'read'));
  checkCaller(route, principal);
  return principal;
}

/** Numbers in a path or query arrive as text. */
function parseParam(schema: Route['params'][number]['schema'], text: string): unknown {
  const asText = schema.safeParse(text);
  if (asText.success) return asText.data;
  const asNumber = /^-?\d{1,15}$/.test(text) ? schema.safeParse(Number(text)) : asText;
  return asNumber.success ? asNumber.data : undefined;
}

function readParams(route: Route, request: FastifyRequest): Record<string, unknown> {
  const path = request.params as Record<string, string>;
  const query = request.query as Record<string, string | string[]>;
  const params: Record<string, unknown> = {};
  for (const { name, in: place, required, schema } of route.params) {
    const text = place === 'path' ? path[name] : query[name];
    if (text === undefined && !required) continue;
    const value = typeof text === 'string' ? parseParam(schema, text) : undefined;
    // An id in a path that can be nobody's id is simply not there.
    if (value === undefined && place === 'path') throw new ApiError('not_found');
    if (value === undefined) {
      const errors = [{ pointer: `/${name}`, detail: `The parameter ${name} is not valid.` }];
      throw new ApiError('invalid_parameter', { errors });
    }
    params[name] = value;
  }
  return params;
}

function readBody(route: Route, request: FastifyRequest): unknown {
  if (route.body === null) return null;
  const result = route.body.safeParse(request.body);
  if (result.success) return result.data;
  const errors = result.error.issues.slice(0, 20).map((issue) => ({
    pointer: issue.path.map((part) => `/${String(part)}`).join(''),
    detail: issue.message,
  }));
  throw new ApiError('invalid_parameter', { errors });
}

/** What a failed read of the store means to the caller. */
function asApiError(error: unknown): unknown {
  const isStore = error instanceof StoreDownError || error instanceof StoreRefusedError;
  return isStore
    ? new ApiError('store_unavailable', { detail: 'Try again in a few seconds.' })
    : error;
}

/** Adds the routes of the table that have a handler, and 405 for the other methods of their paths. */
export function registerRoutes(app: FastifyInstance, handlers: Handlers, auth: AuthDeps): void {
  const methodsByPath = new Map<string, HTTPMethods[]>();
  for (const [name, handler] of Object.entries(handlers)) {
    const route: Route = ROUTES[name as RouteName]; // Keys of `handlers` are route names by type,
    const handle = handler as Handler; // and the body is parsed by the schema that names its type.
    const methods = methodsByPath.get(route.path) ?? [];
    methodsByPath.set(route.path, [...methods, route.method]);
    app.route({
      method: route.method,
      url: route.path,
      handler: (request, reply) => run(route, handle, { request, reply, auth }),
    });
  }
  for (const [path, methods] of methodsByPath) {
    // Fastify answers HEAD for every GET route.
    const taken = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
    const allow = taken.join(', ');
    app.route({
      method: METHODS.filter((method) => !taken.includes(method)),
      url: path,
      handler: () => {
        throw new ApiError('method_not_allowed', { headers: { allow } });
      },
    });
  }
}

async function run(
  route: Route,
  handler: Handler,
  io: {
    readonly request: FastifyRequest;
    readonly reply: FastifyReply;
    readonly auth: AuthDeps;
  },
): Promise<unknown> {
  const { request, reply, auth } = io;
  const principal = await identify(route, request, auth);
  const params = readParams(route, request);
  const body = readBody(route, request);
  try {
    const answer = await handler({ request, reply, principal, params, body });
    if (answer === undefined || reply.sent) return reply;
    void reply.code(route.status).header('cache-control', 'no-store');
    return answer === null ? reply.send() : reply.send(answer);
  } catch (error) {
    throw asApiError(error);
  }
}
