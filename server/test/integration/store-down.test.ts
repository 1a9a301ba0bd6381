import { afterAll, beforeAll, expect, test } from 'vitest';
import { event, heartbeat, TestServer, until, type BotKeys } from '../harness.ts';

const server = new TestServer();
let bot: BotKeys;
let cookie = '';
let share = '';

beforeAll(async () => {
  await server.start();
  bot = await server.createBot();
  await server.send(bot.apiKey, [event(), heartbeat(0)]);
  const body = { token: (await server.server.loginLink()).split('#token=')[1] };
  const headers = { 'sec-fetch-site': 'same-origin' };
  const login = await server.call('POST', '/v1/session', { key: '', headers, body });
  cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
  const made = await server.call('POST', `/v1/bots/${bot.botId}/shares`, {
    body: { sections: ['status', 'history'] },
  });
  share = made.body.token;
});

afterAll(() => server.stop());

test('while the engine is down reads say 503, and what is in memory still works', async () => {
  const pid = server.engine.pid();
  if (pid === undefined) throw new Error('the engine has no process');
  // A stopped process answers nothing until its supervisor replaces it.
  process.kill(pid, 'SIGSTOP');
  const paths = [
    'events',
    'events?format=ndjson',
    'events?format=csv',
    'health',
    'api-usage',
    'shards/0/history',
  ].map((rest) => `/v1/bots/${bot.botId}/${rest}`);
  const answers = await Promise.all([
    ...paths.map((path) => server.call('GET', path, { key: bot.readKey })),
    server.call('GET', `/v1/public/${share}/shards/0/history`, { key: '' }),
  ]);
  for (const answer of answers) {
    expect([answer.status, answer.body.code]).toEqual([503, 'store_unavailable']);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(JSON.stringify(answer.body)).not.toMatch(/socket|SELECT|heartbeats/);
  }
  const status = await server.call('GET', `/v1/bots/${bot.botId}/status`, { key: bot.readKey });
  expect(status.body).toMatchObject({ total: 1 });
  // Nobody is called a stranger because the store cannot be asked.
  const session = await server.call('GET', '/v1/session', { key: '', headers: { cookie } });
  expect(session.status).toBe(200);
  const link = await server.call('GET', `/v1/public/${share}/status`, { key: '' });
  expect(link.status).toBe(200);
  await until('the store is back', async () => {
    const path = `/v1/bots/${bot.botId}/events`;
    return (await server.call('GET', path, { key: bot.readKey })).status === 200;
  });
}, 60_000);
