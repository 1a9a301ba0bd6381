import { describe, expect, test } from 'vitest';
import type { Env } from '../src/env.ts';
import { main } from '../src/index.ts';
import { uuid7 } from '../src/send.ts';

const BOT = '0197f3a0-0000-7000-8000-000000000001';
const NOW = Date.parse('2026-11-21T10:00:00.000Z');

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | null;
  readonly body: unknown;
}

/** An outside with a scripted server; answers are looked up by method and path. */
function scripted(
  answers: Readonly<Record<string, Response | Error>>,
  {
    variables = {},
    files = {},
  }: { variables?: Record<string, string>; files?: Record<string, string> } = {},
) {
  const out: string[] = [];
  const err: string[] = [];
  const sent: Sent[] = [];
  const texts: Record<string, string> = {
    'data/server.json': '{"url":"http://127.0.0.1:8080","pid":1}',
    'data/admin-token': 'baa_token\n',
    ...files,
  };
  const env: Env = {
    variables,
    now: () => NOW,
    randomBytes: (count) => new Uint8Array(count).fill(7),
    readText: async (path) => texts[path] ?? null,
    out: (line) => out.push(line),
    err: (line) => err.push(line),
    fetch: async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input);
      const method = init?.method ?? 'GET';
      expect(init?.redirect).toBe('manual');
      sent.push({
        method,
        url: url.href,
        authorization: new Headers(init?.headers).get('authorization'),
        body: typeof init?.body === 'string' ? JSON.parse(init.body) : undefined,
      });
      const answer = answers[`${method} ${url.pathname}`];
      if (answer === undefined) throw new Error(`no answer for ${method} ${url.pathname}`);
      if (answer instanceof Error) throw new TypeError('fetch failed', { cause: answer });
      return answer;
    },
  };
  return { env, out, err, sent };
}

function json(status: number, body: unknown): Response {
  return new Response(status === 204 ? null : JSON.stringify(body), { status });
}

const BOTS = {
  bots: [{ botId: BOT, name: 'Music', quotaUsed: 3, monthlyQuota: null, retentionDays: 90 }],
};

describe('bots and keys', () => {
  test('bot create prints exactly the three keys of the contract', async () => {
    const { env, out, sent } = scripted({
      'POST /v1/bots': json(201, { botId: BOT, name: 'Music', apiKey: 'bak_a', readKey: 'bar_b' }),
    });
    expect(await main(env, ['bot', 'create', 'Music', '--json'])).toBe(0);
    expect(JSON.parse(out.join(''))).toEqual({ botId: BOT, apiKey: 'bak_a', readKey: 'bar_b' });
    expect(sent).toEqual([
      {
        method: 'POST',
        url: 'http://127.0.0.1:8080/v1/bots',
        authorization: 'Bearer baa_token',
        body: { name: 'Music' },
      },
    ]);
  });

  test('a bot is found by name, and its quota set or lifted', async () => {
    const changed = { ...BOTS.bots[0], monthlyQuota: 500 };
    const { env, sent } = scripted({
      'GET /v1/bots': json(200, BOTS),
      [`PATCH /v1/bots/${BOT}`]: json(200, changed),
    });
    expect(await main(env, ['bot', 'set', 'Music', '--quota', '500'])).toBe(0);
    expect(sent.at(-1)?.body).toEqual({ monthlyQuota: 500 });
    const lifted = scripted({
      'GET /v1/bots': json(200, BOTS),
      [`PATCH /v1/bots/${BOT}`]: json(200, changed),
    });
    expect(await main(lifted.env, ['bot', 'set', BOT, '--quota', 'none'])).toBe(0);
    expect(lifted.sent.at(-1)?.body).toEqual({ monthlyQuota: null });
  });

  test('key rotate passes the overlap and prints the new key', async () => {
    const answer = {
      keyId: 'abcd1234',
      scope: 'ingest',
      key: 'bak_new',
      oldKeysExpireAt: '2026-11-21T11:00:00.000Z',
    };
    const { env, out, sent } = scripted({
      'GET /v1/bots': json(200, BOTS),
      [`POST /v1/bots/${BOT}/keys/rotate`]: json(201, answer),
    });
    expect(await main(env, ['key', 'rotate', 'Music', '--overlap', '3600', '--json'])).toBe(0);
    expect(sent.at(-1)?.body).toEqual({ overlapS: 3600 });
    expect(JSON.parse(out.join(''))).toEqual(answer);
  });

  test('key revoke takes the public part', async () => {
    const { env, sent } = scripted({ 'DELETE /v1/keys/abcd1234': json(204, null) });
    expect(await main(env, ['key', 'revoke', 'abcd1234'])).toBe(0);
    expect(sent.at(-1)?.url).toBe('http://127.0.0.1:8080/v1/keys/abcd1234');
  });
});

describe('what goes wrong is one sentence', () => {
  test.each([
    [
      ['bot'],
      2,
      /^bot needs one of these commands:\n {2}bot create NAME\n[^]*bot list\n[^]*bot set/,
    ],
    [['key'], 2, /^key needs one of these commands:\n {2}key create[^]*list[^]*rotate[^]*revoke/],
    [['key', 'frob', 'x'], 2, /^There is no command key frob; there are:\n {2}key create/],
    [['frob'], 2, /^There is no command frob\. `--help` shows [^\n]*$/],
    [['key', 'revoke', 'bak_abcd1234_secret'], 2, /^KEYID is the 8-character part of a key: /],
    [['key', 'revoke', 'nothere1'], 1, /^There is no key nothere1: `key list BOT` [^\n]*$/],
    [['bot', 'create'], 2, /^Usage: bot create NAME$/],
    [['bot', 'create', 'a', 'b'], 2, /^Usage/],
    [['bot', 'list', '--colour'], 2, /^There is no option --colour\. `--help` shows [^\n]*$/],
    [['bot', 'list', '--colour=red'], 2, /^There is no option --colour\. /],
    [['bot', 'list', '-z'], 2, /^There is no option -z\. /],
    [['send', '--key'], 2, /^--key needs a value [^\n]* `--help` shows [^\n]*$/],
    [['send', '--key', '--events', '1'], 2, /^--key needs a value [^\n]*$/],
    [['bot', 'list', '--json=1'], 2, /--json takes no value\. `--help` shows /],
    [['bot', 'set', 'Music'], 2, /Nothing to set/],
    [['bot', 'set', 'Music', '--quota', '-1'], 2, /--quota|quota/],
    [['bot', 'set', 'Nobody', '--quota', '1'], 1, /No bot is called Nobody/],
    [['send'], 2, /No key/],
    [['send', '--key', 'k', '--events', '501'], 2, /1 to 500/],
    [['send', '--key', 'k', '--endpoint', 'nowhere'], 2, /is no address/],
    [['send', '--key', 'k', '--endpoint', 'ftp://x'], 2, /^ftp:\/\/x is no address/],
    [['doctor', '--endpoint', 'http://me:secret@x'], 2, /^The endpoint holds a user or password: /],
    [['doctor', '--endpoint', 'localhost:8080'], 2, /^localhost:8080 is no address/],
  ])('%j', async (argv, exitCode, message) => {
    const { env, out, err } = scripted({
      'GET /v1/bots': json(200, BOTS),
      'DELETE /v1/keys/nothere1': json(404, {
        title: 'Nothing is here',
        detail: 'Check the address.',
        code: 'not_found',
      }),
    });
    expect(await main(env, argv)).toBe(exitCode);
    expect(out).toEqual([]);
    expect(err.join('\n')).toMatch(message);
  });

  test('no server on the folder', async () => {
    const { env, err } = scripted({}, { variables: { DATA_DIR: '/nowhere' } });
    expect(await main(env, ['bot', 'list'])).toBe(1);
    expect(err).toEqual([expect.stringContaining('No server runs on /nowhere')]);
  });

  test('a server that is gone', async () => {
    const { env, err } = scripted({
      'GET /v1/bots': new Error('connect ECONNREFUSED 127.0.0.1:8080'),
    });
    expect(await main(env, ['bot', 'list', '--json'])).toBe(1);
    expect(JSON.parse(err.join(''))).toEqual({ error: expect.stringContaining('ECONNREFUSED') });
  });

  test.each([
    [Object.assign(new Error(''), { code: 'ECONNREFUSED' }), /127.0.0.1:1 .*nothing listens there/],
    [new Error('bad port'), /^Port 1 in http:\/\/127.0.0.1:1 is reserved/],
  ])('an endpoint that cannot be reached: %s', async (error, message) => {
    const { env, err } = scripted({ 'POST /v1/events': error });
    expect(await main(env, ['send', '--key', 'k', '--endpoint', 'http://127.0.0.1:1'])).toBe(1);
    expect(err).toEqual([expect.stringMatching(message)]);
  });

  test('an endpoint that is another web server', async () => {
    const { env, err } = scripted({ 'POST /v1/events': new Response('<h1>Hello</h1>') });
    expect(await main(env, ['send', '--key', 'k'])).toBe(1);
    expect(err).toEqual([expect.stringContaining('not as Bot Analytics')]);
  });

  test('a refused parameter is named', async () => {
    const errors = [{ pointer: '/name', detail: 'Too big' }];
    const problem = {
      title: 'A parameter is not valid',
      detail: 'See.',
      code: 'invalid_parameter',
      errors,
    };
    const { env, err } = scripted({ 'POST /v1/bots': json(400, problem) });
    expect(await main(env, ['bot', 'create', 'x'])).toBe(1);
    expect(err).toEqual(['A parameter is not valid: name: Too big (400 invalid_parameter)']);
  });

  test('a refusal shows the problem document', async () => {
    const problem = {
      title: 'The API key is not valid',
      detail: 'Unknown.',
      code: 'key_unknown',
      status: 401,
    };
    const { env, err } = scripted({ 'GET /v1/bots': json(401, problem) });
    expect(await main(env, ['bot', 'list'])).toBe(1);
    expect(err).toEqual(['The API key is not valid: Unknown. (401 key_unknown)']);
  });
});

describe('send', () => {
  test('posts a valid batch to the ingestion path', async () => {
    const answer = {
      batchId: null,
      received: 2,
      accepted: 2,
      duplicates: 0,
      rejected: [],
      rejectedCount: 0,
      warnings: [],
      serverTime: '',
    };
    const { env, out, sent } = scripted({ 'POST /v1/events': json(200, answer) });
    expect(await main(env, ['send', '--key', 'bak_x', '--events', '2'])).toBe(0);
    expect(out).toEqual(['2 sent: 2 stored, 0 duplicates, 0 rejected']);
    expect(sent[0]).toMatchObject({
      authorization: 'Bearer bak_x',
      body: {
        sentAt: '2026-11-21T10:00:00.000Z',
        events: [{ type: 'interaction_slash' }, { type: 'interaction_slash' }],
      },
    });
  });

  test('uuid7 carries its time, version and variant', () => {
    const hex = NOW.toString(16).padStart(12, '0');
    const time = `${hex.slice(0, 8)}-${hex.slice(8)}`;
    expect(uuid7(NOW, new Uint8Array(16).fill(255))).toBe(`${time}-7fff-bfff-ffffffffffff`);
    expect(uuid7(NOW, new Uint8Array(16))).toBe(`${time}-7000-8000-000000000000`);
  });
});

describe('doctor', () => {
  const healthy = (serverTime: string) => ({
    'GET /healthz': new Response('ok'),
    'POST /v1/events': json(200, { serverTime }),
  });

  test('all is well', async () => {
    const { env, out, sent } = scripted(healthy('2026-11-21T10:00:01.000Z'));
    expect(await main(env, ['doctor', '--key', 'k', '--json'])).toBe(0);
    const { ok, findings } = JSON.parse(out.join('')) as {
      ok: boolean;
      findings: { check: string }[];
    };
    expect(ok).toBe(true);
    expect(findings.map(({ check }) => check)).toEqual(['server', 'redirect', 'key', 'clock']);
    expect(sent[1]?.body).toMatchObject({ events: [] });
  });

  test('without a key the rest is checked, and the key is skipped', async () => {
    const { env, out, sent } = scripted({ 'GET /healthz': new Response('ok') });
    expect(await main(env, ['doctor'])).toBe(0);
    expect(out.join()).toMatch(/ok {4}server: .*\n- {5}key: skipped: give --key/);
    expect(sent).toHaveLength(1);
  });

  test('a clock that is 3 minutes behind', async () => {
    const { env, out } = scripted(healthy('2026-11-21T10:03:00.000Z'));
    expect(await main(env, ['doctor', '--key', 'k'])).toBe(1);
    expect(out.join()).toContain('FAIL  clock: This clock is 180.0 s behind');
  });

  test('a redirect is named, and the key is not sent after it', async () => {
    const { env, out, sent } = scripted({
      'GET /healthz': new Response(null, {
        status: 301,
        headers: { location: 'https://other.example/' },
      }),
    });
    expect(await main(env, ['doctor', '--key', 'k'])).toBe(1);
    expect(out.join()).toContain('FAIL  redirect: The address redirects to https://other.example/');
    expect(sent).toHaveLength(1);
  });

  test('a wrong key', async () => {
    const { env, out } = scripted({
      'GET /healthz': new Response('ok'),
      'POST /v1/events': json(401, {
        title: 'The API key is not valid',
        detail: 'Unknown.',
        code: 'key_unknown',
      }),
    });
    expect(await main(env, ['doctor', '--key', 'k'])).toBe(1);
    expect(out.join()).toContain('FAIL  key: The API key is not valid');
  });
});
