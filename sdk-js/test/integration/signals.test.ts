import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DIST, runBot, type ChildOptions } from '../support/child.ts';
import { Sink } from '../support/sink.ts';

let sink: Sink;
beforeEach(async () => {
  sink = await Sink.start();
});
afterEach(async () => {
  await sink.stop();
});

const hang = (): void => undefined;

/** A bot that stays alive, with events queued that no timer sends before the signal comes. */
const LIVING = `
  const analytics = new Analytics({ apiKey: 'k', endpoint, flushIntervalMs: 3_600_000 });
  setInterval(() => undefined, 1_000);
  fill(analytics, 40);`;

function bot(script: string, options: ChildOptions = {}) {
  return runBot(script, { ...options, env: { ENDPOINT: sink.endpoint, ...options.env } });
}

describe('signals', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'B103, B104: %s flushes, then the process dies of it',
    async (signal) => {
      sink.delayMs = 50;
      const child = bot(`${LIVING} fill(analytics, 80); say('ready');`);
      await child.line('ready');
      child.kill(signal);
      const ended = await child.ended;
      expect(ended.signal).toBe(signal);
      expect(sink.stored).toHaveLength(120);
      expect(ended.tookMs).toBeLessThan(2_000);
      expect(ended.stderr).toBe('');
    },
  );

  test.each([
    ['on', `process.on('SIGTERM', bye);`],
    ['once', `process.once('SIGTERM', bye);`],
    ['prepended', `process.prependListener('SIGTERM', bye);`],
    ['prepended once', `process.prependOnceListener('SIGTERM', bye);`],
  ])('B105: with a listener of the bot (%s) it flushes and does not raise', async (_, listen) => {
    const child = bot(`const bye = () => say('bye'); ${LIVING} ${listen}
      const poll = setInterval(() => {
        if (analytics.stats().delivered === 40) { clearInterval(poll); say('delivered'); setTimeout(() => process.exit(7), 100); }
      }, 10);
      say('ready');`);
    await child.line('ready');
    child.kill('SIGTERM');
    await child.line('bye');
    await child.line('delivered');
    expect(await child.ended).toMatchObject({ code: 7, signal: null });
    expect(sink.stored).toHaveLength(40);
  });

  test('B105: a listener of the bot that was there first', async () => {
    const child = bot(`process.once('SIGTERM', () => say('bye')); ${LIVING}
      const poll = setInterval(() => { if (analytics.stats().delivered === 40) process.exit(7); }, 10);
      say('ready');`);
    await child.line('ready');
    child.kill('SIGTERM');
    expect(await child.ended).toMatchObject({ code: 7 });
  });

  test('B106: a server that hangs: the process dies of the signal after 3.0 to 3.3 s', async () => {
    sink.fallback = hang;
    const child = bot(`${LIVING} say('ready');`);
    await child.line('ready');
    child.kill('SIGTERM');
    const ended = await child.ended;
    expect(ended.signal).toBe('SIGTERM');
    expect(ended.tookMs).toBeGreaterThan(2_950);
    // 3.3 s on a machine of its own; two test workers share this one.
    expect(ended.tookMs).toBeLessThan(3_800);
  });

  test('B107: a second signal ends it at once', async () => {
    sink.fallback = hang;
    const child = bot(`${LIVING} say('ready');`);
    await child.line('ready');
    child.kill('SIGINT');
    await sink.until(() => sink.requests.length > 0);
    child.kill('SIGINT');
    const ended = await child.ended;
    expect(ended.signal).toBe('SIGINT');
    expect(ended.tookMs).toBeLessThan(1_000);
  });

  test('B108: two instances and two copies of the package: all flush, one death', async () => {
    sink.delayMs = 100;
    const folder = mkdtempSync(join(tmpdir(), 'chat-js-copy-'));
    copyFileSync(new URL(DIST), join(folder, 'copy.mjs'));
    const child = bot(
      `${LIVING}
      const second = new Analytics({ apiKey: 'k', endpoint, flushIntervalMs: 3_600_000 });
      fill(second, 3);
      const copy = await import(process.env.COPY);
      if (copy.Analytics === Analytics) throw new Error('not a copy');
      const third = new copy.Analytics({ apiKey: 'k', endpoint, flushIntervalMs: 3_600_000 });
      fill(third, 5);
      say('ready ' + process.listenerCount('SIGTERM'));`,
      { env: { COPY: join(folder, 'copy.mjs') } },
    );
    await child.line('ready 1');
    child.kill('SIGTERM');
    expect(await child.ended).toMatchObject({ signal: 'SIGTERM' });
    expect(sink.stored).toHaveLength(48);
    rmSync(folder, { recursive: true });
  });

  test('B108: required from CommonJS', async () => {
    const child = bot(`${LIVING} say('ready');`, { commonJs: true });
    await child.line('ready');
    child.kill('SIGTERM');
    expect(await child.ended).toMatchObject({ signal: 'SIGTERM', stderr: '' });
    expect(sink.stored).toHaveLength(40);
  });

  test('B109: 12 instances made and shut down leave no listener and no warning', async () => {
    const child = bot(`
      const names = ['SIGINT', 'SIGTERM', 'beforeExit', 'unhandledRejection', 'uncaughtExceptionMonitor', 'removeListener'];
      const counts = () => names.map((name) => process.listenerCount(name)).join();
      const before = counts();
      for (let n = 0; n < 12; n += 1) {
        const one = new Analytics({ apiKey: 'k', endpoint });
        fill(one, 1);
        await one.shutdown();
      }
      const all = Array.from({ length: 12 }, () => new Analytics({ apiKey: 'k', endpoint }));
      const during = counts();
      await Promise.all(all.map((one) => one.shutdown()));
      say([before === counts(), during === before].join());`);
    const ended = await child.ended;
    expect(ended.stdout).toBe('true,false\n');
    expect(ended).toMatchObject({ code: 0, stderr: '' });
  });

  test('handleSignals: false leaves signals alone', async () => {
    const child = bot(`${LIVING} await analytics.shutdown();
      new Analytics({ apiKey: 'k', endpoint, handleSignals: false, captureUnhandledRejections: false });
      say('ready ' + process.listenerCount('SIGTERM') + process.listenerCount('beforeExit'));`);
    await child.line('ready 00');
    child.kill('SIGTERM');
    expect(await child.ended).toMatchObject({ signal: 'SIGTERM' });
  });
});
