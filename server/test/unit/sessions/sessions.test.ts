import { beforeEach, describe, expect, test } from 'vitest';
import { SESSION_ABSOLUTE_MS, SESSION_IDLE_MS } from '../../../src/sessions/records.ts';
import { Sessions } from '../../../src/sessions/sessions.ts';
import { FakeStore, handEnv, silentLog } from './fake-store.ts';

const MINUTE = 60_000;
let store: FakeStore;
let env: ReturnType<typeof handEnv>;
let sessions: Sessions;

const open = (shared = false) => new Sessions({ store, env, log: silentLog, shared });

async function login(): Promise<string> {
  const { token } = await sessions.createToken(15 * MINUTE);
  return (await sessions.exchange(token))?.secret ?? '';
}

beforeEach(() => {
  store = new FakeStore();
  env = handEnv();
  sessions = open();
});

describe('a login token', () => {
  test('opens one session, once', async () => {
    const { token, expiresAtMs } = await sessions.createToken(15 * MINUTE);
    expect(expiresAtMs).toBe(env.nowAt + 15 * MINUTE);
    const made = await sessions.exchange(token);
    expect(made?.session).toMatchObject({ kind: 'session', endedAtMs: null });
    expect(await sessions.exchange(token)).toBeUndefined();
  });

  test('used twice at the same moment opens one session', async () => {
    const { token } = await sessions.createToken(MINUTE);
    const both = await Promise.all([sessions.exchange(token), sessions.exchange(token)]);
    expect(both.filter((made) => made !== undefined)).toHaveLength(1);
  });

  test('ends with its time', async () => {
    const { token } = await sessions.createToken(MINUTE);
    env.nowAt += MINUTE;
    expect(await sessions.exchange(token)).toBeUndefined();
  });

  test('is not a session, and a session is not a token', async () => {
    const { token } = await sessions.createToken(MINUTE);
    expect(await sessions.find(token)).toBeUndefined();
    const secret = await login();
    expect(await sessions.exchange(secret)).toBeUndefined();
  });

  test.each(['', 'x', 'A'.repeat(43), 'A'.repeat(44), '../../etc/passwd'])(
    '%j opens nothing',
    async (text) => expect(await sessions.exchange(text)).toBeUndefined(),
  );
});

describe('a session', () => {
  test('lives 12 h without use and 30 days in all', async () => {
    const secret = await login();
    const startedAt = env.nowAt;
    while (env.nowAt + SESSION_IDLE_MS - MINUTE < startedAt + SESSION_ABSOLUTE_MS) {
      env.nowAt += SESSION_IDLE_MS - MINUTE;
      expect(await sessions.find(secret)).toBeDefined();
    }
    env.nowAt = startedAt + SESSION_ABSOLUTE_MS;
    expect(await sessions.find(secret)).toBeUndefined();
  });

  test('ends after 12 h without use', async () => {
    const secret = await login();
    env.nowAt += SESSION_IDLE_MS;
    expect(await sessions.find(secret)).toBeUndefined();
  });

  test('ends at logout, also for a process that starts later', async () => {
    const secret = await login();
    const found = await sessions.find(secret);
    if (found === undefined) throw new Error('no session');
    await sessions.end(found);
    expect(await sessions.find(secret)).toBeUndefined();
    expect(await open().find(secret)).toBeUndefined();
  });

  test('survives a restart; its use is written at most every 10 minutes', async () => {
    const secret = await login();
    const before = store.inserts;
    for (let i = 0; i < 20; i++) {
      env.nowAt += MINUTE;
      await sessions.find(secret);
    }
    expect(store.inserts - before).toBe(2);
    env.nowAt += SESSION_IDLE_MS - 11 * MINUTE;
    expect(await open().find(secret)).toBeDefined();
  });

  test('is in the store as a hash only', async () => {
    const secret = await login();
    expect(JSON.stringify([...(store.rows.get('logins')?.values() ?? [])])).not.toContain(secret);
  });

  test('of another process is seen, and its logout within 2.5 s', async () => {
    const [here, there] = [open(true), open(true)];
    const { token } = await here.createToken(MINUTE);
    const made = await there.exchange(token);
    if (made === undefined) throw new Error('no session');
    env.nowAt += 2_501;
    expect(await here.find(made.secret)).toBeDefined();
    await there.end(made.session);
    env.nowAt += 2_501;
    expect(await here.find(made.secret)).toBeUndefined();
  });

  test('is never called wrong while the store cannot be asked', async () => {
    const secret = await login();
    store.down = true;
    expect(await sessions.find(secret)).toBeDefined();
    await expect(open().find(secret)).rejects.toThrow('down');
  });
});
