import type { Status } from '@bot-analytics/protocol/read-api';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../stage.ts';
import { answerOf, type Stage } from './stage.ts';
import type { World } from './world.ts';

/** Clock of the server when shards of this suite have been silent for two minutes. */
const LATER_MS = 125_000;

function guildsOf({ clusters }: Status): number {
  const shards = clusters.flatMap((cluster) => cluster.shards);
  return shards.reduce((sum, { guildCount }) => sum + (guildCount ?? 0), 0);
}

/** A real bot of 64 shards in four processes: what it does is on the page at once, and what becomes of it. */
export function fleet(of: () => { readonly stage: Stage; readonly world: World }): void {
  describe('64 shards of discord.js', () => {
    let page: Page;
    beforeAll(async () => {
      page = await of().stage.page();
      await of().world.station.sim.gateway.untilConnected(64);
      await open();
    });
    afterAll(() => page.context().close());
    const open = async (search = ''): Promise<void> => {
      const { stage, world } = of();
      await page.goto(`${stage.url}/b/${world.station.keys.botId}/status${search}`);
    };
    const heading = (name: string) => page.getByRole('heading', { level: 1, name });
    const live = () => page.getByTestId('live-words');
    const card = (shard: number) =>
      page.locator('li', { has: page.getByRole('link', { name: `Shard ${shard}`, exact: true }) });
    const offlineCards = () => page.locator('[data-state="offline"]').count();

    test('all shards, in their clusters, with the figures of their processes', async () => {
      await heading('All 64 shards online').waitFor();
      await page.getByText('64 guilds', { exact: true }).waitFor();
      expect(await page.locator('summary').count()).toBe(4);
      expect(await page.getByRole('link', { name: /^Shard \d+$/ }).count()).toBe(64);
      // Heartbeats of one process share its memory, and another process has its own.
      const memory = async (shard: number) => /(\d+) MB/.exec(await card(shard).innerText())?.[1];
      await card(63)
        .getByText(/^\d\d+ MB$/)
        .waitFor();
      expect(Number(await memory(40))).toBeGreaterThan(30);
    });

    test('a cluster collapses, and the address keeps it', async () => {
      await page.locator('summary', { hasText: 'Cluster 2' }).click();
      await page.getByRole('link', { name: 'Shard 40' }).waitFor({ state: 'detached' });
      await expect.poll(() => page.url()).toMatch(/\?shut=c2$/);
      await page.locator('summary', { hasText: 'Cluster 2' }).click();
      await page.getByRole('link', { name: 'Shard 40' }).waitFor();
    });

    test('a guild of the platform is found on the shard that serves it', async () => {
      const { sim } = of().world.station;
      const guild = [...sim.world.guilds.values()][42];
      await page.getByRole('searchbox').fill(String(guild?.facts.id));
      await page.getByText('is on shard 42 of 64.').waitFor();
      await page.getByRole('searchbox').fill('');
      await page.getByRole('link', { name: 'Shard 63' }).waitFor();
    });

    test('a new guild is on its card within 3 s, without a reload', async () => {
      const { sim } = of().world.station;
      const guildId = BigInt(sim.guilds.join().facts.id);
      const shard = Number((guildId >> 22n) % 64n);
      await expect
        .poll(async () => (await card(shard).innerText()).replaceAll(/\s+/g, ' '), {
          timeout: 3_000,
        })
        .toMatch(/Guilds 2\b/);
      await live()
        .getByText(/^Live, updated now$/)
        .waitFor();
    });

    test('pause keeps what is shown, resume brings the present', async () => {
      const { stage, world } = of();
      const shownGuilds = () => page.getByText(/^6\d guilds$/).innerText();
      const before = await shownGuilds();
      await page.getByRole('button', { name: 'Pause live updates' }).click();
      await live()
        .getByText(/^Paused at/)
        .waitFor();
      world.station.sim.guilds.join();
      await answerOf<Status>(stage, world.station.keys, 'status', (status) => {
        return `${guildsOf(status)} guilds` !== before;
      });
      expect(await shownGuilds()).toBe(before);
      await page.getByRole('button', { name: 'Resume live updates' }).click();
      await expect.poll(shownGuilds).not.toBe(before);
    });

    test('a killed server: said at once, nothing painted grey, and back by itself', async () => {
      const { stage } = of();
      await live().getByText(/^Live/).waitFor();
      await stage.killServer();
      await page
        .getByText(/^Connection lost, showing \d\d:\d\d:\d\d\./)
        .waitFor({ timeout: 3_000 });
      await live()
        .getByText(/^Stopped at/)
        .waitFor();
      expect(await offlineCards()).toBe(0);
      expect(await heading('All 64 shards online').count()).toBe(1);
      await stage.startServer();
      await page.getByText('Connection lost').waitFor({ state: 'detached', timeout: 31_000 });
      await live().getByText(/^Live/).waitFor();
      expect(await offlineCards()).toBe(0);
    });

    test('two minutes after a process died its shards are offline, and one without gateway is marked', async () => {
      const { stage, world } = of();
      const { sim, processes } = world.station;
      sim.gateway.refuseResume({ shardId: 5, times: 1_000 });
      sim.gateway.refuseIdentify({ shardId: 5, with: 'invalid-session', times: 1_000 });
      sim.gateway.close({ shardId: 5, code: 4000 });
      // Two minutes of silence count from the first heartbeat that tells of it.
      await answerOf<Status>(stage, world.station.keys, 'status', ({ clusters }) =>
        clusters.some(({ shards }) =>
          shards.some(({ shardId, gateway }) => shardId === 5 && gateway !== 'ready'),
        ),
      );
      // The restarted server asked for a pause, in which only heartbeats are sent. What comes after
      // the clock was turned would be taken for the event of a slow clock.
      await until('the lost connection', async () =>
        (await stage.api.events(world.station.keys, '&type=shard_disconnect')).find(
          ({ data }) => data['code'] === 4000,
        ),
      );
      await processes[3]?.kill();
      await stage.setAhead(LATER_MS);
      await heading('48 of 64 shards online').waitFor();
      await page.getByText(/16 offline in 1 cluster · 1 not responding to the platform/).waitFor();
      expect(await offlineCards()).toBe(16);
      const names = await page
        .locator('summary')
        .evaluateAll((all) => all.map((one) => one.querySelector('span')?.textContent));
      expect(names[0]).toBe('Cluster 3');
    });

    test('an offline card tells its last heartbeat and no old figure', async () => {
      const text = (await card(60).innerText()).replaceAll(/\s+/g, ' ');
      expect(text).toMatch(
        /^Shard 60 Offline Last heartbeat 2 min ago \(\d\d:\d\d\) \d guilds? without the bot$/,
      );
    });

    test('“not responding” is said in words, on the card and on its page', async () => {
      await card(5).getByText('Not responding').waitFor();
      await card(5)
        .getByText(/its gateway connection has been silent for 2 min/)
        .waitFor();
      await page.getByRole('link', { name: 'Shard 5', exact: true }).click();
      await page.getByRole('heading', { name: 'Shard 5' }).waitFor();
      await page.getByText(/^Not responding to the platform\./).waitFor();
      await page
        .getByText(/^Disconnected \(4000/)
        .first()
        .waitFor();
    });

    test('only what is offline, as a table', async () => {
      await open('?show=offline&density=table');
      await expect.poll(() => page.locator('tbody tr').count()).toBe(16);
    });
  });
}
