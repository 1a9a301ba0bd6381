import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningServer } from '../../src/index.ts';
import { batch, heartbeat, until } from '../harness.ts';
import { openStage, type Stage } from './read-fixture.ts';

/** Two servers side by side over one store, as on a cluster. */
let stage: Stage;
let here: RunningServer;
let there: RunningServer;

beforeAll(async () => {
  stage = await openStage();
  here = await stage.serve({ variables: { DATA_DIR: `${stage.folder}/here`, MAX_STREAMS: '1' } });
  there = await stage.serve({ variables: { DATA_DIR: `${stage.folder}/there` } });
});

afterAll(() => stage.close());

async function call(
  server: RunningServer,
  method: string,
  path: string,
  options: { readonly body?: unknown; readonly headers?: Record<string, string> } = {},
) {
  const { body, headers = { authorization: `Bearer ${server.adminToken}` } } = options;
  const response = await fetch(server.address + path, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
  return { status: response.status, body: text === '' ? null : JSON.parse(text), cookie };
}

test('a heartbeat that one server took is shown by the other', async () => {
  const { body: bot } = await call(here, 'POST', '/v1/bots', { body: { name: 'shared' } });
  const headers = { authorization: `Bearer ${bot.apiKey}` };
  const sent = await call(here, 'POST', '/v1/events', { headers, body: batch([heartbeat(0)]) });
  expect(sent.status).toBe(200);
  const own = await call(here, 'GET', `/v1/bots/${bot.botId}/status`);
  expect(own.body).toMatchObject({ online: 1, total: 1 });
  await until('the other server shows it', async () => {
    const { status, body } = await call(there, 'GET', `/v1/bots/${bot.botId}/status`);
    return status === 200 && body.total === 1;
  });
  const other = await call(there, 'GET', `/v1/bots/${bot.botId}/status`);
  expect(other.body.clusters).toEqual(own.body.clusters);
});

test('a public link that one server ends is closed at the other within a second', async () => {
  const { body: bot } = await call(here, 'POST', '/v1/bots', { body: { name: 'shared' } });
  const path = `/v1/bots/${bot.botId}/shares`;
  // Wrong tokens are counted, so the other server has to know the bot before it is asked.
  await until('the other server knows the bot', async () => {
    return (await call(there, 'GET', `/v1/bots/${bot.botId}`)).status === 200;
  });
  const { body: share } = await call(here, 'POST', path, { body: { sections: ['status'] } });
  const open = () => call(there, 'GET', `/v1/public/${share.token}`, { headers: {} });
  await until('the link works at the other', async () => (await open()).status === 200);
  await call(here, 'DELETE', `/v1/shares/${share.shareId}`);
  await until('the link is closed', async () => (await open()).status === 404, 1_500);
});

test('a login at one server counts at the other, and so does a logout', async () => {
  const same = { 'sec-fetch-site': 'same-origin' };
  const body = { token: (await here.loginLink()).split('#token=')[1] };
  let cookie = '';
  await until('the other server knows the link', async () => {
    const answer = await call(there, 'POST', '/v1/session', { headers: same, body });
    ({ cookie } = answer);
    return answer.status === 201;
  });
  const headers = { cookie, ...same };
  const isIn = async () => (await call(here, 'GET', '/v1/session', { headers })).status === 200;
  await until('the session is known', isIn);
  expect((await call(there, 'DELETE', '/v1/session', { headers })).status).toBe(204);
  await until('the session is over', async () => !(await isIn()), 4_000);
});

test('a stream too many is refused, and the page can poll', async () => {
  const { body: bot } = await call(here, 'POST', '/v1/bots', { body: { name: 'shared' } });
  const path = `/v1/bots/${bot.botId}/status/stream`;
  const abort = new AbortController();
  const headers = { authorization: `Bearer ${here.adminToken}` };
  const first = await fetch(here.address + path, { headers, signal: abort.signal });
  expect(first.status).toBe(200);
  const second = await call(here, 'GET', path);
  expect([second.status, second.body.code]).toEqual([503, 'too_many_streams']);
  expect((await call(here, 'GET', `/v1/bots/${bot.botId}/status`)).status).toBe(200);
  abort.abort();
});
