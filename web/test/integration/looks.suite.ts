import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { MockWorld } from '../mock/world.ts';
import { axeFaults, layoutFaults, setTextSpacing } from './stage.ts';
import type { Stage } from './stage.ts';
import { STATES } from './states.ts';
import type { PageState } from './states.ts';

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
  });
}
