import { request } from 'node:http';
import { connect } from 'node:net';
import { PublicSummary, Session } from '@bot-analytics/protocol/read-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { heartbeat, TestServer, type Answer } from '../harness.ts';

const server = new TestServer();
const MINUTE = 60_000;
beforeAll(async () => {
  await server.start();
});
afterAll(() => server.stop());

const SAME = { 'sec-fetch-site': 'same-origin' };
const tokenOf = (url: string) => url.split('#token=')[1] ?? '';
const exchange = (token: string, headers: Record<string, string> = SAME): Promise<Answer> =>
  server.call('POST', '/v1/session', { key: '', headers, body: { token } });
const cookieOf = (answer: Answer) => answer.headers.get('set-cookie')?.split(';')[0] ?? '';
const login = async () => cookieOf(await exchange(tokenOf(await server.server.loginLink())));
const session = (cookie: string) =>
  server.call('GET', '/v1/session', { key: '', headers: { cookie } });

describe('logging in', () => {
  test('the link of the start opens the dashboard once', async () => {
    const url = await server.server.loginLink();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/login#token=[\w-]{43}$/);
    const answer = await exchange(tokenOf(url));
    expect(answer.status).toBe(201);
    expect(Session.parse(answer.body)).toEqual(answer.body);
    expect(answer.body.publicUrl).toBe(server.server.address);
    expect(answer.headers.get('set-cookie')).toMatch(
      /^bot_analytics=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    );
    expect((await session(cookieOf(answer))).status).toBe(200);
    const again = await exchange(tokenOf(url));
    expect([again.status, again.body.code]).toEqual([401, 'login_required']);
    expect(again.headers.get('set-cookie')).toBeNull();
  });

  test('the command line makes a link that ends after 15 minutes', async () => {
    const { status, body } = await server.call('POST', '/v1/login-tokens');
    expect(status).toBe(201);
    const left = Date.parse(body.expiresAt) - Date.now();
    expect(left).toBeGreaterThan(14 * MINUTE);
    server.env.offsetMs += 15 * MINUTE;
    expect((await exchange(tokenOf(body.url))).status).toBe(401);
    server.env.offsetMs -= 15 * MINUTE;
  });

  test('a link survives a restart, and so does a session', async () => {
    const url = await server.server.loginLink();
    const cookie = await login();
    await server.server.stop();
    await server.start();
    expect((await session(cookie)).status).toBe(200);
    expect((await exchange(tokenOf(url))).status).toBe(201);
  });

  test('over https the cookie is bound to the host', async () => {
    const other = await new TestServer().start({ publicUrl: 'https://stats.example.org' });
    try {
      const url = await other.server.loginLink();
      expect(url).toMatch(/^https:\/\/stats\.example\.org\/login#token=/);
      const answer = await other.call('POST', '/v1/session', {
        key: '',
        headers: { origin: 'https://stats.example.org' },
        body: { token: tokenOf(url) },
      });
      expect(answer.headers.get('set-cookie')).toMatch(
        /^__Host-bot_analytics=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure$/,
      );
      expect(answer.body.publicUrl).toBe('https://stats.example.org');
    } finally {
      await other.stop();
    }
  });

  test('guessing is slowed down after 20 wrong tokens a minute', async () => {
    const slow = await new TestServer().start();
    try {
      const statuses: number[] = [];
      for (let i = 0; i < 25; i++) {
        const body = { token: String(i).padStart(43, 'A') };
        const answer = await slow.call('POST', '/v1/session', { key: '', headers: SAME, body });
        statuses.push(answer.status);
      }
      expect(statuses.slice(0, 20)).toEqual(Array(20).fill(401));
      expect(statuses.slice(20)).toEqual(Array(5).fill(429));
      const good = { token: tokenOf(await slow.server.loginLink()) };
      const answer = await slow.call('POST', '/v1/session', { key: '', headers: SAME, body: good });
      expect(answer.status).toBe(201);
    } finally {
      await slow.stop();
    }
  });
});

describe('a session', () => {
  test('ends at logout, for every copy of the cookie', async () => {
    const cookie = await login();
    const end = await server.call('DELETE', '/v1/session', {
      key: '',
      headers: { cookie, ...SAME },
    });
    expect(end.status).toBe(204);
    expect(end.headers.get('set-cookie')).toContain('bot_analytics=; Path=/; Max-Age=0');
    expect((await session(cookie)).body.code).toBe('login_required');
  });

  test('ends after 12 hours without use', async () => {
    const cookie = await login();
    server.env.offsetMs += 12 * 60 * MINUTE;
    expect((await session(cookie)).status).toBe(401);
    server.env.offsetMs = 0;
  });

  test('changes nothing for a page of another site', async () => {
    const cookie = await login();
    const create = (headers: Record<string, string>, body: unknown = { name: 'x' }) =>
      server.call('POST', '/v1/bots', { key: '', headers: { cookie, ...headers }, body });
    const { host, origin } = new URL(server.server.address);
    expect((await create(SAME)).status).toBe(201);
    expect((await create({ origin })).status).toBe(201);
    const refused = [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { ...SAME, 'content-type': 'text/plain' },
      { origin: `http://${host}.evil.example` },
    ];
    for (const headers of refused) {
      const { status, body } = await create(headers);
      expect([status, body.code], JSON.stringify(headers)).toEqual([403, 'origin_refused']);
    }
    const form = await create({ ...SAME, 'content-type': 'application/x-www-form-urlencoded' });
    expect(form.status).toBe(415);
    const stolen = await exchange(tokenOf(await server.server.loginLink()), {
      'sec-fetch-site': 'cross-site',
    });
    expect(stolen.status).toBe(403);
  });
});

describe('public links', () => {
  test('are made, listed and ended one by one', async () => {
    const bot = await server.createBot();
    const path = `/v1/bots/${bot.botId}/shares`;
    const expiresAt = new Date(Date.now() + 60 * MINUTE).toISOString();
    const first = await server.call('POST', path, { body: { sections: ['status'], expiresAt } });
    expect(first.status).toBe(201);
    expect(first.body.url).toBe(`${server.server.address}/p/${first.body.token}`);
    const second = await server.call('POST', path, { body: { sections: ['api', 'status'] } });
    const { body } = await server.call('GET', path);
    expect(body.shares).toHaveLength(2);
    expect(JSON.stringify(body)).not.toContain(first.body.token);

    const open = (token: string) => server.call('GET', `/v1/public/${token}`, { key: '' });
    expect((await open(first.body.token)).body).toMatchObject({ sections: ['status'], expiresAt });
    const end = await server.call('DELETE', `/v1/shares/${first.body.shareId}`);
    expect(end.status).toBe(204);
    expect((await open(first.body.token)).status).toBe(404);
    expect((await open(second.body.token)).status).toBe(200);
  });

  test.each([
    { sections: [] },
    { sections: ['keys'] },
    {},
    { sections: ['status'], expiresAt: '2020-01-01T00:00:00.000Z' },
    { sections: ['status'], expiresAt: 'tomorrow' },
    { sections: ['status'], guilds: true },
  ])('%j is refused', async (body) => {
    const bot = await server.createBot();
    const answer = await server.call('POST', `/v1/bots/${bot.botId}/shares`, { body });
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_parameter']);
  });

  test('tell the status in one line and as a picture, whatever the name of the bot', async () => {
    const bot = await server.createBot({ name: '<script>alert(1)</script> & "co"' });
    await server.send(bot.apiKey, [heartbeat(0), heartbeat(1)]);
    const made = await server.call('POST', `/v1/bots/${bot.botId}/shares`, {
      body: { sections: ['status'] },
    });
    const open = (rest: string) =>
      server.call('GET', `/v1/public/${made.body.token}/${rest}`, { key: '' });
    const answer = await open('summary');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    const summary = answer.body;
    expect(PublicSummary.parse(summary)).toEqual(summary);
    expect(summary).toMatchObject({ state: 'online', message: '2 of 2 shards online' });
    const badge = await open('badge.svg');
    expect(badge.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    expect(badge.headers.get('content-security-policy')).toBe("default-src 'none'");
    expect(badge.body).not.toContain('<script');
    expect(badge.body).toContain('2 of 2 shards online');
  });

  test('are not in the log', async () => {
    const bot = await server.createBot();
    const made = await server.call('POST', `/v1/bots/${bot.botId}/shares`, {
      body: { sections: ['status'] },
    });
    await server.call('GET', `/v1/public/${made.body.token}`, { key: '' });
    const cookie = await login();
    await session(cookie);
    const log = server.lines.join('');
    expect(log).toContain('/v1/public/:token');
    expect(log).not.toContain(made.body.token);
    expect(log).not.toContain(cookie.split('=')[1] ?? '?');
  });
});

describe('the page', () => {
  const raw = (path: string): Promise<{ status: number; body: string }> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(server.server.address);
      // fetch would tidy the path up first.
      request({ hostname, port, path }, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
      })
        .on('error', reject)
        .end();
    });

  test.each([
    '/..%2f..%2fetc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/../../etc/passwd',
    '/b/../../../etc/passwd',
    '/p/..%2f..%2fpackage.json',
    '/assets/....//....//etc/passwd',
    '/assets/%252e%252e%252fpackage.json',
    '/assets/..\\..\\package.json',
    '//etc/passwd',
    '/%00',
    '/p/%00',
    '/p/%',
    '/index.html%00.js',
    '/.git/config',
    '/package.json',
    '/src/main.ts',
    '/storybook',
    '/debug',
    '/graphql',
    '/v1',
    '/v1/nothing',
    '/v1/../healthz',
  ])('%s is not there', async (path) => {
    const { status, body } = await raw(path);
    expect(status).toBe(404);
    expect(body).not.toMatch(/root:|"name":|<html/);
  });

  test('an address in absolute form is no way around', async () => {
    const { hostname, port } = new URL(server.server.address);
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), hostname);
      let text = '';
      socket.on('data', (bytes) => (text += bytes.toString())).on('close', () => resolve(text));
      socket.write(
        `GET http://${hostname}/../etc/passwd HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
    });
    expect(answer).toMatch(/^HTTP\/1\.1 404/);
  });
});
