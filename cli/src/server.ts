import { join } from 'node:path';
import type { Problem } from '@bot-analytics/protocol';
import { ROUTES, routePath, type RouteName } from '@bot-analytics/protocol/read-api';
import type { Env } from './env.ts';
import { Failure } from './failure.ts';

const TIMEOUT_MS = 15_000;

/** A running server and the right to administer it. */
export interface Server {
  readonly url: string;
  readonly adminToken: string;
}

/** What a server writes to `DATA_DIR/server.json` while it runs. */
interface ServerFile {
  readonly url: string;
}

/** Folder of the server's data, as the server itself finds it. */
export function dataDir(env: Env): string {
  return env.variables['DATA_DIR'] ?? './data';
}

/** Address of the server that runs on DATA_DIR; null when none does. */
export async function findServerUrl(env: Env): Promise<string | null> {
  const text = await env.readText(join(dataDir(env), 'server.json'));
  if (text === null) return null;
  const { url } = JSON.parse(text) as ServerFile;
  return url;
}

/** The server that runs on DATA_DIR, with its admin token. */
export async function findServer(env: Env): Promise<Server> {
  const url = await findServerUrl(env);
  const adminToken = (await env.readText(join(dataDir(env), 'admin-token')))?.trim();
  if (url === null || adminToken === undefined) {
    throw new Failure(
      `No server runs on ${dataDir(env)}: start one with \`npm start\`, or set DATA_DIR to its folder.`,
    );
  }
  return { url, adminToken };
}

/** Calls one route of the read-API table as administrator; a refusal becomes a Failure. */
export async function call(
  env: Env,
  server: Server,
  name: RouteName,
  {
    params = {},
    body,
    notFound,
  }: {
    params?: Record<string, string>;
    body?: object;
    /** The sentence for 404, which otherwise speaks of an address that the user never typed. */
    notFound?: string;
  } = {},
): Promise<unknown> {
  const response = await request(env, `${server.url}${routePath(name, params)}`, {
    method: ROUTES[name].method,
    headers: {
      authorization: `Bearer ${server.adminToken}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.status === 404 && notFound !== undefined) throw new Failure(notFound);
  if (!response.ok) throw new Failure(refusal(response.status, text));
  return text === '' ? null : JSON.parse(text);
}

/** One HTTP request that follows no redirect; a network failure becomes a Failure. */
export async function request(env: Env, url: string, init: RequestInit): Promise<Response> {
  try {
    return await env.fetch(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (error) {
    const { origin, port } = new URL(url);
    // Ports of other protocols, such as 22 or 6000, are on the list that fetch never connects to.
    throw new Failure(
      causeOf(error).message === 'bad port'
        ? `Port ${port} in ${origin} is reserved for other protocols, and no HTTP client connects to it: check the address.`
        : `${origin} does not answer (${reason(error)}): is the server running?`,
    );
  }
}

/** The sentence of a problem document, or the bare status. */
export function refusal(status: number, text: string): string {
  try {
    const { title, detail, code, errors = [] } = JSON.parse(text) as Problem;
    if (typeof title !== 'string' || typeof code !== 'string') throw new TypeError('no problem');
    const causes = errors.map((error) => `${error.pointer.slice(1)}: ${error.detail}`);
    return `${title}: ${causes.length === 0 ? detail : causes.join('; ')} (${status} ${code})`;
  } catch {
    return `The server answered ${status}.`;
  }
}

/** What lies behind an error of fetch, which itself only says "fetch failed". */
function causeOf(error: unknown): { message: string; code: string } {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return { message: String(cause), code: '' };
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
  return { message: cause.message, code };
}

/** Where a name has several addresses, Node's own message is empty. */
function reason(error: unknown): string {
  const { message, code } = causeOf(error);
  const known = {
    ECONNREFUSED: 'nothing listens there: ECONNREFUSED',
    ENOTFOUND: 'the host name is not known: ENOTFOUND',
    ECONNRESET: 'it closed the connection: ECONNRESET',
    UND_ERR_SOCKET: 'it closed the connection, or does not speak HTTP',
    TimeoutError: `nothing came within ${TIMEOUT_MS / 1_000} s`,
  }[code];
  return known ?? (message === '' ? code : message);
}
