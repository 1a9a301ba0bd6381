import { startChatSim, type ChatSim } from '@bot-analytics/chat-sim';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BotKeys } from '../stage.ts';
import { Stage } from './stage.ts';

/**
 * A new user, from the printed link to a green card, with a discord.js bot and then with one of
 * discord.py. The tests build on each other.
 */
let stage: Stage;
let sim: ChatSim;
let pySim: ChatSim;
let page: Page;
let apiKey = '';
let botId = '';

beforeAll(async () => {
  stage = await Stage.open();
  sim = await startChatSim({ seed: 3, guilds: 4, shards: 1 });
  pySim = await startChatSim({ seed: 5, guilds: 3, shards: 1 });
  page = await stage.page({ stranger: true });
  await page.clock.install();
});

afterAll(async () => {
  await stage?.close();
  await sim?.stop();
  await pySim?.stop();
});

const tick = (text: string | RegExp) => page.locator('li[data-done]').getByText(text);
const headline = () => page.getByRole('heading', { level: 1 });

test('the printed link opens an empty list that leads to a new bot', async () => {
  await page.goto(await stage.loginLink());
  await page.getByText('No bot yet').waitFor();
  expect(page.url()).not.toContain('token');
  await page.getByRole('link', { name: 'Add a bot' }).click();
  await page.getByLabel('Name').fill('Jukebox');
  await page.getByRole('button', { name: 'Create' }).click();
  await headline().getByText('Connect Jukebox').waitFor();
});

test('the key is shown once, and stands in both snippets with the address of this server', async () => {
  await page.getByText('Shown only now.').waitFor();
  apiKey = String(await page.locator('code').filter({ hasText: /^bak_/ }).first().textContent());
  expect(apiKey).toMatch(/^bak_[0-9A-Za-z]{8}_[0-9A-Za-z]{49}$/);
  await page.getByText(`apiKey: "${apiKey}"`).waitFor();
  await page.getByText(`endpoint: "${stage.url}"`).waitFor();
  await page.getByText('Python', { exact: true }).click();
  await page.getByText(`api_key="${apiKey}"`).waitFor();
  await page.getByText(`endpoint="${stage.url}"`).waitFor();

  const other = await stage.page();
  await other.goto(`${stage.url}/?all=1`);
  await other.getByRole('link', { name: 'Jukebox' }).click();
  await other.getByText('Waiting for the first heartbeat').waitFor();
  botId = /\/b\/([^/]+)\//.exec(other.url())?.[1] ?? '';
  await other.getByRole('link', { name: 'Connect the bot' }).click();
  await other.getByText('The key was shown when it was made').waitFor();
  expect(await other.content()).not.toContain(apiKey);
  await other.context().close();
});

test('a refused request is shown with its reason after 90 s', async () => {
  await page.getByText('Waiting for the first batch').waitFor();
  const refused = await fetch(`${stage.url}/v1/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'text/plain' },
    body: '{"events":[]}',
  });
  expect(refused.status).toBe(415);
  await stage.chores();
  expect(await page.getByText('Nothing has arrived yet.').count()).toBe(0);
  await page.clock.runFor(92_000);
  await page.getByText('Nothing has arrived yet.').waitFor();
  const reason = page.getByText('Last refused request of this bot');
  await reason.getByText('The body is not application/json').waitFor();
});

test('key, heartbeat and first interaction tick off as a discord.js bot sends them', async () => {
  const keys: BotKeys = { botId, apiKey, readKey: '' };
  stage.discordJs(keys, sim.restUrl);
  await tick('Key accepted from @vendor/chat.js 0.5.0').waitFor();
  await tick('Heartbeat: 1 shard online').waitFor();
  expect(await page.getByText('Nothing has arrived yet.').count()).toBe(0);
  const record = await sim.settled(sim.users.slash({ command: 'ping' }));
  expect(record.outcome).toBe('answered');
  await tick(/First interaction \(\/ping\) at \d\d:\d\d:\d\d/).waitFor();
});

test('and there is a green card, with what the platform knows of the bot', async () => {
  await page.getByRole('link', { name: 'Open the status page' }).click();
  await headline().getByText('Jukebox is online').waitFor();
  const card = page.locator('[data-state="online"]');
  await card
    .getByText(/^\d+ MB$/)
    .first()
    .waitFor();
  const edge = await card.evaluate((box) => getComputedStyle(box, '::before').backgroundColor);
  expect(edge).toBe('rgb(26, 127, 55)');
  const fields = (await card.innerText()).replaceAll(/\s+/g, ' ');
  expect(fields).toMatch(/Memory \d+ MB CPU [\d.]+ % Guilds 4 Voice 0/);
  // One shard and no cluster: one card, without cluster and shard headings.
  expect(await page.getByText(/^(Cluster|Shard) \d/).count()).toBe(0);
});

test('activity shows what people do, as it happens', async () => {
  await page.getByRole('link', { name: 'Activity' }).click();
  await page.getByText('/ping').first().waitFor();
  await sim.settled(
    sim.users.slash({ command: 'config set', options: { key: 'colour', value: 'red' } }),
  );
  await page.getByText('/config set').first().waitFor();
  const row = page.locator('tbody tr', { hasText: '/config set' }).first();
  const cells = await row.locator('td').allInnerTexts();
  expect(cells[2]).toMatch(/^\d+ ms$/);
  expect(cells.slice(3, 5)).toEqual(['OK', '0']);
  expect(await page.locator('main').innerText()).not.toMatch(/\bred\b/);
  await page.getByText('Shards', { exact: true }).click();
  await page.getByText(/^shard ready after/).waitFor();
  await page.getByText('Errors', { exact: true }).click();
  await page.getByText('Nothing in “Errors”').waitFor();
});

test('API usage counts the requests of the bot and what the platform refused', async () => {
  const fault = sim.restFaults.add({ kind: 'forbidden', method: 'POST', times: 1 });
  await sim.settled(sim.users.slash({ command: 'ping' }));
  await expect.poll(() => fault.hits).toBe(1);
  await page.getByRole('link', { name: 'API usage' }).click();
  await page.getByRole('heading', { level: 1, name: 'API usage' }).waitFor();
  const tile = (label: string) =>
    page
      .locator('dl > div', { has: page.getByText(label, { exact: true }) })
      .locator('dd')
      .first();
  await expect
    .poll(
      async () => {
        await page.clock.runFor(60_000);
        return tile('403').innerText();
      },
      { timeout: 15_000 },
    )
    .toBe('1');
  expect(Number(await tile('REST requests').innerText())).toBeGreaterThanOrEqual(4);
  await page.getByText('No snapshot of routes in this range').waitFor();
});

test('a discord.py bot gets there too, in place of the waiting', async () => {
  const snake = await stage.api.createBot('Snake');
  await page.goto(`${stage.url}/b/${snake.botId}/connect`);
  await page.getByText('Waiting for the first batch').waitFor();
  stage.discordPy(snake, pySim);
  await tick(/Key accepted from vendor-chat\.py 0\.1\.0/).waitFor({ timeout: 20_000 });
  await tick('Heartbeat: 1 shard online').waitFor();
  await pySim.settled(pySim.users.slash({ command: 'ping' }));
  await tick(/First interaction \(\/ping\)/).waitFor();
  await page.getByRole('link', { name: 'Open the status page' }).click();
  await headline().getByText('Snake is online').waitFor();
  await page.goto(`${stage.url}/?all=1`);
  await expect.poll(() => page.getByText('Online', { exact: true }).count()).toBe(2);
});

test('no script failed and no policy was broken', () => {
  expect(stage.faults).toEqual([]);
});
