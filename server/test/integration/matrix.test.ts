import { ROUTES, type Route } from '@bot-analytics/protocol/read-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestServer, type BotKeys } from '../harness.ts';

/**
 * Every route of the table with every kind of caller. What a caller may do is written here once more,
 * by hand, so that a wrong `callers` in the table is found too. server.md T2.
 */
const CALLERS = [
  'none',
  'ingest key of A',
  'ingest key of B',
  'read key of A',
  'read key of B',
  'session',
  'expired session',
  'forged session',
  'admin',
  'link of A',
  'link of B',
  'revoked link of A',
] as const;
type Who = (typeof CALLERS)[number];

const OPERATOR: readonly Who[] = ['session', 'admin'];
const READER: readonly Who[] = [...OPERATOR, 'read key of A'];
/** Who gets a 2xx from a call that concerns bot A. */
const MAY: Record<keyof typeof ROUTES, readonly Who[]> = {
  botList: [...READER, 'read key of B'],
  botCreate: OPERATOR,
  botGet: READER,
  botSet: OPERATOR,
  sampleBotCreate: OPERATOR,
  sampleBotRemove: OPERATOR,
  keyList: OPERATOR,
  keyCreate: OPERATOR,
  keyRotate: OPERATOR,
  keyRevoke: OPERATOR,
  status: READER,
  statusStream: READER,
  shardHistory: READER,
  apiUsage: READER,
  events: READER,
  health: READER,
  shareList: OPERATOR,
  shareCreate: OPERATOR,
  shareRevoke: OPERATOR,
  publicInfo: ['link of A'],
  publicStatus: ['link of A'],
  publicStatusStream: ['link of A'],
  publicSummary: ['link of A'],
  publicBadge: ['link of A'],
  publicShardHistory: ['link of A'],
  publicApiUsage: ['link of A'],
  sessionCreate: [],
  sessionGet: ['session'],
  sessionEnd: [],
  loginTokenCreate: ['admin'],
  healthz: CALLERS,
  readyz: CALLERS,
  metrics: ['admin'],
};

/** Bodies that the schemas take. */
const BODIES: Partial<Record<keyof typeof ROUTES, unknown>> = {
  botCreate: { name: 'x' },
  botSet: { name: 'y' },
  sampleBotCreate: {},
  keyCreate: { scope: 'read' },
  keyRotate: { scope: 'read', overlapS: 3_600 },
  shareCreate: { sections: ['status'] },
  sessionCreate: { token: 'A'.repeat(43) },
};

const server = new TestServer();
let a: BotKeys;
let b: BotKeys;
const links = new Map<Who, string>();
const cookies = new Map<Who, string>();

async function login(): Promise<string> {
  const url = await server.server.loginLink();
  const { headers, status } = await server.call('POST', '/v1/session', {
    key: '',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: { token: url.split('#token=')[1] },
  });
  expect(status).toBe(201);
  return headers.get('set-cookie')?.split(';')[0] ?? '';
}

async function makeLink(botId: string): Promise<{ token: string; shareId: string }> {
  const body = { sections: ['status', 'history', 'api'] };
  return (await server.call('POST', `/v1/bots/${botId}/shares`, { body })).body;
}

/** Each call comes a minute after the one before, so that wrong keys are not answered 429. */
let minutes = 0;

beforeAll(async () => {
  server.env.monotonicMs = () => performance.now() + minutes * 60_000;
  await server.start();
  [a, b] = [await server.createBot(), await server.createBot()];
  cookies.set('session', await login());
  const expired = await login();
  const session = await server.call('DELETE', '/v1/session', {
    key: '',
    headers: { cookie: expired, 'sec-fetch-site': 'same-origin' },
  });
  expect(session.status).toBe(204);
  cookies.set('expired session', expired);
  cookies.set('forged session', `bot_analytics=${'A'.repeat(43)}`);
  links.set('link of A', (await makeLink(a.botId)).token);
  links.set('link of B', (await makeLink(b.botId)).token);
  const revoked = await makeLink(a.botId);
  await server.call('DELETE', `/v1/shares/${revoked.shareId}`);
  links.set('revoked link of A', revoked.token);
});

afterAll(() => server.stop());

/** Headers that a caller of this kind sends; a browser tells where a request comes from. */
function headersOf(who: Who): Record<string, string> {
  const keys: Partial<Record<Who, string>> = {
    'ingest key of A': a.apiKey,
    'ingest key of B': b.apiKey,
    'read key of A': a.readKey,
    'read key of B': b.readKey,
    admin: server.server.adminToken,
  };
  const key = keys[who];
  const cookie = cookies.get(who);
  return {
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(cookie === undefined ? {} : { cookie, 'sec-fetch-site': 'same-origin' }),
  };
}

/** A key or link of A to end, made anew for each call. */
async function freshId(route: Route): Promise<string> {
  if (route.path.includes(':shareId')) return (await makeLink(a.botId)).shareId;
  const path = `/v1/bots/${a.botId}/keys`;
  return (await server.call('POST', path, { body: { scope: 'ingest' } })).body.keyId;
}

async function ask(
  route: Route,
  who: Who,
  values: Record<string, string>,
): Promise<{ status: number; code: string | undefined }> {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => values[name] ?? '0');
  const name = Object.entries(ROUTES).find(([, each]) => each === route)?.[0] ?? '';
  const body = BODIES[name as keyof typeof ROUTES];
  minutes += 1;
  const abort = new AbortController();
  const response = await fetch(server.server.address + path, {
    method: route.method,
    signal: abort.signal,
    headers: {
      ...headersOf(who),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { status } = response;
  if (response.headers.get('content-type')?.startsWith('text/event-stream') === true) {
    abort.abort();
    return { status, code: undefined };
  }
  const text = await response.text();
  const isProblem = response.headers.get('content-type')?.includes('problem+json') === true;
  return { status, code: isProblem ? JSON.parse(text).code : undefined };
}

describe.each(Object.entries(ROUTES))('%s', (name, route: Route) => {
  const may = MAY[name as keyof typeof ROUTES];
  const ends = /:(keyId|shareId)/.test(route.path);
  // Logging in and out has tests of its own; it would end the session of the others here.
  const cases = CALLERS.filter((who) => !(name === 'sessionEnd' && who === 'session'));

  test.each(cases)('%s', async (who) => {
    const id = ends ? await freshId(route) : '';
    // One call removes it, and the next needs another.
    if (name === 'sampleBotRemove') await server.call('POST', '/v1/sample-bot', { body: {} });
    const token = links.get(who) ?? 'A'.repeat(43);
    const values = { bot: a.botId, shard: '0', keyId: id, shareId: id, token };
    const { status, code } = await ask(route, who, values);
    if (who === 'link of B' && route.path.includes(':token')) {
      // It opens what it was made for, which is bot B.
      expect(status).toBe(200);
      return;
    }
    const isIn = may.includes(who);
    expect(status >= 200 && status < 300, `${status} ${code}`).toBe(isIn);
    if (isIn) expect(status).toBe(route.status);
    else expect([401, 403, 404], `${status} ${code}`).toContain(status);
  });

  test('a bot of somebody else is answered like one that does not exist', async () => {
    if (!route.path.includes(':bot') || !route.callers.includes('read')) return;
    const missing = '0193f0a0-0000-7000-8000-00000000dead';
    const foreign = await ask(route, 'read key of A', { bot: b.botId, shard: '0' });
    const nobody = await ask(route, 'read key of A', { bot: missing, shard: '0' });
    expect(foreign).toEqual({ status: 404, code: 'not_found' });
    expect(nobody).toEqual(foreign);
  });
});

test('a link shows its own bot and nothing else', async () => {
  const token = links.get('link of B') ?? '';
  await server.call('PATCH', `/v1/bots/${b.botId}`, { body: { name: 'The other one' } });
  const { body } = await server.call('GET', `/v1/public/${token}`, { key: '' });
  expect(body).toEqual({
    name: 'The other one',
    sections: ['status', 'history', 'api'],
    expiresAt: null,
  });
});
