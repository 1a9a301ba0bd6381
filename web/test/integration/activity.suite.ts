import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeEach, beforeAll, describe, expect, test } from 'vitest';
import { BOTS } from '../mock/world.ts';
import { resetWorld } from './looks.suite.ts';
import { leave } from './stage.ts';
import type { Stage } from './stage.ts';

const SLASH = {
  id: '01990000-0000-7000-8000-0000000000ff',
  type: 'interaction_slash',
  guildId: '81384788765712384',
  channelId: null,
  userId: null,
  data: { commandName: 'fresh', success: true, timedOut: false, latencyMs: 42, shardId: 7 },
};

/** Events as they arrive. */
export function activity(stageOf: () => Stage): void {
  describe('activity', () => {
    let page: Page;
    beforeAll(async () => {
      page = await stageOf().page();
      await page.clock.install();
    });
    beforeEach(async () => {
      await page.goto(`${stageOf().mock.url}/b/${BOTS.one}/activity`);
      await page.getByText('button ticket-{id}').first().waitFor();
    });
    afterEach(async () => {
      await leave(page);
      resetWorld(stageOf().mock.world);
    });
    afterAll(() => page.context().close());

    const arrive = (): void => {
      const { world } = stageOf().mock;
      world.arrived = [{ ...SLASH, ts: new Date(world.startMs + 1_000).toISOString() }];
    };
    const asked = (): number =>
      stageOf().mock.world.calls.filter((each) => each.endsWith('/events')).length;
    const firstRow = () => page.locator('tbody tr').first();

    test('a new command stands on top within 3 s, with latency, outcome, shard and guild', async () => {
      arrive();
      await page.clock.runFor(3_000);
      await page.getByText('/fresh').waitFor();
      const cells = await firstRow().locator('td').allInnerTexts();
      expect(cells.slice(1).map((cell) => cell.trim())).toEqual([
        '/fresh',
        '42 ms',
        'OK',
        '7',
        '81384788765712384',
      ]);
    });

    test('while paused nothing is asked for; going on asks at once', async () => {
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByText(/^Paused at/).waitFor();
      arrive();
      const before = asked();
      await page.clock.runFor(30_000);
      expect(await page.getByText('/fresh').count()).toBe(0);
      await page.getByRole('button', { name: 'Resume' }).click();
      await page.getByText('/fresh').waitFor();
      expect(asked()).toBe(before + 1);
    });

    test('the filter shows one group, and the address keeps it', async () => {
      await page.getByText('Gateway', { exact: true }).click();
      await page.waitForURL(/\?show=gateway$/);
      await page.locator('tbody tr', { hasText: '/ping' }).first().waitFor({ state: 'detached' });
      const words = await page.locator('tbody td:nth-child(2)').allInnerTexts();
      expect(new Set(words)).toEqual(new Set(['12 messages', '1 reaction']));
      await page.reload();
      expect(await page.getByRole('radio', { name: 'Gateway' }).isChecked()).toBe(true);
    });

    test('older events stand behind the newest; the page holds still until somebody goes on', async () => {
      const { world } = stageOf().mock;
      world.storedEvents = 450;
      await page.reload();
      const rows = page.locator('tbody tr');
      await page.getByText('button ticket-{id}').first().waitFor();
      expect(await rows.count()).toBe(200);
      await page.getByRole('button', { name: 'Load older events' }).click();
      await expect.poll(() => rows.count()).toBe(400);
      await page.getByText(/^Paused at/).waitFor();
      arrive();
      await page.clock.runFor(30_000);
      expect(await page.getByText('/fresh').count()).toBe(0);
      await page.getByRole('button', { name: 'Load older events' }).click();
      await page.getByText('This is everything that is kept.').waitFor();
      expect(await rows.count()).toBe(450);
      const ids = await rows
        .locator('time')
        .evaluateAll((all) => all.map((one) => one.getAttribute('datetime') ?? ''));
      expect(ids).toEqual(ids.toSorted().toReversed());
      await page.getByRole('button', { name: 'Resume' }).click();
      await page.getByText('/fresh').waitFor();
      expect(await rows.count()).toBe(200);
    });

    test('a failing server leaves the rows, says so, and recovers by itself', async () => {
      const { world } = stageOf().mock;
      world.failing.add('events');
      await page.clock.runFor(3_000);
      await page.getByText('could not be loaded; these are as of').waitFor();
      expect(await page.locator('tbody tr').count()).toBe(60);
      world.failing.clear();
      await page.clock.runFor(6_000);
      await page.getByText('could not be loaded').waitFor({ state: 'detached' });
    });
  });
}
