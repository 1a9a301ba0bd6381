import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Stage } from './stage.ts';
import { THOUSAND_GONE, type World } from './world.ts';

/** 2,000 shards. */
export function thousands(of: () => { readonly stage: Stage; readonly world: World }): void {
  describe('2,000 shards', () => {
    let page: Page;
    beforeAll(async () => {
      page = await of().stage.page();
      await of().world.thousand.refresh();
    });
    afterAll(() => page.context().close());
    const open = async (search = ''): Promise<void> => {
      const { stage, world } = of();
      await page.goto(`${stage.url}/b/${world.thousand.keys.botId}/status${search}`);
      await page.getByRole('heading', { name: '1,987 of 2,000 shards online' }).waitFor();
    };
    const summary = (name: string) =>
      page.locator('summary', { hasText: new RegExp(`${name} *\\d`) });

    test('the headline, and the clusters that are hit before the others', async () => {
      await open();
      await page.getByText(/^13 offline in 3 clusters · [\d.]+M guilds$/).waitFor();
      const names = await page
        .locator('summary')
        .evaluateAll((all) => all.slice(0, 4).map((one) => one.querySelector('span')?.textContent));
      expect(names).toEqual(['Cluster 7', 'Cluster 25', 'Cluster 124', 'Cluster 0']);
      expect(await page.getByRole('link', { name: /^Shard \d+/ }).count()).toBe(0);
    });

    test('a cluster opens by keyboard, offline first, and the address keeps it', async () => {
      await page.locator('summary').first().focus();
      await page.keyboard.press('Enter');
      const cards = page.getByRole('link', { name: /^Shard \d+/ });
      await expect.poll(() => cards.count()).toBe(16);
      expect((await cards.allInnerTexts()).slice(0, 3)).toEqual([
        'Shard 113',
        'Shard 118',
        'Shard 112',
      ]);
      await expect.poll(() => page.url()).toMatch(/\?open=c7$/);
      await page.reload();
      await page.getByRole('link', { name: 'Shard 113' }).waitFor();
    });

    test('only what is offline', async () => {
      await open();
      await page.getByText('Offline only (13)').click();
      const cards = page.getByRole('link', { name: /^Shard \d+$/ });
      await expect.poll(() => cards.count()).toBe(THOUSAND_GONE.size);
      const texts = await page.locator('[data-state="offline"]').allInnerTexts();
      expect(texts.every((text) => /Last heartbeat\s+\d+ min ago/.test(text))).toBe(true);
    });

    test('a shard by its number, by a guild, and by a link to a message', async () => {
      await open();
      const finder = page.getByRole('searchbox');
      const guild = 81_384_788_765_712_384n;
      const shard = (guild >> 22n) % 2_000n;
      await finder.fill('1234');
      await page.getByRole('link', { name: 'Shard 1234', exact: true }).waitFor();
      await finder.fill(String(guild));
      await page.getByText(`is on shard ${shard} of 2000.`).waitFor();
      await finder.fill(`https://chat.example/channels/${guild}/1/2`);
      await page.getByText(`is on shard ${shard} of 2000.`).waitFor();
      await page.getByRole('link', { name: `Open shard ${shard}` }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: `Shard ${shard}` }).waitFor();
      await page.goBack();
      await expect.poll(() => finder.inputValue()).toContain(String(guild));
    });

    test.each([
      ['ping', 'ms'],
      ['cpu', '%'],
      ['mem', 'MB'],
    ])('tiles filled by %s say its figures', async (fill, unit) => {
      await open(`?density=tiles&fill=${fill}`);
      const tiles = page.getByRole('link', { name: /^Shard \d+, / });
      await tiles.first().waitFor();
      const names = await tiles.evaluateAll((all) =>
        all.map((one) => one.getAttribute('aria-label')),
      );
      expect(names.filter((name) => /offline, last heartbeat/.test(name ?? ''))).toHaveLength(13);
      const told = new RegExp(`^Shard \\d+, [\\d.,]+ ?${unit}, online$`);
      expect(names.filter((name) => told.test(name ?? ''))).toHaveLength(1_987);
    });

    test('one heartbeat moves one card within 2 s', async () => {
      const { feeder } = of().world.thousand;
      await open('?open=c1');
      const card = page.locator('li', { has: page.getByRole('link', { name: 'Shard 20' }) });
      await card.waitFor();
      await feeder.send([feeder.heartbeat(20, { wsPingMs: 777 })]);
      await card.getByText('777 ms').waitFor({ timeout: 2_500 });
    });

    test('the summary of a cluster can be read without colour', async () => {
      await open();
      const text = (await summary('Cluster 25').first().innerText()).replaceAll(/\s+/g, ' ');
      expect(text).toMatch(/^Cluster 25 7 of 16 online median \d+ ms · [\d,]+ guilds/);
    });
  });
}
