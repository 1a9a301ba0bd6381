import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runBot, type ChildOptions } from '../support/child.ts';
import { Sink } from '../support/sink.ts';

let sink: Sink;
beforeEach(async () => {
  sink = await Sink.start();
});
afterEach(async () => {
  await sink.stop();
});

/** With the start of Node, on a busy machine; every failure that is meant takes 3 s or 10 s. */
const AT_ONCE_MS = 2_500;

const MADE = `const analytics = new Analytics({ apiKey: 'k', endpoint, debug: true, logger: {
  warn: (text) => say('warn ' + text), debug: (text) => say(text) } });`;

function bot(script: string, options: ChildOptions = {}) {
  return runBot(script, { ...options, env: { ENDPOINT: sink.endpoint, ...options.env } });
}

describe('the end of the process', () => {
  test('B110: natural exit with 5 queued: stored, exit code 0, under 1 s', async () => {
    const ended = await bot(`${MADE} fill(analytics, 5);`).ended;
    expect(ended).toMatchObject({ code: 0, signal: null });
    expect(sink.stored).toHaveLength(5);
    expect(ended.tookMs).toBeLessThan(AT_ONCE_MS);
  });

  test('an SDK without events costs no time', async () => {
    const ended = await bot(MADE).ended;
    expect(ended.code).toBe(0);
    expect(sink.requests).toHaveLength(0);
    expect(ended.tookMs).toBeLessThan(AT_ONCE_MS);
  });

  test('B111: natural exit, server refuses: exit code 0 within the 3 s, one flush only', async () => {
    const child = runBot(
      `${MADE} fill(analytics, 5); process.on('beforeExit', () => say('asked'));`,
      {
        env: { ENDPOINT: 'http://127.0.0.1:1' },
      },
    );
    const ended = await child.ended;
    expect(ended.code).toBe(0);
    expect(ended.tookMs).toBeLessThan(4_300);
    // Once by itself, once after the flush; each flush would make one more.
    expect(ended.stdout.split('\n').filter((line) => line === 'asked')).toHaveLength(2);
  });

  test('natural exit, server hangs: exit code 0 after 3 s', async () => {
    sink.fallback = () => undefined;
    const ended = await bot(`${MADE} fill(analytics, 5);`).ended;
    expect(ended.code).toBe(0);
    expect(ended.tookMs).toBeGreaterThan(2_900);
    expect(ended.tookMs).toBeLessThan(4_300);
  });

  test('a request under way does not keep the process alive by itself', async () => {
    sink.fallback = () => undefined;
    const child =
      bot(`const analytics = new Analytics({ apiKey: 'k', endpoint, handleSignals: false });
      fill(analytics, 60); setTimeout(() => say('last'), 300);`);
    await child.line('last');
    expect(sink.requests).toHaveLength(1);
    const ended = await child.ended;
    expect(ended.code).toBe(0);
    expect(ended.tookMs).toBeLessThan(AT_ONCE_MS);
  });

  test('B112: natural exit in a quiet period with 5,000 queued: at once, with the count in a debug line', async () => {
    sink.fallback = { status: 429 };
    const ended = await bot(
      `${MADE} fill(analytics, 1); await analytics.flush(); fill(analytics, 4_999); say('full');`,
    ).ended;
    expect(ended.code).toBe(0);
    expect(sink.requests).toHaveLength(1);
    expect(ended.stdout).toContain('5000 events are left behind');
    expect(ended.tookMs).toBeLessThan(AT_ONCE_MS);
  });

  test('B113: process.exit() with a full queue ends at once', async () => {
    const ended = await bot(`${MADE} fill(analytics, 4_000); process.exit(0);`).ended;
    expect(ended.code).toBe(0);
    expect(ended.tookMs).toBeLessThan(AT_ONCE_MS);
  });

  test('B114: top-level await of shutdown() during a backoff: exit code 0, not 13', async () => {
    sink.fallback = { status: 503 };
    const ended =
      await bot(`const analytics = new Analytics({ apiKey: 'k', endpoint, shutdownTimeoutMs: 500 });
      fill(analytics, 60); setTimeout(() => undefined, 200); await new Promise((resolve) => setTimeout(resolve, 200));
      const result = await analytics.shutdown();
      say(JSON.stringify(result));`).ended;
    expect(ended.code).toBe(0);
    expect(JSON.parse(ended.stdout)).toMatchObject({ delivered: 0, dropped: 60, state: 'closed' });
  });

  test('C17: top-level await of flush() holds the process, and nothing does afterwards', async () => {
    sink.delayMs = 300;
    const ended = await bot(`const analytics = new Analytics({ apiKey: 'k', endpoint });
      fill(analytics, 1); say(JSON.stringify(await analytics.flush()));`).ended;
    expect(ended.code).toBe(0);
    expect(JSON.parse(ended.stdout)).toMatchObject({ delivered: 1 });
    expect(ended.tookMs).toBeLessThan(AT_ONCE_MS);
  });

  test('await using shuts it down', async () => {
    const ended = await bot(`const analytics = new Analytics({ apiKey: 'k', endpoint });
      fill(analytics, 2); await analytics[Symbol.asyncDispose](); say(analytics.stats().state);`)
      .ended;
    expect(ended.stdout).toBe('closed\n');
    expect(sink.stored).toHaveLength(2);
  });

  test('B79: with fake timers that stand still, shutdown() still ends', async () => {
    sink.fallback = () => undefined;
    const ended = await bot(`const real = globalThis.setTimeout;
      globalThis.setTimeout = () => ({ unref() {} });
      globalThis.setInterval = () => ({ unref() {} });
      globalThis.performance.now = () => 0; Date.now = () => 0;
      const alive = real(() => undefined, 10_000);
      const analytics = new Analytics({ apiKey: 'k', endpoint });
      fill(analytics, 1);
      say(JSON.stringify(await analytics.shutdown({ timeoutMs: 300 }))); clearTimeout(alive);`)
      .ended;
    expect(JSON.parse(ended.stdout)).toMatchObject({ dropped: 1, state: 'closed' });
    expect(ended.tookMs).toBeLessThan(2_500);
  });
});

describe('what the bot does not catch', () => {
  const REJECT = `setInterval(() => undefined, 1_000);
    const fail = () => { void Promise.reject(Object.assign(new Error('nobody cares'), { code: 'E_TEST' })); };`;

  test('B120: an unhandled rejection: reported, then the trace and exit code of Node itself', async () => {
    const without = await bot(`${REJECT} fail();`).ended;
    const ended = await bot(`${MADE} ${REJECT} fail();`).ended;
    expect(ended.code).toBe(1);
    expect(without.code).toBe(1);
    expect(without.stderr).toContain('Error: nobody cares');
    expect(ended.stderr).toContain('Error: nobody cares');
    expect(ended.stderr).toContain('E_TEST');
    expect(sink.stored).toHaveLength(1);
    expect(sink.stored[0]?.data).toMatchObject({
      origin: 'unhandledRejection',
      handled: false,
      code: 'E_TEST',
    });
  });

  test('B120: a rejection with something that is no error', async () => {
    const without = await bot(`void Promise.reject('text');`).ended;
    const ended = await bot(`${MADE} void Promise.reject('text');`).ended;
    expect(ended.code).toBe(without.code);
    expect(ended.stderr).toContain('reason "text"');
    expect(without.stderr).toContain('reason "text"');
    expect(sink.stored).toHaveLength(1);
  });

  test('B120: with a server that hangs it dies within the 3 s', async () => {
    sink.fallback = () => undefined;
    const ended = await bot(`${MADE} ${REJECT} fail();`).ended;
    expect(ended.code).toBe(1);
    expect(ended.tookMs).toBeLessThan(4_500);
  });

  test('B121: with a listener of the bot it is only observed', async () => {
    const ended = await bot(`${MADE} process.on('unhandledRejection', () => say('mine'));
      const poll = setInterval(() => undefined, 1_000);
      void Promise.reject(new Error('x'));
      setTimeout(async () => { await analytics.flush(); clearInterval(poll); }, 50);`).ended;
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain('mine');
    expect(sink.stored[0]?.data).toMatchObject({ origin: 'unhandledRejection', handled: true });
  });

  test('a bot with an uncaughtException listener lives on, and later rejections are seen too', async () => {
    const ended =
      await bot(`${MADE} process.on('uncaughtException', (error, origin) => say('mine ' + origin + ' ' + error.message));
      const poll = setInterval(() => undefined, 1_000);
      void Promise.reject(new Error('one'));
      setTimeout(() => { void Promise.reject(new Error('two')); }, 300);
      setTimeout(async () => { await analytics.flush(); clearInterval(poll); }, 700);`).ended;
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain('mine unhandledRejection one');
    expect(ended.stdout).toContain('mine unhandledRejection two');
    expect(sink.stored.map(({ data }) => Reflect.get(data, 'message'))).toEqual(['one', 'two']);
  });

  test.each([
    ['before', `process.once('unhandledRejection', () => say('mine')); ${MADE}`],
    ['after', `${MADE} process.once('unhandledRejection', () => say('mine'));`],
  ])('a once listener of the bot, added %s the SDK, counts as one', async (_, made) => {
    const ended = await bot(`${made} const poll = setInterval(() => undefined, 1_000);
      void Promise.reject(new Error('x'));
      setTimeout(async () => { await analytics.flush(); clearInterval(poll); }, 100);`).ended;
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toContain('mine');
    expect(sink.stored.map(({ data }) => Reflect.get(data, 'handled'))).toEqual([true]);
  });

  test('rejections at the same time are one event each, and the bot hears of each once', async () => {
    const ended =
      await bot(`${MADE} process.on('uncaughtException', (error) => say('mine ' + error));
      const poll = setInterval(() => undefined, 1_000);
      void Promise.reject(1); void Promise.reject(2);
      setTimeout(() => { say(process.listenerCount('unhandledRejection')); void Promise.reject(3); }, 400);
      setTimeout(async () => { await analytics.flush(); clearInterval(poll); }, 800);`).ended;
    expect(ended.code).toBe(0);
    expect(ended.stdout.match(/mine/g)).toHaveLength(3);
    expect(ended.stdout.split('\n')).toContain('1');
    expect(sink.stored.map(({ data }) => Reflect.get(data, 'message'))).toEqual(['1', '2', '3']);
  });

  test('an uncaught exception ends the process as without the SDK', async () => {
    const ended = await bot(`${MADE} setTimeout(() => { throw new Error('thrown'); }, 10);`).ended;
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('Error: thrown');
  });

  test('other modes of Node are left alone', async () => {
    const ended = await bot(
      `${MADE} void Promise.reject(new Error('x')); setTimeout(() => say('alive'), 100);`,
      {
        args: ['--unhandled-rejections=warn'],
      },
    ).ended;
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain('alive');
  });
});

describe('workers', () => {
  test('B118: in a worker thread there is no hook of the process, and delivery works', async () => {
    const ended = await bot(
      `
      const { Worker, isMainThread } = await import('node:worker_threads');
      const code = \`
        (async () => {
          const { Analytics } = await import(process.env.DIST);
          const { parentPort } = await import('node:worker_threads');
          const names = ['SIGINT', 'SIGTERM', 'beforeExit', 'unhandledRejection'];
          const before = names.map((name) => process.listenerCount(name)).join();
          const analytics = new Analytics({ apiKey: 'k', endpoint: process.env.ENDPOINT });
          const after = names.map((name) => process.listenerCount(name)).join();
          analytics.captureError('from the worker');
          const { delivered } = await analytics.flush();
          parentPort.postMessage(before === after ? delivered : -1);
        })();\`;
      const worker = new Worker(code, { eval: true, env: process.env });
      worker.on('message', (count) => say('delivered ' + count));`,
      { env: { DIST: new URL('../../dist/index.js', import.meta.url).href } },
    ).ended;
    expect(ended).toMatchObject({ code: 0, stdout: 'delivered 1\n', stderr: '' });
  });

  test('B119: a child whose parent is gone (IPC closed) is not kept alive', async () => {
    const ended = await bot(
      `
      const { fork } = await import('node:child_process');
      const { writeFileSync, mkdtempSync } = await import('node:fs');
      const file = mkdtempSync('/tmp/chat-js-fork-') + '/child.mjs';
      writeFileSync(file, "const { Analytics } = await import(process.env.DIST);" +
        "const analytics = new Analytics({ apiKey: 'k', endpoint: process.env.ENDPOINT });" +
        "analytics.captureError('x'); process.send('up'); process.on('message', () => undefined);");
      const child = fork(file, { stdio: 'inherit', execArgv: [] });
      child.on('message', () => child.disconnect());
      child.on('exit', (code) => say('child ' + code));`,
      { env: { DIST: new URL('../../dist/index.js', import.meta.url).href } },
    ).ended;
    expect(ended).toMatchObject({ code: 0, stdout: 'child 0\n' });
    expect(sink.stored).toHaveLength(1);
  });
});
