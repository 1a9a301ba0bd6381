import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { BOTS } from '../mock/world.ts';
import { resetWorld } from './looks.suite.ts';
import { leave } from './stage.ts';
import type { Stage } from './stage.ts';

/** Says to the page that its tab was hidden or shown. */
function setHidden(page: Page, hidden: boolean): Promise<void> {
  return page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', {
      configurable: true,
      get: () => (value ? 'hidden' : 'visible'),
    });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
}

/** Waits until `holds` is true. */
async function until(holds: () => boolean): Promise<void> {
  await expect.poll(holds, { timeout: 5_000, interval: 20 }).toBe(true);
}

/** What the stream does to the page. */
export function liveness(stageOf: () => Stage): void {
  describe('live', () => {
    let page: Page;
    beforeAll(async () => {
      page = await stageOf().page();
    });
    afterEach(async () => {
      await leave(page);
      resetWorld(stageOf().mock.world);
    });
    afterAll(() => page.context().close());

    const open = async (bot: keyof typeof BOTS, rest = ''): Promise<void> => {
      await page.goto(`${stageOf().mock.url}/b/${BOTS[bot]}/status${rest}`);
      await page.getByTestId('live-words').getByText(/^Live/).waitFor();
    };
    const offlineCards = () => page.locator('[data-state="offline"]').count();

    test('a delta turns a card offline, and back', async () => {
      const { world } = stageOf().mock;
      await open('clusters');
      const card = page.locator('li', { has: page.getByRole('link', { name: 'Shard 40' }) });
      const silentSince = new Date(Date.now() - 125_000).toISOString();
      world.change(
        BOTS.clusters,
        new Map([[40, { state: 'offline', lastHeartbeatAt: silentSince }]]),
      );
      await card.getByText('Offline').waitFor();
      expect(await card.textContent()).toMatch(/Last heartbeat\s*2 min ago/);
      expect(await card.textContent()).not.toMatch(/Ping/);
      await page.getByRole('heading', { name: '61 of 64 shards online' }).waitFor();
      world.change(BOTS.clusters, new Map([[40, { state: 'online', wsPingMs: 77 }]]));
      await card.getByText('77 ms').waitFor();
    });

    test('a lost stream freezes the page with a notice and paints nothing grey', async () => {
      const { world } = stageOf().mock;
      await open('clusters');
      expect(await offlineCards()).toBe(2);
      world.streamStatus = 500;
      world.dropStreams();
      await page.getByText(/^Connection lost, showing \d\d:\d\d:\d\d/).waitFor();
      expect(await offlineCards()).toBe(2);
      expect(await page.getByTestId('live-words').textContent()).toMatch(/^Stopped at/);
      world.streamStatus = 200;
      await page.getByText('Connection lost').waitFor({ state: 'detached' });
      expect(await page.getByTestId('live-words').textContent()).toMatch(/^Live/);
    });

    test('a hidden tab closes its stream and opens one when it is shown', async () => {
      const { world } = stageOf().mock;
      await open('one');
      await until(() => world.streams.size === 1);
      await setHidden(page, true);
      await until(() => world.streams.size === 0);
      await setHidden(page, false);
      await until(() => world.streams.size === 1);
    });

    test('a server without room for streams is polled', async () => {
      stageOf().mock.world.streamStatus = 503;
      await page.goto(`${stageOf().mock.url}/b/${BOTS.one}/status`);
      await page
        .getByTestId('live-words')
        .getByText(/^Every 30 s/)
        .waitFor();
    });

    test('pause keeps what is shown, resume brings the present', async () => {
      const { world } = stageOf().mock;
      await open('clusters');
      await page.getByRole('button', { name: 'Pause live updates' }).click();
      await until(() => world.streams.size === 0);
      world.change(BOTS.clusters, new Map([[0, { state: 'offline' }]]));
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(
        '62 of 64 shards online',
      );
      await page.getByRole('button', { name: 'Resume live updates' }).click();
      await page.getByRole('heading', { name: '61 of 64 shards online' }).waitFor();
    });

    test('leaving the page closes the stream', async () => {
      const { world } = stageOf().mock;
      await open('clusters');
      await page.getByRole('link', { name: 'Settings' }).click();
      await until(() => world.streams.size === 0);
    });

    test('a session that ends leads to the login and back', async () => {
      const { world } = stageOf().mock;
      await open('clusters', '?show=offline');
      world.loggedIn = false;
      world.dropStreams();
      await page.getByText('Log in to Bot Analytics').waitFor();
      await page.getByLabel('Login link or token').fill('good-token');
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByText('Shard 18').waitFor();
      expect(page.url()).toMatch(/status\?show=offline$/);
    });
  });
}
