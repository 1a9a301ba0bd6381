import { afterAll, beforeAll } from 'vitest';
import { activity } from './activity.suite.ts';
import { keyboard } from './keyboard.suite.ts';
import { liveness } from './live.suite.ts';
import { flows } from './flows.suite.ts';
import { looks } from './looks.suite.ts';
import { Stage } from './stage.ts';

let stage: Stage | undefined;

/** The suites share one Chromium: a start costs a second, and the machine has two cores. */
function stageOf(): Stage {
  if (stage === undefined) throw new Error('Chromium did not start');
  return stage;
}

beforeAll(async () => {
  stage = await Stage.open();
});

afterAll(async () => {
  await stage?.close();
});

looks(stageOf);
liveness(stageOf);
keyboard(stageOf);
flows(stageOf);
activity(stageOf);
