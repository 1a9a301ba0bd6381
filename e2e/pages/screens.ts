import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { answerOf, Stage, type View } from './stage.ts';
import { BARE, HIT, LOST, SHOTS, type Cast, type Shot } from './shots.ts';
import { makeParrot, makeWorld, WORLD_STARTS_MS } from './world.ts';

/**
 * Pictures of every page in every state, light, dark and at 360 px, of the real server:
 * `npx tsx --conditions=source e2e/pages/screens.ts FOLDER [PART OF A NAME]`.
 */
const [folder = 'screens', only = ''] = process.argv.slice(2);
const into = resolve(folder);
mkdirSync(into, { recursive: true });

const LOOKS = {
  light: { width: 1_280, colorScheme: 'light' },
  dark: { width: 1_280, colorScheme: 'dark' },
  '360': { width: 360, colorScheme: 'light' },
} as const satisfies Record<string, View>;
type LookName = keyof typeof LOOKS;

/** What is below is drawn only where it is seen, so the window grows with the page, up to this. */
const HEIGHT_MAX = 2_600;

async function picture(page: Page, name: string, look: LookName): Promise<void> {
  const { width } = LOOKS[look];
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width, height: Math.min(HEIGHT_MAX, Math.max(800, height)) });
  await page.screenshot({ path: join(into, `${name}.${look}.png`), animations: 'disabled' });
  await page.setViewportSize({ width, height: 800 });
}

async function open(stage: Stage, page: Page, shot: Shot, cast: Cast): Promise<void> {
  const { hang, fail } = shot;
  await page.goto('about:blank');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  if (hang !== undefined) await page.route(`**${hang}*`, () => undefined);
  if (fail !== undefined) await page.route(`**${fail}*`, (route) => route.abort());
  await page.goto(new URL(shot.path(cast), stage.url).href);
  await page.getByText(shot.ready).first().waitFor({ state: 'attached' });
  await page.waitForLoadState('networkidle', { timeout: 700 }).catch(() => undefined);
  await shot.act?.(page);
}

/** Three browsers with a session and three without. */
async function pagesOf(stage: Stage, stranger: boolean): Promise<Record<LookName, Page>> {
  const pages: Partial<Record<LookName, Page>> = {};
  for (const look of Object.keys(LOOKS) as LookName[]) {
    const page = await stage.page({ ...LOOKS[look], stranger });
    await page.clock.install();
    pages[look] = page;
  }
  return pages as Record<LookName, Page>;
}

const stage = await Stage.open(WORLD_STARTS_MS);
const inside = await pagesOf(stage, false);
const outside = await pagesOf(stage, true);
const failed: string[] = [];

async function take(shots: readonly Shot[], cast: Cast): Promise<void> {
  for (const shot of shots.filter(({ name }) => name.includes(only))) {
    const pages = shot.stranger === true ? outside : inside;
    for (const look of Object.keys(LOOKS) as LookName[]) {
      try {
        await open(stage, pages[look], shot, cast);
      } catch (error) {
        failed.push(`${shot.name}.${look}: ${String(error).split('\n')[0]}`);
      }
      await picture(pages[look], shot.name, look);
    }
  }
}

async function shareOf(botId: string): Promise<{ path: string; shareId: string }> {
  const response = await call('POST', `/v1/bots/${botId}/shares`, {
    sections: ['status', 'history', 'api'],
    expiresAt: null,
  });
  const { token, shareId } = (await response.json()) as { token: string; shareId: string };
  return { path: `/p/${token}`, shareId };
}

function call(method: string, path: string, body?: object): Promise<Response> {
  return fetch(stage.url + path, {
    method,
    headers: {
      authorization: `Bearer ${stage.api.adminToken}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

await take(BARE, {} as Cast); // its path needs nobody
const world = await makeWorld(stage, 31 * 24);
const parrot = await makeParrot(stage);
const share = await shareOf(world.harbour.keys.botId);
const gone = await shareOf(world.harbour.keys.botId);
await call('DELETE', `/v1/shares/${gone.shareId}`);
const usedLink = await stage.loginLink();
await outside.light.goto(usedLink);
await outside.light.waitForURL((url) => url.pathname !== '/login');
await outside.light.context().clearCookies();
const cast: Cast = { world, parrot, share: share.path, gone: gone.path, usedLink };
await fetch(`${stage.url}/v1/events`, {
  method: 'POST',
  headers: { authorization: `Bearer ${world.empty.apiKey}`, 'content-type': 'application/json' },
  body: 'events?',
});
await world.station.sim.gateway.untilConnected(64);
await stage.chores();
const beat = setInterval(() => {
  void Promise.all([world.thousand.refresh(), world.harbour.feeder.beat()]);
}, 45_000);
await take(SHOTS, cast);

const { sim, processes } = world.station;
sim.gateway.refuseResume({ shardId: 5, times: 1_000 });
sim.gateway.refuseIdentify({ shardId: 5, with: 'invalid-session', times: 1_000 });
sim.gateway.close({ shardId: 5, code: 4000 });
await answerOf<{ clusters: { shards: { gateway: string }[] }[] }>(
  stage,
  world.station.keys,
  'status',
  ({ clusters }) => clusters[0]?.shards[5]?.gateway !== 'ready',
);
await processes[3]?.kill();
await stage.setAhead(125_000);
await Promise.all([world.thousand.refresh(), world.harbour.feeder.beat()]);
await take(HIT, cast);

clearInterval(beat);
for (const shot of LOST.filter(({ name }) => name.includes(only))) {
  const pages = Object.entries(shot.stranger === true ? outside : inside);
  for (const [, page] of pages) await open(stage, page, shot, cast);
  await stage.killServer();
  for (const [look, page] of pages) {
    await page.clock.runFor(6_000);
    await page.getByText(/Connection lost|could not be loaded/).waitFor();
    await picture(page, shot.name, look as LookName);
  }
  await stage.startServer();
}

await stage.close();
await world.close();
await parrot.sim.stop();
for (const line of [...failed, ...stage.faults]) console.log(line);
