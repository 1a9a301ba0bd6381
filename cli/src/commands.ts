import type { Bot, BotCreated, Key, KeyCreated } from '@bot-analytics/protocol/read-api';
import { doctor, type Finding } from './doctor.ts';
import type { Env } from './env.ts';
import { Failure } from './failure.ts';
import { send, type Target } from './send.ts';
import { call, findServer, findServerUrl, type Server } from './server.ts';

/** Options of all commands, already split from the positional arguments. */
export interface Options {
  readonly quota?: string | undefined;
  readonly 'retention-days'?: string | undefined;
  readonly name?: string | undefined;
  readonly scope?: string | undefined;
  readonly overlap?: string | undefined;
  readonly key?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly events?: string | undefined;
}

/** What a command found: `json` for scripts, `lines` for people. */
export interface Outcome {
  readonly json: unknown;
  readonly lines: readonly string[];
  /** 1 when it looked and found something wrong. */
  readonly exitCode?: 0 | 1;
}

/** One command: its words, positional arguments and options. */
export interface Command {
  readonly words: string;
  readonly usage: string;
  readonly doc: string;
  readonly positionals: number;
  run(env: Env, positionals: readonly string[], options: Options): Promise<Outcome>;
}

export const COMMANDS: readonly Command[] = [
  {
    words: 'bot create',
    usage: 'NAME',
    doc: 'make a bot and its keys (shown once)',
    positionals: 1,
    run: botCreate,
  },
  { words: 'bot list', usage: '', doc: 'list the bots', positionals: 0, run: botList },
  {
    words: 'bot set',
    usage: 'BOT [--name NAME] [--quota N|none] [--retention-days N]',
    doc: 'change a bot',
    positionals: 1,
    run: botSet,
  },
  {
    words: 'key create',
    usage: 'BOT [--scope ingest|read]',
    doc: 'make a further key (shown once)',
    positionals: 1,
    run: keyCreate,
  },
  { words: 'key list', usage: 'BOT', doc: 'list the keys of a bot', positionals: 1, run: keyList },
  {
    words: 'key rotate',
    usage: 'BOT [--scope ingest|read] [--overlap SECONDS]',
    doc: 'make a new key; the old ones end after the overlap (default 86400)',
    positionals: 1,
    run: keyRotate,
  },
  {
    words: 'key revoke',
    usage: 'KEYID',
    doc: 'end a key at once (KEYID: its 8-character part)',
    positionals: 1,
    run: keyRevoke,
  },
  {
    words: 'login',
    usage: '',
    doc: 'make a one-time link to the dashboard',
    positionals: 0,
    run: login,
  },
  {
    words: 'send',
    usage: '[--key KEY] [--endpoint URL] [--events N]',
    doc: 'send a batch of test events',
    positionals: 0,
    run: sendTest,
  },
  {
    words: 'doctor',
    usage: '[--key KEY] [--endpoint URL]',
    doc: 'check address, redirects, key and clock',
    positionals: 0,
    run: runDoctor,
  },
];

async function botCreate(env: Env, [name]: readonly string[]): Promise<Outcome> {
  const server = await findServer(env);
  const { botId, apiKey, readKey } = (await call(env, server, 'botCreate', {
    body: { name },
  })) as BotCreated;
  return {
    json: { botId, apiKey, readKey },
    lines: [
      `bot       ${botId}`,
      `API key   ${apiKey}`,
      `read key  ${readKey}`,
      'The keys are not shown again.',
    ],
  };
}

async function botList(env: Env): Promise<Outcome> {
  const server = await findServer(env);
  const { bots } = (await call(env, server, 'botList')) as { bots: Bot[] };
  const lines = bots.map(
    ({ botId, name, quotaUsed, monthlyQuota, retentionDays }) =>
      `${botId}  ${name}  ${quotaUsed} of ${monthlyQuota ?? 'unlimited'} events this month, kept ${retentionDays} days`,
  );
  return {
    json: { bots },
    lines: lines.length === 0 ? ['No bots yet: `bot create NAME` makes one.'] : lines,
  };
}

async function botSet(env: Env, [bot]: readonly string[], options: Options): Promise<Outcome> {
  const body = {
    ...(options.name === undefined ? {} : { name: options.name }),
    ...(options.quota === undefined
      ? {}
      : { monthlyQuota: options.quota === 'none' ? null : wholeNumber('--quota', options.quota) }),
    ...(options['retention-days'] === undefined
      ? {}
      : { retentionDays: wholeNumber('--retention-days', options['retention-days']) }),
  };
  if (Object.keys(body).length === 0)
    throw new Failure('Nothing to set: give --name, --quota or --retention-days.', 2);
  const server = await findServer(env);
  const botId = await resolveBot(env, server, bot ?? '');
  const changed = (await call(env, server, 'botSet', { params: { bot: botId }, body })) as Bot;
  return {
    json: changed,
    lines: [
      `${changed.name}: quota ${changed.monthlyQuota ?? 'none'}, kept ${changed.retentionDays} days`,
    ],
  };
}

async function keyCreate(env: Env, [bot]: readonly string[], options: Options): Promise<Outcome> {
  const server = await findServer(env);
  const params = { bot: await resolveBot(env, server, bot ?? '') };
  const body = { scope: options.scope ?? 'ingest' };
  return newKey((await call(env, server, 'keyCreate', { params, body })) as KeyCreated);
}

async function keyRotate(env: Env, [bot]: readonly string[], options: Options): Promise<Outcome> {
  const server = await findServer(env);
  const params = { bot: await resolveBot(env, server, bot ?? '') };
  const body = {
    ...(options.scope === undefined ? {} : { scope: options.scope }),
    ...(options.overlap === undefined
      ? {}
      : { overlapS: wholeNumber('--overlap', options.overlap) }),
  };
  return newKey((await call(env, server, 'keyRotate', { params, body })) as KeyCreated);
}

function newKey({ keyId, scope, key, oldKeysExpireAt }: KeyCreated): Outcome {
  const lines = [`${scope} key  ${key}`, 'It is not shown again.'];
  if (oldKeysExpireAt !== null) lines.push(`The former ${scope} keys end at ${oldKeysExpireAt}.`);
  return { json: { keyId, scope, key, oldKeysExpireAt }, lines };
}

async function keyList(env: Env, [bot]: readonly string[]): Promise<Outcome> {
  const server = await findServer(env);
  const { keys } = (await call(env, server, 'keyList', {
    params: { bot: await resolveBot(env, server, bot ?? '') },
  })) as { keys: Key[] };
  return {
    json: { keys },
    lines: keys.map(({ keyId, scope, createdAt, expiresAt, revokedAt, lastUsedAt, lastSdk }) => {
      const end =
        revokedAt === null
          ? expiresAt === null
            ? ''
            : `, ends ${expiresAt}`
          : `, revoked ${revokedAt}`;
      return `${keyId}  ${scope}  made ${createdAt}${end}, last used ${lastUsedAt ?? 'never'}${lastSdk === null ? '' : ` by ${lastSdk}`}`;
    }),
  };
}

async function keyRevoke(env: Env, [keyId = '']: readonly string[]): Promise<Outcome> {
  // Who pastes the whole key must not find it in a message or a log.
  if (keyId.length > 8)
    throw new Failure('KEYID is the 8-character part of a key: `key list BOT` shows it.', 2);
  const server = await findServer(env);
  await call(env, server, 'keyRevoke', {
    params: { keyId },
    notFound: `There is no key ${keyId}: \`key list BOT\` shows the keys of a bot.`,
  });
  return { json: { keyId, revoked: true }, lines: [`${keyId} is revoked.`] };
}

async function login(env: Env): Promise<Outcome> {
  const server = await findServer(env);
  const link = (await call(env, server, 'loginTokenCreate')) as { url: string; expiresAt: string };
  return { json: link, lines: [link.url, `It works once, until ${link.expiresAt}.`] };
}

async function sendTest(env: Env, _: readonly string[], options: Options): Promise<Outcome> {
  const answer = await send(
    env,
    await target(env, options),
    wholeNumber('--events', options.events ?? '1'),
  );
  const { received, accepted, duplicates, rejectedCount } = answer;
  return {
    json: answer,
    lines: [
      `${received} sent: ${accepted} stored, ${duplicates} duplicates, ${rejectedCount} rejected`,
    ],
  };
}

async function runDoctor(env: Env, _: readonly string[], options: Options): Promise<Outcome> {
  const endpoint = await findEndpoint(env, options);
  const findings = await doctor(
    env,
    endpoint,
    options.key ?? env.variables['BOT_ANALYTICS_API_KEY'],
  );
  const ok = findings.every((finding) => finding.ok);
  return {
    json: { ok, endpoint, findings },
    lines: findings.map((finding) => `${mark(finding)}  ${finding.check}: ${finding.detail}`),
    exitCode: ok ? 0 : 1,
  };
}

function mark({ ok, skipped }: Finding): string {
  if (skipped === true) return '-   ';
  return ok ? 'ok  ' : 'FAIL';
}

async function target(env: Env, options: Options): Promise<Target> {
  const apiKey = options.key ?? env.variables['BOT_ANALYTICS_API_KEY'];
  if (apiKey === undefined)
    throw new Failure('No key: give --key, or set BOT_ANALYTICS_API_KEY.', 2);
  return { endpoint: await findEndpoint(env, options), apiKey };
}

async function findEndpoint(env: Env, options: Options): Promise<string> {
  const endpoint =
    options.endpoint ?? env.variables['BOT_ANALYTICS_ENDPOINT'] ?? (await findServerUrl(env));
  if (endpoint === null) {
    throw new Failure(
      'No server: give --endpoint, set BOT_ANALYTICS_ENDPOINT, or set DATA_DIR to the folder of a running server.',
    );
  }
  // `localhost:8080` parses as an address of scheme `localhost:`.
  if (!/^https?:\/\//i.test(endpoint) || !URL.canParse(endpoint))
    throw new Failure(`${endpoint} is no address: it looks like https://analytics.example.com`, 2);
  const { username, password } = new URL(endpoint);
  if (username !== '' || password !== '')
    throw new Failure('The endpoint holds a user or password: leave them out, and give --key.', 2);
  return endpoint;
}

/** A bot is named by its id, or by its name where only one bot has it. */
async function resolveBot(env: Env, server: Server, text: string): Promise<string> {
  const { bots } = (await call(env, server, 'botList')) as { bots: Bot[] };
  const found = bots.filter(({ botId, name }) => botId === text.toLowerCase() || name === text);
  const [bot] = found;
  if (bot === undefined) throw new Failure(`No bot is called ${text}: \`bot list\` shows them.`);
  if (found.length > 1)
    throw new Failure(
      `${found.length} bots are called ${text}: use the id that \`bot list\` shows.`,
    );
  return bot.botId;
}

function wholeNumber(option: string, text: string): number {
  if (!/^\d{1,15}$/.test(text))
    throw new Failure(`${option} takes a whole number, not ${text}.`, 2);
  return Number(text);
}
