import { afterAll, beforeAll, expect, test } from 'vitest';
import { fleet } from './fleet.suite.ts';
import { thousands } from './large.suite.ts';
import { looks } from './looks.suite.ts';
import { managing } from './manage.suite.ts';
import { sessions } from './session.suite.ts';
import { past } from './shard.suite.ts';
import { Stage } from './stage.ts';
import { makeWorld, WORLD_STARTS_MS, type World } from './world.ts';

/**
 * Every page against the real server and its store (decision 0093), in real Chromium, fed by bots on the stand-in
 * platform and, where 2,000 shards or a past are wanted, by heartbeats of the same form. The suites
 * share one server and one browser; those that turn the clock come last.
 */
let scene: { readonly stage: Stage; readonly world: World } | undefined;

function sceneOf(): { readonly stage: Stage; readonly world: World } {
  if (scene === undefined) throw new Error('The stage did not open.');
  return scene;
}

beforeAll(async () => {
  const stage = await Stage.open(WORLD_STARTS_MS);
  scene = { stage, world: await makeWorld(stage) };
});

afterAll(async () => {
  await scene?.stage.close();
  await scene?.world.close();
});

past(sceneOf);
managing(sceneOf);
thousands(sceneOf);
looks(sceneOf);
fleet(sceneOf);
sessions(sceneOf);

test('no script failed and no policy was broken', () => {
  expect(sceneOf().stage.faults).toEqual([]);
});
