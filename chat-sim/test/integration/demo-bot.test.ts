import { expect, test } from 'vitest';
import { createDemoBot } from '../../src/bots/index.ts';
import { startChatSim } from '../../src/index.ts';

test('the demo bot answers whatever people do with it, on two shards', async () => {
  const sim = await startChatSim({ seed: 7, guilds: 4, shards: 2 });
  const errors: unknown[] = [];
  const behaviour = { thinkMs: [1, 5], workMs: [1, 5], failure: 0.1, forgotten: 0 } as const;
  const bot = createDemoBot({
    restUrl: sim.restUrl,
    behaviour,
    onError: (error) => errors.push(error),
  });
  await bot.login();
  await sim.gateway.untilConnected(2);
  await expect.poll(() => sim.world.commands.size).toBe(9);

  const answered = (): string[] =>
    Object.entries(sim.ledger().interactions).flatMap(([kind, counts]) =>
      (counts['answered'] ?? 0) > 0 ? [kind] : [],
    );
  await expect
    .poll(
      () => {
        for (let step = 0; step < 40; step += 1) sim.activity.step();
        return answered().toSorted();
      },
      { timeout: 20_000 },
    )
    .toEqual(['autocomplete', 'button', 'context_menu', 'modal', 'select', 'slash']);
  await Promise.all(sim.interactions().map((record) => sim.settled(record)));

  const outcomes = new Set(sim.interactions().map(({ outcome }) => outcome));
  expect(outcomes).toEqual(new Set(['answered']));
  const forms = new Set(sim.interactions().map(({ responseKind }) => responseKind));
  for (const form of ['reply', 'defer', 'modal', 'autocomplete']) expect(forms).toContain(form);
  await expect.poll(() => errors.length).toBeGreaterThan(0);
  await bot.destroy();
  await sim.stop();
});
