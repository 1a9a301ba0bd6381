import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeFaults, layoutFaults } from '../../web/test/integration/stage.ts';
import type { Stage } from './stage.ts';
import type { World } from './world.ts';

type Bot = 'owl' | 'harbour' | 'thousand' | 'station' | 'empty';

interface Look {
  readonly bot?: Bot;
  readonly path: string;
  /** Text that says the page is there. */
  readonly ready: string;
}

/** Every page, with an answer of the real server. Tiles of 64: axe takes 4 s for 2,000 of the same. */
const PAGES: readonly Look[] = [
  { path: '/?all=1', ready: '1,987 of 2,000' },
  { path: '/new', ready: 'Name the bot' },
  { path: '/nowhere', ready: 'There is no such page' },
  { path: '/login', ready: 'Log in to Bot Analytics' },
  { bot: 'empty', path: 'connect', ready: 'Waiting for the first batch' },
  { bot: 'empty', path: 'status', ready: 'Waiting for the first heartbeat' },
  { bot: 'empty', path: 'activity', ready: 'No events yet' },
  { bot: 'empty', path: 'api', ready: 'Nothing was measured' },
  { bot: 'owl', path: 'status', ready: 'not measured.' },
  { bot: 'station', path: 'status', ready: 'Cluster 3' },
  { bot: 'thousand', path: 'status', ready: '13 offline' },
  { bot: 'station', path: 'status?density=tiles&fill=ping', ready: 'Cluster 3' },
  { bot: 'station', path: 'status?density=table', ready: 'Last heartbeat' },
  { bot: 'harbour', path: 'status/1', ready: 'not measured.' },
  { bot: 'harbour', path: 'status/1?view=table', ready: 'Show as charts' },
  { bot: 'station', path: 'activity', ready: 'shard ready' },
  { bot: 'harbour', path: 'api', ready: 'Most called routes' },
  { bot: 'harbour', path: 'settings', ready: 'Last batch' },
];

/** What Tab reaches from the top of the page to its end, by name; at most `max` + 1. */
async function tabStops(page: Page, max: number): Promise<readonly string[]> {
  const stops: string[] = [];
  while (stops.length <= max) {
    await page.keyboard.press('Tab');
    const name = await page.evaluate(() => {
      const { activeElement: at, body } = document;
      if (at === null || at === body) return null;
      return `${at.tagName} ${at.getAttribute('aria-label') ?? at.textContent}`.slice(0, 40);
    });
    // Behind the last one comes the browser's own bar, or at once the first one again.
    if (name === null || name === stops[0]) break;
    stops.push(name);
  }
  return stops;
}

/** Accessibility, layout and keyboard of the real pages. */
export function looks(of: () => { readonly stage: Stage; readonly world: World }): void {
  describe('looks', () => {
    let page: Page;
    beforeAll(async () => {
      page = await of().stage.page();
      await of().world.thousand.refresh();
      await of().world.station.sim.gateway.untilConnected(64);
    });
    afterAll(() => page.context().close());
    const addressOf = (path: string, bot?: Bot): string => {
      const { stage, world } = of();
      if (bot === undefined) return stage.url + path;
      const keys = bot === 'empty' ? world.empty : world[bot].keys;
      return `${stage.url}/b/${keys.botId}/${path}`;
    };

    test.each(PAGES)('$path ($ready)', async ({ path, bot, ready }) => {
      await page.setViewportSize({ width: 1_280, height: 800 });
      await page.emulateMedia({ colorScheme: 'light' });
      await page.goto(addressOf(path, bot));
      await page.getByText(ready).first().waitFor();
      expect(await axeFaults(page), 'light').toEqual([]);
      expect(await layoutFaults(page), '1280 px').toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await axeFaults(page, 'colours'), 'dark').toEqual([]);
      await page.setViewportSize({ width: 360, height: 740 });
      expect(await axeFaults(page), '360 px, dark').toEqual([]);
      expect(await layoutFaults(page), '360 px').toEqual([]);
    });

    test.each([
      ['thousand', 'status', '13 offline', 140],
      ['thousand', 'status?density=tiles', '13 offline', 140],
      ['station', 'status', 'Cluster 3', 60],
      ['harbour', 'status/1', 'not measured.', 40],
      ['harbour', 'settings', 'Last batch', 60],
    ] as const)('the keyboard gets through %s %s', async (bot, path, ready, max) => {
      await page.setViewportSize({ width: 1_280, height: 800 });
      await page.goto(addressOf(path, bot));
      await page.getByText(ready).first().waitFor();
      const stops = await tabStops(page, max);
      expect(stops.length, stops.join('\n')).toBeGreaterThan(8);
      expect(stops.length, stops.join('\n')).toBeLessThanOrEqual(max);
    });
  });
}
