import { startChatSim, type ChatSim } from '@bot-analytics/chat-sim';
import { startEngine } from '@bot-analytics/engine';
import type { Status } from '@bot-analytics/protocol/read-api';
import { readConfig, startServer, systemEnv, type RunningServer } from '@bot-analytics/server';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Api, BotProcess, openBrowser, tempFolder, until, type BotKeys } from './stage.ts';

/**
 * A real discord.js bot, from the platform to the page. The server runs in this process so that its
 * clock can be turned; everything else is a process of its own. The tests build on each other.
 */
const clock = { aheadMs: 0 };
const env = { ...systemEnv, nowMs: () => systemEnv.nowMs() + clock.aheadMs };
const folder = tempFolder();
const nothing = (): void => undefined;
const THINK_MS = 120;

let sim: ChatSim;
let server: RunningServer;
let api: Api;
let keys: BotKeys;
let bot: BotProcess;
let browser: Browser;
let page: Page;
const pageErrors: string[] = [];

beforeAll(async () => {
  sim = await startChatSim({ seed: 3, guilds: 4, shards: 1 });
  server = await startServer({
    config: readConfig({ PORT: '0', DATA_DIR: folder.path }),
    env,
    embed: ({ dataDir, socketPath }) =>
      startEngine({ dataDir, socketPath, log: { info: nothing, warn: nothing, error: nothing } }),
  });
  api = new Api(server.address, server.adminToken);
  keys = await api.createBot('Music');
  browser = await openBrowser();
  page = await browser.newPage();
  page.on('pageerror', (error) => pageErrors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') pageErrors.push(message.text());
  });
});

afterAll(async () => {
  await browser?.close();
  await bot?.kill();
  await server?.stop();
  await sim?.stop();
  folder.remove();
});

const headline = () => page.getByRole('heading', { level: 1 });

test('the printed link logs in, once', async () => {
  const link = await server.loginLink();
  await page.goto(link);
  await page.waitForURL(`**/b/${keys.botId}/**`);
  expect(page.url()).not.toContain('token=');
  const stranger = await browser.newPage();
  await stranger.goto(link);
  await stranger
    .getByRole('heading', { name: /log in|link/i })
    .first()
    .waitFor();
  expect(stranger.url()).toContain('/login');
  await stranger.close();
});

test('a shard card is online within 5 s of the bot being connected', async () => {
  await page.goto(`${server.address}/b/${keys.botId}/status`);
  bot = new BotProcess({
    restUrl: sim.restUrl,
    endpoint: server.address,
    apiKey: keys.apiKey,
    thinkMs: THINK_MS,
  });
  await sim.gateway.untilConnected(1);
  await headline().getByText('Music is online').waitFor({ timeout: 5_000 });
});

test('the card shows what the heartbeat says', async () => {
  await until('guild count and memory', async () => {
    const text = await page.locator('main').innerText();
    return /Guilds\s+4/.test(text) && /Memory\s+\d+ MB/.test(text) ? true : undefined;
  });
});

test('a slash command is stored with its latency', async () => {
  const record = await sim.settled(
    sim.users.slash({ command: 'play', options: { song: 'secret words' } }),
  );
  expect(record.outcome).toBe('answered');
  const stored = await until('the interaction', async () =>
    (await api.events(keys, '&type=interaction_slash')).find(
      ({ data }) => data['commandName'] === 'play',
    ),
  );
  expect(stored.data).toMatchObject({
    interactionKind: 'slash',
    success: true,
    timedOut: false,
    shardId: 0,
  });
  const latencyMs = Number(stored.data['latencyMs']);
  expect(latencyMs).toBeGreaterThanOrEqual(THINK_MS - 2);
  // The bot measures on its own clock from receipt to settled answer, the platform from sending on.
  expect(Math.abs(latencyMs - (record.answeredAfterMs ?? 0))).toBeLessThan(150);
  expect(JSON.stringify(stored)).not.toContain('secret words');
});

test('the same batch twice is stored once', async () => {
  const event = {
    id: '01a1fcb2-7d18-7036-9e14-3a4c2e43d2cd',
    type: 'interaction_button',
    ts: new Date().toISOString(),
    data: { commandName: 'twice' },
  };
  const send = async () => {
    const response = await fetch(`${api.url}/v1/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ events: [event] }),
    });
    return (await response.json()) as { accepted: number; duplicates: number };
  };
  expect(await send()).toMatchObject({ accepted: 1, duplicates: 0 });
  expect(await send()).toMatchObject({ accepted: 0, duplicates: 1 });
  const stored = await api.events(keys, '&type=interaction_button');
  expect(stored.filter(({ id }) => id === event.id)).toHaveLength(1);
});

test('a killed bot turns grey after two minutes, without a reload', async () => {
  await bot.kill();
  clock.aheadMs = 115_000;
  await until('a whole second of the new time', async () =>
    (await shardStatus()).generatedAtMs >= Date.now() + 114_000 ? true : undefined,
  );
  expect(await headline().innerText()).toBe('Music is online');
  clock.aheadMs = 125_000;
  await headline().getByText('Music is offline').waitFor({ timeout: 5_000 });
  expect(await page.locator('main').innerText()).toMatch(/last heartbeat|last online/i);
  expect((await shardStatus()).state).toBe('offline');
});

async function shardStatus(): Promise<{ generatedAtMs: number; state: string | undefined }> {
  const response = await fetch(`${api.url}/v1/bots/${keys.botId}/status`, {
    headers: { authorization: `Bearer ${keys.readKey}` },
  });
  const status = (await response.json()) as Status;
  return {
    generatedAtMs: Date.parse(status.generatedAt),
    state: status.clusters[0]?.shards[0]?.state,
  };
}

test('the pages raised no error and broke no policy', () => {
  expect(pageErrors.filter((text) => !/401 \(Unauthorized\)/.test(text))).toEqual([]);
});
