import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { BOTS, MockWorld } from '../mock/world.ts';
import { axeFaults, layoutFaults, setTextSpacing } from './stage.ts';
import type { Stage } from './stage.ts';
import { STATES } from './states.ts';
import type { PageState } from './states.ts';

/** What a screen reader gets of a card. */
const ONLINE_CARD = [
  '- listitem:',
  '  - link "Shard 16":',
  `    - /url: /b/${BOTS.clusters}/status/16`,
  '  - text: Online',
  '  - term: Ping',
  '  - definition: 67 ms',
  '  - term: Memory',
  '  - definition: 449 MB',
  '  - term: CPU',
  '  - definition: 5.3 %',
  '  - term: Guilds',
  '  - definition: 1,104',
  '  - term: Voice',
  '  - definition: "7"',
].join('\n');
const OFFLINE_CARD = [
  '- listitem:',
  '  - link "Shard 18":',
  `    - /url: /b/${BOTS.clusters}/status/18`,
  '  - text: Offline',
  '  - term: Last heartbeat',
  '  - definition:',
  '    - time: 00 min ago (00:00)',
  '  - definition: 1,195 guilds without the bot',
].join('\n');

/** Times move on; what is around them does not. */
const withoutTimes = (text: string): string =>
  text.replace(/\d+ min ago \(\d\d:\d\d\)/, '00 min ago (00:00)');

async function open(stage: Stage, page: Page, state: PageState): Promise<void> {
  const { world } = stage.mock;
  state.before?.(world);
  await page.goto('about:blank');
  await page.goto(stage.mock.url + state.path);
  await page.getByText(state.ready).first().waitFor({ state: 'attached' });
  await state.act?.(page, world);
}

/** Undoes what a state turned. */
export function resetWorld(world: MockWorld): void {
  const fresh = new MockWorld();
  world.loggedIn = true;
  world.bots = fresh.bots;
  world.keys = fresh.keys;
  world.shares = [];
  world.arrived = [];
  world.storedEvents = 60;
  world.failing.clear();
  world.hanging.clear();
  world.streamStatus = 200;
  for (const [id, status] of fresh.statuses) world.statuses.set(id, status);
}

/** Accessibility and layout of every page, theme, width and state. */
export function looks(stageOf: () => Stage): void {
  describe('every page in every state', () => {
    let page: Page;
    beforeAll(async () => {
      page = await stageOf().page();
    });
    afterEach(() => resetWorld(stageOf().mock.world));
    afterAll(() => page.context().close());

    test.each(STATES)('$name', async (state) => {
      await page.setViewportSize({ width: 1_280, height: 800 });
      await open(stageOf(), page, state);
      for (const width of [1_280, 360]) {
        await page.setViewportSize({ width, height: 800 });
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          const where = `${state.name}, ${width} px, ${colorScheme}`;
          // Nothing but colours differs between the themes.
          const rules = colorScheme === 'light' ? 'all' : 'colours';
          expect(await axeFaults(page, rules), where).toEqual([]);
        }
        expect(await layoutFaults(page), `${state.name}, ${width} px`).toEqual([]);
      }
      await page.setViewportSize({ width: 320, height: 640 });
      expect(await layoutFaults(page), `${state.name}, 320 px`).toEqual([]);
      await setTextSpacing(page, true);
      expect(await layoutFaults(page), `${state.name}, text spacing`).toEqual([]);
      await setTextSpacing(page, false);
      await page.setViewportSize({ width: 640, height: 800 });
      await page.evaluate(() => {
        document.documentElement.style.fontSize = '200%';
      });
      expect(await layoutFaults(page), `${state.name}, 200 % font`).toEqual([]);
      expect(stageOf().faults).toEqual([]);
    });

    test('online and offline differ by word and border, not only by colour', async () => {
      await open(stageOf(), page, {
        name: '',
        path: `/b/${BOTS.clusters}/status`,
        ready: 'Cluster 3',
      });
      const looksOf = (shard: number) =>
        page.locator('li', {
          has: page.getByRole('link', { name: `Shard ${shard}`, exact: true }),
        });
      const style = (shard: number) =>
        looksOf(shard).evaluate((card) => getComputedStyle(card).borderTopStyle);
      expect([await style(16), await style(18)]).toEqual(['solid', 'dashed']);
      expect(withoutTimes(await looksOf(18).ariaSnapshot())).toBe(OFFLINE_CARD);
      expect(await looksOf(16).ariaSnapshot()).toBe(ONLINE_CARD);
    });
  });
}
