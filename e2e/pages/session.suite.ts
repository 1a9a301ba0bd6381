import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Stage } from './stage.ts';
import type { World } from './world.ts';

/** A session without a request ends after 12 hours. */
const IDLE_MS = 13 * 3_600_000;

/** The ends of a session, and addresses that lead nowhere. Turns the clock far: comes last. */
export function sessions(of: () => { readonly stage: Stage; readonly world: World }): void {
  describe('sessions', () => {
    let page: Page;
    beforeAll(async () => {
      page = await of().stage.page();
    });
    afterAll(() => page.context().close());
    const login = () => page.getByText('Log in to Bot Analytics');

    test.each(['/nowhere', '/b/00000000-0000-4000-8000-000000000000/status', '/b/nobody/api'])(
      '%s is no page',
      async (path) => {
        await page.goto(of().stage.url + path);
        await page.getByText('There is no such page').waitFor();
        await page.getByRole('link', { name: 'All bots', exact: true }).click();
        await page.getByRole('heading', { name: 'Bots' }).waitFor();
      },
    );

    test('an open page gets over an update of the server, whose parts have other names', async () => {
      const { stage, world } = of();
      await page.goto(`${stage.url}/b/${world.harbour.keys.botId}/api`);
      await page.getByRole('heading', { name: 'API usage' }).waitFor();
      let loadedAnew = 0;
      page.on('load', () => (loadedAnew += 1));
      page.on('request', (request) => {
        if (request.isNavigationRequest()) void page.unrouteAll();
      });
      await page.route('**/assets/settings-page-*', (route) => route.fulfill({ status: 404 }));
      await page.getByRole('link', { name: 'Settings' }).click();
      await page.getByRole('heading', { name: 'Keys' }).waitFor();
      expect(page.url()).toMatch(/\/settings$/);
      expect(loadedAnew).toBe(1);
      expect(stage.faults.splice(0)).toEqual([expect.stringContaining('Unable to preload')]);
    });

    test('a session that ends while a page is live leads to the login, and back to the page', async () => {
      const { stage, world } = of();
      const path = `/b/${world.harbour.keys.botId}/status?density=table`;
      await page.goto(stage.url + path);
      await page.getByTestId('live-words').getByText(/^Live/).waitFor();
      await stage.setAhead(stage.aheadMs + IDLE_MS);
      await page.reload();
      await login().waitFor();
      await page.getByLabel('Login link or token').fill(await stage.loginLink());
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByTestId('live-words').waitFor();
      expect(page.url()).toBe(stage.url + path);
    });

    test('a used link is refused', async () => {
      const { stage } = of();
      const link = await stage.loginLink();
      const other = await stage.page({ stranger: true });
      await other.goto(link);
      await other.waitForURL((url) => url.pathname !== '/login');
      const third = await stage.page({ stranger: true });
      await third.goto(link);
      await third.getByText(/This login link is used up, too old or wrong\./).waitFor();
      await third.context().close();
      await other.context().close();
    });

    test('whoever logs out is out, also in the other tab', async () => {
      const { stage } = of();
      const other = await page.context().newPage();
      await other.goto(`${stage.url}/?all=1`);
      await other.getByRole('heading', { name: 'Bots' }).waitFor();
      await page.getByRole('button', { name: 'Log out' }).click();
      await login().waitFor();
      await page.goBack();
      await login().waitFor();
      await other.reload();
      await other.getByText('Log in to Bot Analytics').waitFor();
    });
  });
}
