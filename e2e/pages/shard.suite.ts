import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Stage } from './stage.ts';
import type { World } from './world.ts';

/** One shard's past, and what the bot asks of the platform: measured by the server, drawn by the page. */
export function past(of: () => { readonly stage: Stage; readonly world: World }): void {
  describe('the past', () => {
    let page: Page;
    beforeAll(async () => {
      page = await of().stage.page();
    });
    afterAll(() => page.context().close());
    const open = async (rest: string): Promise<void> => {
      const { stage, world } = of();
      await page.goto(`${stage.url}/b/${world.harbour.keys.botId}/${rest}`);
    };
    const charts = () => page.locator('figure');

    test('four hourly charts with the hours that are missing', async () => {
      await open('status/1');
      await page.getByRole('heading', { name: 'Shard 1' }).waitFor();
      await charts().nth(3).waitFor();
      for (const title of ['Ping', 'Memory', 'CPU', 'Event-loop delay, 95th percentile']) {
        await page.getByRole('img', { name: new RegExp(`^${title}\\.`) }).waitFor();
      }
      await charts()
        .first()
        .getByText(/; 3 of 25 hours not measured\.$/)
        .waitFor();
    });

    test('arrows read the charts together, the missing hours as not measured', async () => {
      const ping = page.getByRole('img', { name: /^Ping\./ });
      await ping.focus();
      await page.keyboard.press('End');
      const words = (index: number) => charts().nth(index);
      await words(0)
        .getByText(/\d\d:00–\d\d:00: \d+ ms$/)
        .waitFor();
      await words(1)
        .getByText(/\d\d:00–\d\d:00: \d+ MB$/)
        .waitFor();
      for (let back = 0; back < 10; back += 1) await page.keyboard.press('ArrowLeft');
      await words(0)
        .getByText(/not measured$/)
        .waitFor();
      await words(3)
        .getByText(/not measured$/)
        .waitFor();
    });

    test('what happened to the connection is listed, and marked on the time axis', async () => {
      const lines = page.locator('ol li', { has: page.locator('time') });
      await lines.getByText('Disconnected (1006: the connection broke)').waitFor();
      await lines.getByText('Ready after 4 s').waitFor();
      expect(await lines.count()).toBe(2);
    });

    test('as a table, where a missing hour has no number', async () => {
      await page.getByRole('button', { name: 'Show as table' }).click();
      await expect.poll(() => page.url()).toMatch(/view=table/);
      const rows = page.locator('tbody tr');
      await expect.poll(() => rows.count()).toBe(25);
      const empty = rows.filter({ hasNotText: ' ms' });
      expect(await empty.count()).toBe(3);
      expect((await empty.first().innerText()).split('\t').slice(1)).toEqual(Array(4).fill('–'));
      await page.getByRole('button', { name: 'Show as charts' }).click();
    });

    test('as CSV, with the figures of the table and empty cells', async () => {
      const wait = page.waitForEvent('download');
      await page.getByRole('button', { name: 'CSV' }).click();
      const file = await wait;
      expect(file.suggestedFilename()).toMatch(/^harbour-master_shard-1_\d{4}-.*\.csv$/);
      const [head, ...lines] = readFileSync(await file.path(), 'utf8')
        .trimEnd()
        .split('\r\n');
      expect(head).toMatch(/^hour_utc,hour_local,ping_ms,memory_mb,cpu_percent,event_loop_/);
      expect(lines).toHaveLength(25);
      expect(lines.filter((line) => line.endsWith(',,,,,0'))).toHaveLength(3);
      expect(lines.filter((line) => line.endsWith(',3')).length).toBeGreaterThanOrEqual(20);
    });

    test('as PNG', async () => {
      await charts().nth(3).locator('canvas').waitFor();
      const wait = page.waitForEvent('download');
      await page.getByRole('button', { name: 'PNG' }).click();
      const bytes = readFileSync(await (await wait).path());
      expect(bytes.subarray(1, 4).toString()).toBe('PNG');
      expect(bytes.readUInt32BE(16)).toBeGreaterThan(500);
    });

    test('a range of one’s own', async () => {
      await page.getByText('Custom…').click();
      const local = (hoursBack: number): string => {
        const at = new Date(Date.now() - hoursBack * 3_600_000);
        return at
          .toLocaleString('sv-SE', { timeZone: 'Europe/Berlin' })
          .slice(0, 16)
          .replace(' ', 'T');
      };
      await page.getByLabel('From', { exact: true }).fill(local(2));
      await page.getByLabel('To', { exact: true }).fill(local(8));
      await page.getByRole('button', { name: 'Apply' }).click();
      await page.getByText('The end must lie after the start').waitFor();
      await page.getByLabel('From', { exact: true }).fill(local(8));
      await page.getByLabel('To', { exact: true }).fill(local(2));
      await page.getByRole('button', { name: 'Apply' }).click();
      await expect.poll(() => page.url()).toMatch(/from=\d{4}.*&to=\d{4}/);
      await charts()
        .first()
        .getByText(/ median, .*[^d]\.$/)
        .waitFor();
      await page.reload();
      await charts()
        .first()
        .getByText(/ median, /)
        .waitFor();
      expect(await page.getByText('not measured.').count()).toBe(0);
    });

    test('a shard that is offline: since when, and only the measured past', async () => {
      const { stage, world } = of();
      await page.goto(`${stage.url}/b/${world.owl.keys.botId}/status`);
      await page.getByRole('heading', { name: 'Night Owl is offline' }).waitFor();
      const notice = page.getByText('Not being measured. Last online');
      await notice.getByText(/5\d min ago\. Only periods with data are charted\.$/).waitFor();
      const card = page.locator('[data-state="offline"]');
      expect(await card.innerText()).toMatch(
        /Last heartbeat\s+5\d min ago \((?:\w+ \d+, )?\d\d:\d\d\)/,
      );
      expect(await card.innerText()).not.toMatch(/Ping|Memory/);
      await charts().nth(3).waitFor();
    });

    test('API usage: totals, refusals, routes without ids, the distance to the limit', async () => {
      await open('api');
      await page.getByRole('heading', { name: 'Most called routes' }).waitFor();
      const routes = page.getByRole('group', { name: 'Most called routes' }).locator('tbody tr');
      await expect.poll(() => routes.count()).toBe(6);
      const first = (await routes.first().innerText()).replaceAll(/\s+/g, ' ');
      expect(first).toMatch(/^POST ?\/channels\/\{id\}\/messages [\d,]+ [\d.]+ %/);
      const total = page.locator('dl dd').first();
      const atDay = Number((await total.getAttribute('title'))?.replaceAll(/\D/g, ''));
      expect(atDay).toBeGreaterThan(10_000);
      await page.getByText('7 days', { exact: true }).click();
      await expect
        .poll(async () => Number((await total.getAttribute('title'))?.replaceAll(/\D/g, '')))
        .toBeGreaterThan(atDay);
      await page.getByRole('meter', { name: /Invalid requests/ }).waitFor();
    });
  });
}
