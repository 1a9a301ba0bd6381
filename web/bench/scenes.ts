import type { ShardStatus, StatusDelta } from '@bot-analytics/protocol/read-api';
import type { Page } from 'playwright-core';
import { dice } from '../test/mock/fleet.ts';
import { BOTS } from '../test/mock/world.ts';
import type { MockServer } from '../test/mock/server.ts';
import { appears, clickOn, CpuMeter, medianOf, settled } from './cpu.ts';

const ticks = 30;
const changedShards = 33;

/** Long tasks of a page since `watchLongTasks`, ms each. */
function watchLongTasks(page: Page): Promise<void> {
  return page.evaluate(() => {
    const long: number[] = [];
    Object.assign(globalThis, { long });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) long.push(entry.duration);
    }).observe({ type: 'longtask' });
  });
}

const longTasks = (page: Page): Promise<number> =>
  page.evaluate(() => (globalThis as unknown as { long: number[] }).long.length);

/** Changes 33 shards as their heartbeats would. */
function someChanges(tick: number): ReadonlyMap<number, Partial<ShardStatus>> {
  const roll = dice(tick);
  const changes = new Map<number, Partial<ShardStatus>>();
  while (changes.size < changedShards) {
    const ping = Math.round(40 + roll() * 140);
    changes.set(Math.floor(roll() * 2_000), {
      wsPingMs: ping,
      cpuPercent: Math.round(roll() * 500) / 10,
    });
  }
  return changes;
}

/** Figures of one way to build the page with 2,000 open cards. */
export interface CardFigures {
  readonly mountMs: number;
  readonly tickMs: number;
  readonly longTasks: number;
}

/** The page itself: 2,000 cards open, a snapshot, then a delta of 33 shards a tick. */
export async function measureCards(
  page: Page,
  mock: MockServer,
): Promise<CardFigures & { filterMs: number }> {
  const { world } = mock;
  const meter = await CpuMeter.of(page);
  world.silentStreams = true;
  await page.goto(`${mock.url}/b/${BOTS.large}/status?open=all`);
  await page.getByText('Loading the status').waitFor({ state: 'attached' });
  await settled(page);
  const status = world.statusOf(BOTS.large);
  const mountMs = await meter.during(async () => {
    world.emit(BOTS.large, 'snapshot', status);
    await appears(page, '[data-testid="groups"]');
    await settled(page);
  });
  await watchLongTasks(page);
  const tickMs: number[] = [];
  for (let tick = 0; tick < ticks; tick += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one tick after the other, as in life
    tickMs.push(
      await meter.during(async () => {
        world.change(BOTS.large, someChanges(tick));
        await settled(page);
      }),
    );
  }
  const long = await longTasks(page);
  const filterMs = await meter.during(async () => {
    await clickOn(page, '[data-hotkey="offline"] label:last-child input');
    await appears(page, '[data-testid="groups"]:not(:has(details:nth-child(4)))');
    await settled(page);
  });
  world.silentStreams = false;
  return { mountMs, tickMs: medianOf(tickMs), longTasks: long, filterMs };
}

/** The same in plain DOM code. */
export async function measurePlainCards(
  page: Page,
  url: string,
  mock: MockServer,
): Promise<CardFigures> {
  const meter = await CpuMeter.of(page);
  await page.goto(`${url}/plain.html`);
  await settled(page);
  const status = mock.world.statusOf(BOTS.large);
  const mountMs = await meter.during(async () => {
    await page.evaluate((given) => {
      const { plain } = globalThis as unknown as { plain: { mount(status: unknown): void } };
      plain.mount(given);
    }, status);
    await settled(page);
  });
  const byId = new Map(
    status.clusters.flatMap((cluster) =>
      cluster.shards.map((shard) => [shard.shardId, { ...shard, clusterId: cluster.clusterId }]),
    ),
  );
  await watchLongTasks(page);
  const tickMs: number[] = [];
  for (let tick = 0; tick < ticks; tick += 1) {
    const shards = [...someChanges(tick)].map(([id, patch]) => ({ ...byId.get(id), ...patch }));
    const { generatedAt, online, total } = status;
    const delta = { generatedAt, online, total, shards } as unknown as StatusDelta;
    // oxlint-disable-next-line no-await-in-loop -- one tick after the other, as in life
    tickMs.push(
      await meter.during(async () => {
        await page.evaluate((given) => {
          const { plain } = globalThis as unknown as { plain: { apply(delta: unknown): void } };
          plain.apply(given);
        }, delta);
        await settled(page);
      }),
    );
  }
  return { mountMs, tickMs: medianOf(tickMs), longTasks: await longTasks(page) };
}

/** Four charts of 720 points each, drawn from an answer that is already there. */
export async function measureCharts(page: Page, mock: MockServer): Promise<number> {
  const meter = await CpuMeter.of(page);
  await page.goto(`${mock.url}/b/${BOTS.large}/status/3?range=30d&view=table`);
  await page.getByText('Show as charts').waitFor();
  await settled(page);
  return meter.during(async () => {
    await clickOn(page, '[data-testid="view"]');
    await appears(page, 'figure:nth-child(4) canvas');
    await settled(page);
  });
}

/** One chart of 43,200 points: 30 days by the minute. */
export async function measurePoints(page: Page, url: string): Promise<number> {
  const meter = await CpuMeter.of(page);
  await page.goto(`${url}/points.html`);
  await settled(page);
  return meter.during(async () => {
    await page.evaluate(() => {
      (globalThis as unknown as { points: { draw(count: number): void } }).points.draw(43_200);
    });
    await settled(page);
  });
}

/** Largest contentful paint of an address, ms. */
export async function measurePaint(page: Page, url: string): Promise<number> {
  await page.goto(url);
  await page.getByTestId('groups').waitFor();
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          resolve(list.getEntries().at(-1)?.startTime ?? Number.NaN);
        }).observe({ type: 'largest-contentful-paint', buffered: true });
      }),
  );
}

/** Growth of the heap while a delta of 33 shards arrives each second, bytes. */
export async function measureSoak(page: Page, mock: MockServer, minutes: number): Promise<number> {
  const meter = await CpuMeter.of(page);
  await page.goto(`${mock.url}/b/${BOTS.large}/status?open=all`);
  await page.getByText('1,987 of 2,000').first().waitFor();
  const step = async (tick: number, everyMs: number): Promise<void> => {
    mock.world.change(BOTS.large, someChanges(tick));
    await page.waitForTimeout(everyMs);
  };
  // React keeps a second copy of a card from its first change on; 300 deltas change nearly all cards.
  for (let tick = 0; tick < 300; tick += 1) await step(tick, 100); // oxlint-disable-line no-await-in-loop
  const before = await meter.heapBytes();
  for (let tick = 0; tick < minutes * 60; tick += 1) await step(300 + tick, 1_000); // oxlint-disable-line no-await-in-loop
  return (await meter.heapBytes()) - before;
}
