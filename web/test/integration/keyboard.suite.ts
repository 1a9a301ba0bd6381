import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { BOTS } from '../mock/world.ts';
import { resetWorld } from './looks.suite.ts';
import { leave } from './stage.ts';
import type { Stage } from './stage.ts';

/** Stops that Tab makes from the top of the page to its end. */
async function tabStops(page: Page, max: number): Promise<number> {
  for (let stops = 0; stops <= max; stops += 1) {
    await page.keyboard.press('Tab');
    const left = await page.evaluate(
      () => document.activeElement === document.body || document.activeElement === null,
    );
    if (left) return stops;
  }
  return max + 1;
}

const focusName = (page: Page): Promise<string> =>
  page.evaluate(
    () =>
      document.activeElement?.getAttribute('aria-label') ??
      document.activeElement?.textContent ??
      '',
  );

/** The whole page without a mouse. */
export function keyboard(stageOf: () => Stage): void {
  describe('keyboard', () => {
    let page: Page;
    beforeAll(async () => {
      page = await stageOf().page();
    });
    afterEach(async () => {
      await leave(page);
      resetWorld(stageOf().mock.world);
    });
    afterAll(() => page.context().close());
    const open = async (path: string, ready: string): Promise<void> => {
      await page.goto(stageOf().mock.url + path);
      await page.getByText(ready).first().waitFor();
    };

    test.each(['', '?density=tiles'])('2,000 shards%s: at most 140 stops', async (search) => {
      await open(`/b/${BOTS.large}/status${search}`, '1,987 of 2,000');
      expect(await tabStops(page, 140)).toBeLessThanOrEqual(140);
    });

    test('arrows move between tiles, Enter opens the shard', async () => {
      await open(`/b/${BOTS.clusters}/status?density=tiles`, 'Cluster 3');
      await page.locator('summary', { hasText: 'Cluster 1' }).focus();
      await page.keyboard.press('ArrowRight');
      expect(await focusName(page)).toMatch(/^Shard 18, offline/);
      await page.keyboard.press('ArrowRight');
      expect(await focusName(page)).toMatch(/^Shard 21, offline/);
      await page.keyboard.press('End');
      expect(await focusName(page)).toBe('Shard 31, online');
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Shard 18' }).waitFor();
    });

    test('a cluster opens with Enter, and the address keeps it', async () => {
      await open(`/b/${BOTS.large}/status`, 'Cluster 7');
      await page.locator('summary', { hasText: 'Cluster 7' }).first().focus();
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: 'Shard 113' }).waitFor();
      await expect.poll(() => page.url()).toMatch(/\?open=c7$/);
      await page.reload();
      await page.getByRole('link', { name: 'Shard 113' }).waitFor();
    });

    test('arrows read values of a chart, and the other charts follow', async () => {
      await open(`/b/${BOTS.clusters}/status/3`, 'Event-loop delay');
      const ping = page.getByRole('img', { name: /^Ping\./ });
      await ping.focus();
      await page.keyboard.press('Home');
      const figure = page.locator('figure').first();
      await figure
        .locator('[aria-live]')
        .getByText(/\d\d:00–\d\d:00: \d+.* ms$/)
        .waitFor();
      const memory = page.locator('figure').nth(1);
      await memory.getByText(/\d\d:00–\d\d:00: \d+ MB$/).waitFor();
      const before = await figure.locator('[aria-live]').textContent();
      await page.keyboard.press('Shift+ArrowRight');
      await expect.poll(() => figure.locator('[aria-live]').textContent()).not.toBe(before);
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      await figure
        .locator('[aria-live]')
        .getByText(/not measured$/)
        .waitFor();
    });

    test('single-key shortcuts, their help, and the switch that turns them off', async () => {
      await open(`/b/${BOTS.clusters}/status`, 'Cluster 3');
      await page.keyboard.press('/');
      expect(await focusName(page)).toMatch(/^Find a shard/);
      await page.keyboard.press('Escape');
      await page.evaluate(() => (document.activeElement as HTMLElement).blur());
      await page.keyboard.press('g');
      await page.keyboard.press('p');
      await page.getByRole('heading', { name: 'API usage' }).waitFor();
      await page.keyboard.press('2');
      await expect.poll(() => page.url()).toMatch(/range=7d/);
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
      await page.keyboard.press('Escape');
      await page.goto(`${stageOf().mock.url}/b/${BOTS.clusters}/settings`);
      await page.getByLabel('Single-key shortcuts').uncheck();
      await page.keyboard.press('?');
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog', { name: 'Go to' }).waitFor();
      expect(await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).count()).toBe(0);
    });

    test('the palette goes to a bot', async () => {
      await open('/?all=1', 'Parrot');
      await page.keyboard.press('Control+k');
      await page.keyboard.type('owl status');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Night Owl is offline' }).waitFor();
    });

    test('the skip link leads past the bar', async () => {
      await open(`/b/${BOTS.clusters}/status`, 'Cluster 3');
      await page.keyboard.press('Tab');
      expect(await focusName(page)).toBe('Skip to the content');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      expect(await focusName(page)).toMatch(/Pause/);
    });
  });
}
