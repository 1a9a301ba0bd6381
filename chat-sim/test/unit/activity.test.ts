import { afterEach, expect, test } from 'vitest';
import { typeCommand } from '../../src/activity/commands.ts';
import { clickables, formFields } from '../../src/activity/components.ts';
import { HAPPENINGS, VISITS } from '../../src/activity/mixture.ts';
import { startChatSim } from '../../src/index.ts';
import type { ChatSim, Env } from '../../src/index.ts';
import { Random } from '../../src/random.ts';

const started: ChatSim[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((sim) => sim.stop()));
});

/** A clock that moves only when it is turned. */
class HandClock implements Env {
  #nowMs = 1_795_000_000_000;
  #timers: { readonly atMs: number; readonly fn: () => void }[] = [];

  now(): number {
    return this.#nowMs;
  }

  after(ms: number, fn: () => void): () => void {
    const timer = { atMs: this.#nowMs + ms, fn };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  turn(ms: number): void {
    const endMs = this.#nowMs + ms;
    for (;;) {
      const due = this.#timers
        .filter(({ atMs }) => atMs <= endMs)
        .toSorted((a, b) => a.atMs - b.atMs)[0];
      if (due === undefined) break;
      this.#timers = this.#timers.filter((other) => other !== due);
      this.#nowMs = due.atMs;
      due.fn();
    }
    this.#nowMs = endMs;
  }
}

async function start(seed: number, env: Env): Promise<ChatSim> {
  const sim = await startChatSim({ seed, guilds: 3, env });
  started.push(sim);
  return sim;
}

test('the script is the same for the same seed and clock', async () => {
  const run = async (seed: number): Promise<unknown[]> => {
    const sim = await start(seed, new HandClock());
    const kinds = Array.from({ length: 300 }, () => sim.activity.step());
    return [kinds, sim.ledger().unheard, [...sim.world.users.keys()]];
  };
  const [one, same, other] = [await run(4), await run(4), await run(5)];
  expect(one).toEqual(same);
  expect(one).not.toEqual(other);
});

test('without a bot nobody visits it; everything else happens', async () => {
  const sim = await start(6, new HandClock());
  const kinds = new Set(Array.from({ length: 5000 }, () => sim.activity.step()));
  expect(kinds).toEqual(new Set(Object.keys(HAPPENINGS)));
  expect(Object.keys(VISITS).some((kind) => kinds.has(kind as never))).toBe(false);
});

test('the rate is kept, at random moments, until it is stopped', async () => {
  const clock = new HandClock();
  const sim = await start(2, clock);
  sim.activity.start(20);
  clock.turn(100_000);
  const total = (): number =>
    Object.values(sim.ledger().unheard).reduce((sum, count) => sum + count, 0);
  const steps = total();
  expect(steps).toBeGreaterThan(1800);
  expect(steps).toBeLessThan(2600); // some steps make two or more dispatches
  sim.activity.stop();
  clock.turn(100_000);
  expect(total()).toBe(steps);
});

test('an interaction that nobody hears is told apart', async () => {
  const sim = await start(1, new HandClock());
  const record = sim.users.slash({ command: 'ping' });
  await expect(sim.settled(record)).resolves.toMatchObject({ outcome: 'unheard', shardId: null });
  expect(sim.ledger().interactions).toEqual({ slash: { sent: 1, unheard: 1 } });
});

test('unknown ids are refused', async () => {
  const sim = await start(1, new HandClock());
  const guildId = '123456789012345678';
  expect(() => sim.users.slash({ command: 'ping', guildId })).toThrow('Unknown Guild');
  expect(() => sim.events.messageDelete({ messageId: guildId })).toThrow('Unknown Message');
  expect(() => sim.guilds.leave(guildId)).toThrow('Unknown Guild');
});

test('a registered command is typed with its path and options', () => {
  const definition = {
    name: 'config',
    options: [
      {
        name: 'set',
        type: 1,
        options: [
          { name: 'key', type: 3, choices: [{ name: 'Colour', value: 'colour' }] },
          { name: 'count', type: 4, min_value: 3, max_value: 3 },
          { name: 'who', type: 6 },
          { name: 'place', type: 3, autocomplete: true },
        ],
      },
    ],
  };
  const typed = typeCommand(definition, new Random(1));
  expect(typed).toMatchObject({ command: 'config set', focused: 'place' });
  expect(typed.options).toMatchObject({ key: 'colour', count: 3 });
  expect(Object.keys(typed.options)).toEqual(['key', 'count', 'place']);
});

test('fields of a form are found in rows and in labels', () => {
  const form = {
    custom_id: 'form',
    components: [
      { type: 1, components: [{ type: 4, custom_id: 'in row' }] },
      { type: 18, component: { type: 4, custom_id: 'in label' } },
    ],
  };
  expect(formFields(form)).toEqual(['in row', 'in label']);
});

test('only enabled components can be used', async () => {
  const sim = await start(1, new HandClock());
  const [guild] = sim.world.guilds.values();
  const message = sim.events.messageCreate({ guildId: guild?.facts.id ?? '' });
  message.components = [
    {
      type: 1,
      components: [
        { type: 2, custom_id: 'on' },
        { type: 2, custom_id: 'off', disabled: true },
        { type: 2, url: 'https://example.org' },
        { type: 3, custom_id: 'menu', options: [{ value: 'a' }, { value: 'b' }] },
      ],
    },
  ];
  const found = clickables([message]).map(({ customId, values }) => [customId, values]);
  expect(found).toEqual([
    ['on', []],
    ['menu', ['a', 'b']],
  ]);
});
