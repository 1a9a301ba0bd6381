import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Bot } from '@bot-analytics/protocol/read-api';
import { CALLS } from '../../src/api/routes.ts';
import type { CallName } from '../../src/api/routes.ts';
import { makeEvents } from './activity.ts';
import { makeBot, makeHealth, makeHistory, makeUsage } from './fleet.ts';
import { BOTS, SAMPLE_BOT } from './world.ts';
import type { MockWorld } from './world.ts';

/** One request to the scripted API. */
export interface ApiCall {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly url: URL;
}

type Path = Readonly<Record<string, string>>;

interface Request {
  readonly world: MockWorld;
  readonly path: Path;
  readonly url: URL;
  readonly body: Readonly<Record<string, unknown>>;
  readonly res: ServerResponse;
}

const KEY = 'bak_q1w2e3r4_5nX0fT7cLw2Vd9kJh3PzRb8sYq1GmA6eUoKi4tEvQx0cWnB2ySt';

function match(method: string, pathname: string): { name: CallName; path: Path } | undefined {
  for (const [name, call] of Object.entries(CALLS)) {
    const [verb, template = ''] = call.split(' ');
    const names: string[] = [];
    const pattern = template.replace(/:(\w+)/g, (_, key: string) => {
      names.push(key);
      return '([^/]+)';
    });
    const found = verb === method ? new RegExp(`^${pattern}$`).exec(pathname) : null;
    if (found === null) continue;
    const path = Object.fromEntries(names.map((key, index) => [key, found[index + 1] ?? '']));
    return { name: name as CallName, path };
  }
  return undefined;
}

function json(res: ServerResponse, status: number, value: unknown): void {
  res.writeHead(status, { 'content-type': 'application/json' });
  res.end(status === 204 ? undefined : JSON.stringify(value));
}

function problem(res: ServerResponse, status: number, code: string, title: string): void {
  json(res, status, { type: code, title, status, detail: title, instance: 'req-7f3a', code });
}

function rangeOf(url: URL): { fromMs: number; toMs: number } {
  const toMs = Date.parse(url.searchParams.get('to') ?? '') || Date.now();
  const fromMs = Date.parse(url.searchParams.get('from') ?? '') || toMs - 86_400_000;
  return { fromMs, toMs };
}

function openStream({ world, path, res }: Request, botId = path['bot'] ?? ''): void {
  if (world.streamStatus !== 200) {
    problem(res, world.streamStatus, 'too_many_streams', 'Too many live streams');
    return;
  }
  res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  if (world.silentStreams) res.write(': nothing yet\n\n');
  else res.write(`event: snapshot\ndata: ${JSON.stringify(world.statusOf(botId))}\n\n`);
  world.streams.set(res, botId);
  res.on('close', () => world.streams.delete(res));
}

function bot({ world, path }: Request) {
  return world.bots.find((one) => one.botId === path['bot']);
}

function withPresence(world: MockWorld, one: Bot): Bot {
  const { online, total, clusters } = world.statusOf(one.botId);
  const shards = clusters.flatMap((cluster) => cluster.shards);
  const guildCount = shards
    .filter((shard) => shard.state === 'online')
    .reduce((sum, shard) => sum + (shard.guildCount ?? 0), 0);
  return { ...one, presence: { online, total, guildCount } };
}

function createBot({ world, body, res }: Request): void {
  const botId = crypto.randomUUID();
  world.bots = [...world.bots, makeBot(botId, String(body['name']), Date.now())];
  json(res, 201, { botId, name: body['name'], apiKey: KEY, readKey: KEY.replace('bak', 'bar') });
}

function offlineShard(world: MockWorld, path: Path): boolean {
  const shards = world.statusOf(path['bot'] ?? '').clusters.flatMap((cluster) => cluster.shards);
  return shards.find((one) => String(one.shardId) === path['shard'])?.state === 'offline';
}

function events({ world, path, url }: Request) {
  const isConnected = world.connected.has(path['bot'] ?? '');
  const wanted = url.searchParams.get('type')?.split(',');
  const limit = Number(url.searchParams.get('limit') ?? 100);
  const all = [
    ...world.arrived,
    ...makeEvents(world.startMs, isConnected ? world.storedEvents : 0),
  ];
  const found = all.filter(({ type }) => wanted === undefined || wanted.includes(type));
  // Counted from the oldest, so that what arrives meanwhile shifts nothing.
  const left = Number(url.searchParams.get('cursor') ?? found.length);
  const from = found.length - left;
  const end = from + limit;
  return {
    events: found.slice(from, end),
    nextCursor: end < found.length ? String(found.length - end) : null,
  };
}

const session = () => ({
  expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
  publicUrl: 'https://stats.example.org',
});

function createKey({ world, res }: Request): void {
  const at = new Date().toISOString();
  const made = { createdAt: at, expiresAt: null, revokedAt: null, lastUsedAt: null, lastSdk: null };
  world.keys = [{ ...made, keyId: 'q1w2e3r4', scope: 'ingest' as const }, ...world.keys];
  json(res, 201, { keyId: 'q1w2e3r4', scope: 'ingest', key: KEY, oldKeysExpireAt: at });
}

function createShare({ world, body, res }: Request): void {
  const token = 'shr_Zk3vQ9wL2xN8bT5cR1yU7';
  const share = {
    shareId: `s${String(world.shares.length).padStart(7, '0')}`,
    sections: body['sections'] as ('status' | 'history' | 'api')[],
    createdAt: new Date().toISOString(),
    expiresAt: (body['expiresAt'] as string | null | undefined) ?? null,
    revokedAt: null,
  };
  world.shares = [share, ...world.shares];
  json(res, 201, { ...share, url: `https://stats.example.org/p/${token}`, token });
}

const HANDLERS: Readonly<Record<CallName, (request: Request) => void>> = {
  botList: ({ world, res }) =>
    json(res, 200, { bots: world.bots.map((one) => withPresence(world, one)) }),
  botCreate: createBot,
  botGet: (request) => json(request.res, 200, bot(request)),
  botSet: (request) => {
    const { world, body, res } = request;
    const next = { ...bot(request), ...body } as (typeof world.bots)[number];
    world.bots = world.bots.map((one) => (one.botId === next.botId ? next : one));
    json(res, 200, next);
  },
  sampleBotCreate: ({ world, res }) => {
    const made = { ...makeBot(SAMPLE_BOT, 'Sample bot', Date.now()), sample: true };
    if (!world.bots.some((one) => one.sample)) world.bots = [...world.bots, made];
    world.setPlan(SAMPLE_BOT, { shards: 32, perCluster: 8, offline: [11, 21] });
    json(res, 201, { botId: SAMPLE_BOT, name: made.name });
  },
  sampleBotRemove: ({ world, res }) => {
    world.bots = world.bots.filter((one) => !one.sample);
    json(res, 204, null);
  },
  keyList: ({ world, res }) => json(res, 200, { keys: world.keys }),
  keyCreate: createKey,
  keyRotate: createKey,
  keyRevoke: ({ world, path, res }) => {
    const at = new Date().toISOString();
    world.keys = world.keys.map((key) =>
      key.keyId === path['keyId'] ? { ...key, revokedAt: at } : key,
    );
    json(res, 204, null);
  },
  status: ({ world, path, res }) => json(res, 200, world.statusOf(path['bot'] ?? '')),
  statusStream: (request) => openStream(request),
  shardHistory: ({ world, path, url, res }) =>
    json(res, 200, makeHistory(Number(path['shard']), rangeOf(url), offlineShard(world, path))),
  apiUsage: ({ world, url, res }) => {
    world.processAsked = url.searchParams.get('shard') ?? world.processAsked;
    json(res, 200, makeUsage(rangeOf(url)));
  },
  events: (request) => json(request.res, 200, events(request)),
  health: ({ world, path, res }) =>
    json(res, 200, makeHealth(Date.now(), world.connected.has(path['bot'] ?? ''))),
  shareList: ({ world, res }) => json(res, 200, { shares: world.shares }),
  shareCreate: createShare,
  shareRevoke: ({ world, path, res }) => {
    const at = new Date().toISOString();
    world.shares = world.shares.map((share) =>
      share.shareId === path['shareId'] ? { ...share, revokedAt: at } : share,
    );
    json(res, 204, null);
  },
  publicInfo: ({ path, res }) =>
    path['token'] === 'gone'
      ? problem(res, 404, 'not_found', 'Nothing is here')
      : json(res, 200, {
          name: 'Moderation Station',
          sections: path['token'] === 'status-only' ? ['status'] : ['status', 'history', 'api'],
          expiresAt: null,
        }),
  publicStatus: ({ world, res }) => json(res, 200, world.statusOf(BOTS.clusters)),
  publicStatusStream: (request) => openStream(request, BOTS.clusters),
  publicShardHistory: ({ path, url, res }) =>
    json(res, 200, makeHistory(Number(path['shard']), rangeOf(url), false)),
  publicApiUsage: ({ url, res }) => json(res, 200, makeUsage(rangeOf(url))),
  sessionCreate: ({ world, body, res }) => {
    if (body['token'] !== 'good-token') {
      problem(res, 401, 'login_required', 'The login link is used up or wrong');
      return;
    }
    world.loggedIn = true;
    json(res, 201, session());
  },
  sessionGet: ({ res }) => json(res, 200, session()),
  sessionEnd: ({ world, res }) => {
    world.loggedIn = false;
    json(res, 204, null);
  },
};

async function bodyOf(req: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  let text = '';
  for await (const piece of req) text += String(piece);
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

/** Answers as the real server would, from the scripted world. */
export async function answerApi(world: MockWorld, { req, res, url }: ApiCall): Promise<void> {
  const method = req.method ?? 'GET';
  world.calls.push(`${method} ${url.pathname}`);
  const found = match(method, url.pathname);
  if (found === undefined) {
    problem(res, 404, 'not_found', 'Nothing is here');
    return;
  }
  const { name, path } = found;
  if (world.hanging.has(name)) return;
  if (world.failing.has(name)) {
    problem(res, 500, 'internal', 'An error of the server');
    return;
  }
  if (!world.loggedIn && name !== 'sessionCreate' && !name.startsWith('public')) {
    problem(res, 401, 'login_required', 'Not logged in');
    return;
  }
  HANDLERS[name]({ world, path, url, res, body: await bodyOf(req) });
}
