import { randomUUID } from 'node:crypto';
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Env } from '../env.ts';
import { EngineException, fromChdb, raise } from '../sql/exception.ts';
import { keyText } from '../store/chdb.ts';
import type { Store } from '../store/store.ts';
import { BodyBudget, multipartFields, readBody } from './body.ts';
import { planCall, type Call } from './plan.ts';
import { sendException, sendOutcome } from './respond.ts';
import { runPlan } from './run.ts';

/** Request line and headers, bytes; ClickHouse's own limit for the address is 1 MiB. */
const HEADER_BYTES_MAX = 1_048_576;

export interface HttpOptions {
  readonly store: Store;
  readonly socketPath: string;
  readonly env: Env;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  readonly queryId: string;
}

function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

async function readCall(
  exchange: Exchange,
  budget: BodyBudget,
  onHeld: (bytes: number) => void,
): Promise<Call> {
  const { request, query } = exchange;
  const method = request.method ?? 'GET';
  if (method !== 'GET' && method !== 'POST') {
    throw raise('NOT_IMPLEMENTED', `Method ${method} is not supported`);
  }
  const encoding = headerText(request.headers['content-encoding']) ?? 'identity';
  if (encoding !== 'identity') {
    throw raise('NOT_IMPLEMENTED', `Content-Encoding ${encoding} is not supported`);
  }
  const body = await readBody(request, budget, onHeld);
  const formatHeader = headerText(request.headers['x-clickhouse-format']);
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data')) return { method, query, body, formatHeader };
  for (const [name, value] of multipartFields(body, type)) query.set(name, value);
  return { method, query, body: Buffer.alloc(0), formatHeader };
}

/** Text for requests that need no statement; undefined when one is needed. */
function plainAnswer(path: string, query: URLSearchParams, method: string): string | undefined {
  if (path === '/ping' || path === '/replicas_status') return 'Ok.\n';
  return path === '/' && method === 'GET' && !query.has('query') ? 'Ok.\n' : undefined;
}

async function answer(exchange: Exchange, options: HttpOptions, budget: BodyBudget): Promise<void> {
  const { store, env } = options;
  const { response, queryId } = exchange;
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const startedMs = env.nowMs();
  let heldBytes = 0;
  try {
    const call = await readCall(exchange, budget, (bytes) => {
      heldBytes += bytes;
    });
    const plan = planCall(call, store.knownSettings);
    const lane = plan.lane === 'reader' ? store.readers : store.writer;
    await lane.use(keyText(plan), gone.signal, async (session, discard) => {
      if (plan.statement.touchesSession) discard();
      const outcome = await runPlan(plan, session);
      const elapsedMs = env.nowMs() - startedMs;
      const context = { response, queryId, version: store.version, format: plan.format, elapsedMs };
      await sendOutcome(context, outcome, env);
    });
  } catch (error) {
    const exception = error instanceof EngineException ? error : fromChdb(String(error));
    sendException({ response, queryId, version: store.version }, exception);
  } finally {
    budget.giveBack(heldBytes);
  }
}

function handler(options: HttpOptions): (req: IncomingMessage, res: ServerResponse) => void {
  const budget = new BodyBudget();
  return (request, response) => {
    const url = new URL(request.url ?? '/', 'http://engine');
    const query = url.searchParams;
    const plain = plainAnswer(url.pathname, query, request.method ?? 'GET');
    if (plain !== undefined || url.pathname !== '/') {
      response.statusCode = plain === undefined ? 404 : 200;
      response.setHeader('Content-Type', 'text/plain; charset=UTF-8');
      response.end(plain ?? 'There is no such address; statements go to /\n');
      return;
    }
    const given = query.get('query_id') ?? '';
    const queryId = /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
    void answer({ request, response, query, queryId }, options, budget);
  };
}

/** Listens on the Unix socket, readable by this user only. */
export async function listen(options: HttpOptions): Promise<Server> {
  const server = createServer({ maxHeaderSize: HEADER_BYTES_MAX }, handler(options));
  // The other end is the parent on the same machine: an idle connection costs nothing, and closing one
  // from here would race with its next request.
  server.keepAliveTimeout = 0;
  server.requestTimeout = 0;
  rmSync(options.socketPath, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.socketPath, () => {
      server.off('error', reject);
      resolve();
    });
  });
  chmodSync(options.socketPath, 0o600);
  return server;
}
