import { startChatSim, type ChatSim } from '@bot-analytics/chat-sim';
import type { Health } from '@bot-analytics/protocol/read-api';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BotKeys } from '../stage.ts';
import type { Child } from './child.ts';
import { answerOf, type Stage } from './stage.ts';
import type { World } from './world.ts';

const UUID = '01a1fcb2-7d18-7036-9e14-3a4c2e43d2';

/** Settings of a bot that runs, and links for people without a login. */
export function managing(of: () => { readonly stage: Stage; readonly world: World }): void {
  describe('settings and share links', () => {
    let page: Page;
    let guest: Page;
    let sim: ChatSim;
    let keys: BotKeys;
    let bot: Child;

    beforeAll(async () => {
      const { stage } = of();
      sim = await startChatSim({ seed: 8, guilds: 3, shards: 1 });
      keys = await stage.api.createBot('Gatekeeper');
      bot = stage.discordJs(keys, sim.restUrl);
      page = await stage.page();
      guest = await stage.page({ stranger: true });
      await sim.gateway.untilConnected(1);
    });
    afterAll(async () => {
      await bot?.kill();
      await page?.context().close();
      await guest?.context().close();
      await sim?.stop();
    });

    const settings = () => page.goto(`${of().stage.url}/b/${keys.botId}/settings`);
    const send = (apiKey: string, events: readonly unknown[]) =>
      fetch(`${of().stage.url}/v1/events`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ events }),
      });
    const event = (tail: string, change: object = {}) => ({
      id: UUID + tail,
      type: 'interaction_button',
      ts: new Date(Date.now() + of().stage.aheadMs).toISOString(),
      data: { commandName: 'vote' },
      ...change,
    });

    test('ingestion health counts duplicates, rejected events and refused requests', async () => {
      await send(keys.apiKey, [event('aa'), event('aa')]);
      await send(keys.apiKey, [event('aa'), event('ab', { type: 'interaction_telepathy' })]);
      expect((await send(keys.apiKey, [event('ac', { type: 'nothing' })])).status).toBe(400);
      await of().stage.chores();
      await answerOf<Health>(of().stage, keys, 'health', (health) => health.duplicates === 2);
      await settings();
      const tile = (label: string) =>
        page.locator('dl > div', { has: page.getByText(label, { exact: true }) }).locator('dd');
      await expect.poll(() => tile('Duplicates').innerText()).toBe('2');
      expect(await tile('Rejected').innerText()).toBe('2');
      expect(await tile('Dropped by the SDK').innerText()).toBe('0');
      await page.getByText('The clock of the bot agrees with the server’s.').waitFor();
      await page
        .getByRole('group', { name: 'Rejected events' })
        .getByText('unknown_type')
        .waitFor();
      const refused = page.getByRole('group', { name: 'Refused requests' });
      await refused.getByText('all_events_rejected').waitFor();
      await page
        .getByText(/^@vendor\/chat\.js 0\.5\.0$/)
        .first()
        .waitFor();
    });

    test('a rotated key: the bot goes on with the old one until its overlap ends', async () => {
      await page.getByRole('button', { name: 'Rotate the ingest key' }).click();
      await page.getByText('1 h', { exact: true }).click();
      await page.getByRole('button', { name: 'Make a new key' }).click();
      await page.getByText('Shown only now.').waitFor();
      const fresh = String(
        await page
          .locator('code')
          .filter({ hasText: /^bak_\w{40,}/ })
          .first()
          .textContent(),
      );
      await page.getByText(/^Ends in (1 h|59 min)$/).waitFor();
      await page.getByText(/The former ingest keys work until/).waitFor();
      expect((await send(fresh, [])).status).toBe(200);
      expect((await send(keys.apiKey, [])).status).toBe(200);
      await sim.settled(sim.users.slash({ command: 'ping' }));
      await expect
        .poll(async () => (await of().stage.api.events(keys, '&type=interaction_slash')).length)
        .toBe(1);
    });

    test('a revoked key is refused within 5 s, and the page says so', async () => {
      const keyId = keys.apiKey.split('_')[1] ?? '';
      await page.getByRole('button', { name: `Revoke key ${keyId}` }).click();
      const dialog = page.getByRole('dialog');
      expect(await dialog.getByRole('button', { name: 'Revoke' }).isDisabled()).toBe(true);
      await dialog.getByLabel(/to confirm/).fill(keyId);
      await dialog.getByRole('button', { name: 'Revoke' }).click();
      await page.getByText(/^Revoked (just now|\d s ago)$/).waitFor();
      await expect
        .poll(async () => (await send(keys.apiKey, [])).status, { timeout: 5_000 })
        .toBe(401);
    });

    test('name and retention are kept; what is no number is refused before it is sent', async () => {
      const days = page.getByLabel('Keep events for, days');
      await days.fill('soon');
      expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
      await days.fill('14');
      await page.getByLabel('Name').fill('Doorman');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved ✓').waitFor();
      await page.reload();
      await page.getByText('Keep events for, days').waitFor();
      expect(await days.inputValue()).toBe('14');
      expect(await page.getByLabel('Name').inputValue()).toBe('Doorman');
      await expect
        .poll(() =>
          page.getByRole('combobox', { name: 'Bot' }).locator('option:checked').innerText(),
        )
        .toBe('Doorman');
    });

    test('a share link shows the chosen sections to a guest, and nothing else', async () => {
      const { stage, world } = of();
      await page.goto(`${stage.url}/b/${world.harbour.keys.botId}/settings#share`);
      await page.getByLabel('API usage').check();
      await page.getByRole('button', { name: 'Make a link' }).click();
      await page.getByText('The link is ready.').waitFor();
      const link = String(await page.locator('code', { hasText: /\/p\// }).first().textContent());
      const token = link.split('/p/')[1] ?? '';
      await guest.goto(link);
      await guest.getByRole('heading', { name: 'All 4 shards online' }).waitFor();
      expect(await guest.getByRole('link', { name: /^Shard/ }).count()).toBe(0);
      expect(await guest.getByText('Log out').count()).toBe(0);
      await guest.getByRole('link', { name: 'API usage' }).click();
      await guest.getByRole('heading', { name: 'Most called routes' }).waitFor();
      await guest.goto(`${link}/1`);
      await guest.getByText('This link shows nothing').waitFor();
      await guest.goto(`${stage.url}/b/${world.harbour.keys.botId}/status`);
      await guest.getByText('Log in to Bot Analytics').waitFor();

      const open = `${stage.url}/v1/public/${token}`;
      const badge = await fetch(`${open}/badge.svg`);
      expect(badge.headers.get('content-type')).toMatch(/^image\/svg\+xml/);
      expect(await badge.text()).toContain('Harbour Master: 4 of 4 shards online');
      expect(await (await fetch(`${open}/summary`)).json()).toMatchObject({
        name: 'Harbour Master',
        state: 'online',
        online: 4,
        total: 4,
      });
    });

    test('a revoked link is gone, also for the guest who has it open', async () => {
      const link = String(await page.locator('code', { hasText: /\/p\// }).first().textContent());
      await guest.goto(link);
      await guest.getByRole('heading', { name: 'All 4 shards online' }).waitFor();
      await page.getByRole('button', { name: /^Revoke link/ }).click();
      await page.getByText('Revoked', { exact: true }).waitFor();
      await guest.reload();
      await guest.getByText('This link shows nothing').waitFor();
      const token = link.split('/p/')[1] ?? '';
      for (const route of ['badge.svg', 'summary', 'status']) {
        const answer = await fetch(`${of().stage.url}/v1/public/${token}/${route}`);
        expect(answer.status, route).toBe(404);
      }
    });
  });
}
