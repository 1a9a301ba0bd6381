import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { makeStatus } from '../mock/fleet.ts';
import { BOTS } from '../mock/world.ts';
import { resetWorld } from './looks.suite.ts';
import { leave } from './stage.ts';
import type { Stage } from './stage.ts';

/** What people come to do. */
export function flows(stageOf: () => Stage): void {
  describe('flows', () => {
    let page: Page;
    beforeAll(async () => {
      page = await stageOf().page();
    });
    afterEach(async () => {
      await leave(page);
      resetWorld(stageOf().mock.world);
    });
    afterAll(() => page.context().close());
    const go = (path: string) => page.goto(stageOf().mock.url + path);

    test('the login link logs in and leaves neither address nor history with the token', async () => {
      stageOf().mock.world.loggedIn = false;
      await go('/login#token=good-token');
      await page.getByRole('heading', { name: 'Bots' }).waitFor();
      expect(page.url()).not.toContain('token');
      await page.goBack();
      expect(page.url()).not.toContain('token');
    });

    test('without a session every page leads to the login and back', async () => {
      stageOf().mock.world.loggedIn = false;
      await go(`/b/${BOTS.clusters}/api?range=7d`);
      await page
        .getByLabel('Login link or token')
        .fill(`${stageOf().mock.url}/login#token=good-token`);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByRole('heading', { name: 'API usage' }).waitFor();
      expect(page.url()).toMatch(/api\?range=7d$/);
    });

    test('one bot alone is shown at once', async () => {
      const { world } = stageOf().mock;
      world.bots = world.bots.slice(0, 1);
      await go('/');
      await page.getByRole('heading', { name: 'Parrot is online' }).waitFor();
    });

    test('a new bot: key once, snippets, ticks that come by themselves', async () => {
      const { world } = stageOf().mock;
      await go('/new');
      await page.getByLabel('Name').fill('Fresh');
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByText('Shown only now.').waitFor();
      const key = await page.locator('code').filter({ hasText: /^bak_/ }).first().textContent();
      await page.getByText(`apiKey: "${key}"`).waitFor();
      await page.getByText('endpoint: "https://stats.example.org"').waitFor();
      await page.getByText('Python', { exact: true }).click();
      await page.getByText(`api_key="${key}"`).waitFor();
      await page.getByText('Waiting for the first batch').waitFor();
      const bot = world.bots.at(-1)!.botId;
      const status = makeStatus({ shards: 4, perCluster: 0, offline: [] }, Date.now());
      world.statuses.set(bot, status);
      world.emit(bot, 'snapshot', status);
      await page.getByText('Heartbeat: 4 shards online').first().waitFor();
      world.connected.add(bot);
      await page.getByText('Key accepted from @vendor/chat.js 0.5.0').first().waitFor();
      await page
        .getByText(/First interaction \(\/ping\)/)
        .first()
        .waitFor();
      await page.getByRole('link', { name: 'Open the status page' }).click();
      await page.getByRole('heading', { name: 'All 4 shards online' }).waitFor();
    });

    test('sample data: made on request, marked on every page, removed again', async () => {
      const { world } = stageOf().mock;
      world.bots = [];
      await go('/');
      await page.getByRole('button', { name: 'Explore with sample data' }).click();
      await page.getByRole('heading', { name: '30 of 32 shards online' }).waitFor();
      for (const section of ['Activity', 'API usage', 'Settings']) {
        await page.getByRole('link', { name: section, exact: true }).click();
        await page.getByRole('heading', { name: section, exact: true }).waitFor();
        await page.getByText('Sample data.').waitFor();
      }
      await page.getByText('takes no keys').waitFor();
      await go('/?all=1');
      await page.getByText('Sample data', { exact: true }).waitFor();
      await page.getByRole('link', { name: 'Sample bot' }).click();
      await page.getByRole('button', { name: 'Remove sample bot' }).click();
      await page.getByText('No bot yet').waitFor();
      expect(world.bots).toEqual([]);
    });

    test('the list of bots is one request, whatever their number', async () => {
      const { world } = stageOf().mock;
      await go('/?all=1');
      await page.getByText('62 of 64 shards online').waitFor();
      world.calls.length = 0;
      await page.reload();
      await page.getByText('62 of 64 shards online').waitFor();
      expect(world.calls.filter((each) => each.includes('/v1/bots'))).toEqual(['GET /v1/bots']);
    });

    test('API usage of one process, by another counter, as table and files', async () => {
      await go(`/b/${BOTS.clusters}/api`);
      const bars = page.getByRole('img', { name: /^REST requests by process/ });
      await bars.focus();
      await page.keyboard.press('End');
      await page
        .getByText(/^Shard 48: /)
        .first()
        .waitFor();
      await page.getByLabel('Compare').selectOption('rest403');
      await page
        .getByRole('img', { name: /^403 by process.*Most: the process of shard 16/ })
        .waitFor();
      for (const [button, ending] of [
        ['CSV', '.csv'],
        ['PNG', '.png'],
        ['CSV by process', '.csv'],
      ] as const) {
        const saved = page.waitForEvent('download');
        await page.getByRole('button', { name: button, exact: true }).click();
        expect((await saved).suggestedFilename()).toMatch(ending);
      }
      await page.getByRole('button', { name: 'Show as table' }).click();
      await page.getByRole('columnheader', { name: 'Hour' }).waitFor();
      await page.getByRole('combobox', { name: /^Process/ }).selectOption('16');
      await page.waitForURL(/process=16/);
      await expect.poll(() => stageOf().mock.world.processAsked).toBe('16');
    });

    test('the page of a shard follows the stream', async () => {
      const { world } = stageOf().mock;
      await go(`/b/${BOTS.clusters}/status/3`);
      await page.getByText('Live').first().waitFor();
      world.change(BOTS.clusters, new Map([[3, { wsPingMs: 321 }]]));
      await page.getByText('321 ms', { exact: true }).waitFor();
      world.change(BOTS.clusters, new Map([[3, { state: 'offline' }]]));
      await page.getByRole('status').getByText('Offline', { exact: true }).waitFor();
    });

    test('the public page of a shard shows its state and leads to its neighbours', async () => {
      await go('/p/full-token/3');
      await page.getByText('Online', { exact: true }).waitFor();
      await page.getByRole('link', { name: 'Shard 4 ›' }).click();
      await page.getByRole('heading', { name: 'Shard 4' }).waitFor();
      expect(page.url()).toMatch(/\/p\/full-token\/4$/);
    });

    test('a guild id finds its shard', async () => {
      await go(`/b/${BOTS.large}/status`);
      await page.getByRole('searchbox').fill('81384788765712384');
      const shard = (81384788765712384n >> 22n) % 2_000n;
      await page.getByText(`is on shard ${shard} of 2000.`).waitFor();
      await page.getByRole('link', { name: `Open shard ${shard}` }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: `Shard ${shard}` }).waitFor();
      await page.goBack();
      expect(await page.getByRole('searchbox').inputValue()).toBe('81384788765712384');
    });

    test('filter, density and fill stand in the address and survive a reload', async () => {
      await go(`/b/${BOTS.clusters}/status`);
      await page.getByText('Offline only (2)').click();
      await page.getByText('Tiles', { exact: true }).click();
      await page.getByLabel('Fill by').selectOption('cpu');
      await expect.poll(() => page.url()).toMatch(/\?show=offline&density=tiles&fill=cpu$/);
      await page.reload();
      await page.getByRole('link', { name: /^Shard 18, offline/ }).waitFor();
      expect(await page.getByRole('link', { name: /^Shard \d+,/ }).count()).toBe(2);
      await page.goBack();
      await expect.poll(() => page.url()).toMatch(/\?show=offline&density=tiles$/);
    });

    test('a closed cluster draws none of its cards', async () => {
      await go(`/b/${BOTS.clusters}/status`);
      await page.getByRole('link', { name: 'Shard 63' }).waitFor();
      await page.locator('summary', { hasText: 'Cluster 3' }).click();
      await page.getByRole('link', { name: 'Shard 63' }).waitFor({ state: 'detached' });
      await expect.poll(() => page.url()).toMatch(/\?shut=c3$/);
    });

    test('history as CSV, with empty cells where nothing was measured', async () => {
      await go(`/b/${BOTS.clusters}/status/3?range=7d`);
      await page.getByRole('button', { name: 'CSV' }).waitFor();
      const wait = page.waitForEvent('download');
      await page.getByRole('button', { name: 'CSV' }).click();
      const file = await wait;
      expect(file.suggestedFilename()).toMatch(/^moderation-station_shard-3_\d{4}-/);
      const lines = readFileSync(await file.path(), 'utf8')
        .trimEnd()
        .split('\r\n');
      expect(lines[0]).toMatch(/^hour_utc,hour_local,ping_ms,/);
      expect(lines.length).toBeGreaterThan(160);
      expect(lines.filter((line) => line.endsWith(',,,,,0')).length).toBeGreaterThan(10);
    });

    test('history as PNG', async () => {
      await go(`/b/${BOTS.clusters}/status/3`);
      await page.locator('canvas').nth(3).waitFor();
      const wait = page.waitForEvent('download');
      await page.getByRole('button', { name: 'PNG' }).click();
      const bytes = readFileSync(await (await wait).path());
      expect(bytes.subarray(1, 4).toString()).toBe('PNG');
      expect(bytes.readUInt32BE(20)).toBeGreaterThan(600);
    });

    test('a custom range; a wrong one is refused', async () => {
      await go(`/b/${BOTS.clusters}/status/3`);
      await page.getByText('Custom…').click();
      await page.getByLabel('From', { exact: true }).fill('2026-11-03T00:00');
      await page.getByLabel('To', { exact: true }).fill('2026-11-02T00:00');
      await page.getByRole('button', { name: 'Apply' }).click();
      await page.getByText('The end must lie after the start').waitFor();
      await page.getByLabel('To', { exact: true }).fill('2026-11-05T12:00');
      await page.getByRole('button', { name: 'Apply' }).click();
      await expect
        .poll(() => page.url())
        .toMatch(/from=2026-11-02T23%3A00%3A00\.000Z&to=2026-11-05T11/);
      await page
        .getByText(/of 60 hours not measured/)
        .first()
        .waitFor();
    });

    test('rotate shows the new key once; revoke wants its id', async () => {
      await go(`/b/${BOTS.clusters}/settings`);
      await page.getByRole('button', { name: 'Rotate the ingest key' }).click();
      await page.getByText('1 h', { exact: true }).click();
      await page.getByRole('button', { name: 'Make a new key' }).click();
      await page.getByText('Shown only now.').waitFor();
      await page.getByRole('button', { name: 'Revoke key a1b2c3d4' }).click();
      const dialog = page.getByRole('dialog');
      expect(await dialog.getByRole('button', { name: 'Revoke' }).isDisabled()).toBe(true);
      await dialog.getByLabel(/to confirm/).fill('a1b2c3d4');
      await dialog.getByRole('button', { name: 'Revoke' }).click();
      await page.getByText('Revoked just now').waitFor();
    });

    test('settings are saved; a wrong quota is refused before it is sent', async () => {
      await go(`/b/${BOTS.clusters}/settings`);
      await page.getByLabel('Events a month').fill('many');
      expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
      await page.getByLabel('Events a month').fill('250000');
      await page.getByLabel('Name').fill('Renamed');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved ✓').waitFor();
      expect(stageOf().mock.world.bots.find((bot) => bot.botId === BOTS.clusters)).toMatchObject({
        name: 'Renamed',
        monthlyQuota: 250_000,
      });
    });

    test('a share link: page, badge and summary, then revoked', async () => {
      await go(`/b/${BOTS.clusters}/settings`);
      await page.getByLabel('API usage').check();
      await page.getByRole('button', { name: 'Make a link' }).click();
      await page.getByText(/\/badge\.svg$/).waitFor();
      await page.getByText('Status, API usage').waitFor();
      await page.getByRole('button', { name: /^Revoke link/ }).click();
      await page.getByText('Revoked', { exact: true }).waitFor();
    });

    test('a public page without history has no links to shards', async () => {
      await go('/p/status-only');
      await page.getByText('Cluster 3').waitFor();
      expect(await page.getByRole('link', { name: /^Shard/ }).count()).toBe(0);
      await go('/p/full-token');
      await page.getByRole('link', { name: 'Shard 3', exact: true }).click();
      await page.getByRole('heading', { name: 'Shard 3' }).waitFor();
      expect(page.url()).toMatch(/\/p\/full-token\/3$/);
    });

    test('the theme is kept', async () => {
      await go('/?all=1');
      const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const before = await background();
      await page.getByLabel('Theme').selectOption('dark');
      expect(await background()).not.toBe(before);
      await page.reload();
      await page.getByRole('heading', { name: 'Bots' }).waitFor();
      expect(await background()).toBe('rgb(13, 17, 23)');
    });
  });
}
