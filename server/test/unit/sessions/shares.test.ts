import { beforeEach, expect, test } from 'vitest';
import { Shares } from '../../../src/sessions/shares.ts';
import { FakeStore, handEnv } from './fake-store.ts';

let store: FakeStore;
let env: ReturnType<typeof handEnv>;
const open = (shared = false) => new Shares({ store, env, shared });

beforeEach(() => {
  store = new FakeStore();
  env = handEnv();
});

test('a link opens its sections until it is revoked', async () => {
  const shares = open();
  const { share, token } = await shares.create('bot', ['api', 'status'], null);
  expect(await shares.find(token)).toMatchObject({ botId: 'bot', sections: ['status', 'api'] });
  await shares.revoke(share);
  expect(await shares.find(token)).toBeUndefined();
  expect(await open().find(token)).toBeUndefined();
  expect(await shares.get(share.shareId)).toMatchObject({ revokedAtMs: env.nowAt });
});

test('a link ends at its time', async () => {
  const shares = open();
  const { token } = await shares.create('bot', ['status'], env.nowAt + 1_000);
  env.nowAt += 999;
  expect(await shares.find(token)).toBeDefined();
  env.nowAt += 1;
  expect(await shares.find(token)).toBeUndefined();
});

test('links of one bot are revoked one by one', async () => {
  const shares = open();
  const first = await shares.create('bot', ['status'], null);
  env.nowAt += 1;
  const second = await shares.create('bot', ['status'], null);
  await shares.create('other', ['status'], null);
  await shares.revoke(first.share);
  expect(await shares.find(second.token)).toBeDefined();
  expect((await shares.of('bot')).map((share) => share.shareId)).toEqual([
    second.share.shareId,
    first.share.shareId,
  ]);
});

test('a revocation by another process holds within 1 s', async () => {
  const [here, there] = [open(true), open(true)];
  const { share, token } = await here.create('bot', ['status'], null);
  expect(await there.find(token)).toBeDefined();
  await here.revoke(share);
  env.nowAt += 1_000;
  expect(await there.find(token)).toBeUndefined();
});

test('the store holds no token', async () => {
  const { token } = await open().create('bot', ['status'], null);
  expect(JSON.stringify([...(store.rows.get('shares')?.values() ?? [])])).not.toContain(token);
});
