import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ingestUrl, readConfig, SDK_VERSION } from '../../src/core/config.ts';
import { HandEnv } from '../support/hand-env.ts';
import { ScriptSend } from '../support/script-send.ts';
import { makeSdk } from '../support/sdk.ts';

const good = { apiKey: 'bak_1', endpoint: 'https://a.example' };

function read(options: object, variables: Record<string, string> = {}) {
  const config = readConfig(options, variables);
  return { config, warnings: config.faults };
}

test('the version is that of the package', () => {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  expect(SDK_VERSION).toBe((JSON.parse(text) as { version: string }).version);
});

describe('address (B50)', () => {
  test.each([
    ['https://a.example', 'https://a.example/v1/events'],
    ['https://a.example/', 'https://a.example/v1/events'],
    ['https://a.example///', 'https://a.example/v1/events'],
    ['https://a.example/stats/', 'https://a.example/stats/v1/events'],
    ['https://a.example/v1/events', 'https://a.example/v1/events'],
    ['http://[::1]:8080', 'http://[::1]:8080/v1/events'],
    ['http://127.0.0.1:8080?x=1#y', 'http://127.0.0.1:8080/v1/events'],
    ['ftp://a.example', undefined],
    ['a.example', undefined],
    ['https://user:pass@a.example', undefined],
    ['', undefined],
  ])('%s', (endpoint, url) => {
    expect(ingestUrl(endpoint)).toBe(url);
  });

  test('blanks around key and address are taken off', () => {
    const { config, warnings } = read({ apiKey: ' bak_1\n', endpoint: ' https://a.example ' });
    expect(config.headers['Authorization']).toBe('Bearer bak_1');
    expect(config.url).toBe('https://a.example/v1/events');
    expect(warnings).toEqual([]);
  });
});

describe('key and address', () => {
  test('come from the environment when not given', () => {
    const { config } = read(
      {},
      { BOT_ANALYTICS_API_KEY: 'bak_2', BOT_ANALYTICS_ENDPOINT: 'http://b.example' },
    );
    expect(config).toMatchObject({
      headers: { Authorization: 'Bearer bak_2' },
      url: 'http://b.example/v1/events',
    });
  });

  test.each<[string, object]>([
    ['no key', { endpoint: 'https://a.example' }],
    ['empty key', { ...good, apiKey: '' }],
    ['key with a line break', { ...good, apiKey: 'bak\r\nX-Evil: 1' }],
    ['key beyond ASCII', { ...good, apiKey: 'bäk' }],
    ['key of 10,000 characters', { ...good, apiKey: 'x'.repeat(10_000) }],
    ['key that is a number', { ...good, apiKey: 5 }],
    ['no address', { apiKey: 'bak_1' }],
    ['address that is none', { ...good, endpoint: 'nonsense' }],
  ])('%s: one warning, without the value, and everything is a no-op', async (_, options) => {
    const env = new HandEnv();
    const { sdk, members } = makeSdk(options, { env });
    expect(env.warnings).toHaveLength(1);
    expect(env.warnings[0]).not.toMatch(/bak|bäk|xxx|nonsense/);
    sdk.attach({});
    sdk.captureError(new Error('x'), undefined);
    expect(await sdk.flush()).toMatchObject({ state: 'disabled' });
    expect(await sdk.shutdown()).toMatchObject({ state: 'disabled' });
    expect(sdk.stats().dropped.disabled).toBe(1);
    expect(env.warnings).toHaveLength(1);
    expect(env.timerCount).toBe(0);
    expect(members.size).toBe(0);
  });

  test('enabled: false is silent', () => {
    const { config, warnings } = read({ enabled: false });
    expect(config.url).toBe('');
    expect(warnings).toEqual([]);
  });
});

describe('numbers (B71)', () => {
  test.each([0, Number.NaN, -1, 2 ** 31, '5000', 1.5, null, {}, Number.POSITIVE_INFINITY, 99])(
    'flushIntervalMs %s: one warning with the range, default used',
    (value) => {
      const { config, warnings } = read({ ...good, flushIntervalMs: value });
      expect(config.flushIntervalMs).toBe(5_000);
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toMatch(
        /`flushIntervalMs` to be a whole number from 100 to 3600000, got .*; using 5000/,
      );
    },
  );

  test.each([
    ['flushIntervalMs', 100],
    ['flushIntervalMs', 3_600_000],
    ['snapshotIntervalMs', 1_000],
    ['requestTimeoutMs', 30_000],
    ['shutdownTimeoutMs', 60_000],
  ])('%s %i is taken', (name, value) => {
    const { config, warnings } = read({ ...good, [name]: value });
    expect(config).toMatchObject({ [name]: value });
    expect(warnings).toEqual([]);
  });
});

describe('other options', () => {
  test.each<[string, object]>([
    ['unknown option', { apikey: 'x' }],
    ['switch that is none', { handleSignals: 'yes' }],
    ['collect that is none', { collect: true }],
    ['unknown part of collect', { collect: { messages: true } }],
    ['part of collect that is no switch', { collect: { actions: 1 } }],
    ['cluster of 101 characters', { clusterId: 'x'.repeat(101) }],
    ['empty cluster', { clusterId: '' }],
  ])('%s: one warning', (_, options) => {
    expect(read({ ...good, ...options }).warnings).toHaveLength(1);
  });

  test('collect and cluster are taken', () => {
    const { config } = read({ ...good, clusterId: 3, collect: { actions: false } });
    expect(config.clusterId).toBe('3');
    expect(config.collect).toEqual({
      interactions: true,
      actions: false,
      gateway: true,
      snapshots: true,
    });
  });

  test.each([null, 5, 'x', []])('options %s do not throw', (options) => {
    expect(() => read(options as object)).not.toThrow();
  });

  test('a logger that throws harms nothing; one that is none is not used', () => {
    const env = new HandEnv();
    const warn = (): never => {
      throw new Error('logger');
    };
    expect(() => makeSdk({ logger: { warn, debug: warn } }, { env })).not.toThrow();
    // A wrong logger has to be reported somewhere.
    makeSdk({ ...good, logger: {} as never }, { env });
    expect(env.warnings).toEqual([expect.stringContaining('expected `logger` to be an object')]);
    makeSdk({ logger: {} as never }, { env });
    expect(env.warnings).toHaveLength(3);
    expect(env.warnings[2]).toContain('`apiKey` is missing');
  });

  test('B141: the key is in no warning and no debug line', async () => {
    const lines: string[] = [];
    const logger = {
      warn: (text: string) => lines.push(text),
      debug: (text: string) => lines.push(text),
    };
    const key = 'bak_12345678_topsecret';
    const fault = Object.assign(new Error(`bad header Bearer ${key}`), { code: 'ERR_X' });
    const { sdk } = makeSdk(
      {
        apiKey: key,
        endpoint: 'http://127.0.0.1:1',
        logger,
        debug: true,
        send: () => Promise.reject(fault),
      },
      { env: new HandEnv() },
    );
    sdk.captureError(new Error('x'), undefined);
    const ended = sdk.shutdown(100);
    expect(JSON.stringify(sdk.stats())).not.toContain(key);
    void ended;
    expect(lines.join('\n')).not.toContain(key);
  });
});

test('B70: flushIntervalMs 1 is refused with the range, and the shutdown delivers', async () => {
  const env = new HandEnv();
  const server = new ScriptSend();
  const { sdk } = makeSdk({ ...good, flushIntervalMs: 1, send: server.send }, { env });
  expect(env.warnings).toHaveLength(1);
  expect(env.warnings[0]).toContain('100 to 3600000');
  for (let n = 0; n < 3; n += 1) sdk.captureError(`e${n}`, undefined);
  const ended = await sdk.shutdown();
  expect(ended).toMatchObject({ delivered: 3, dropped: 0, queued: 0 });
});

test('B70: the shortest flush interval, shut down at once', async () => {
  const server = new ScriptSend();
  const { sdk } = makeSdk({ ...good, flushIntervalMs: 100, send: server.send }, {});
  sdk.captureError('e', undefined);
  expect(await sdk.shutdown()).toMatchObject({ delivered: 1, dropped: 0, queued: 0 });
});
