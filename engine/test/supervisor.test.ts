import { expect, test } from 'vitest';
import { pauseMs, STEPS, TIMES } from '../src/supervise/steps.ts';
import { Supervisor, type ChildEvents } from '../src/supervise/supervisor.ts';
import { HandClock, settled } from './hand-clock.ts';

interface FakeChild {
  readonly pid: number;
  readonly events: ChildEvents;
  readonly orders: string[];
}

interface Bench {
  readonly clock: HandClock;
  readonly supervisor: Supervisor;
  readonly children: FakeChild[];
  readonly states: string[];
  /** Answer of the next pings. */
  answers: boolean;
  /** Runs while a ping is out. */
  duringPing: () => void;
}

function bench(): Bench {
  const clock = new HandClock();
  const children: FakeChild[] = [];
  const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const supervisor = new Supervisor({
    env: clock,
    log: quiet,
    spawn: (events) => {
      const child: FakeChild = { pid: 100 + children.length, events, orders: [] };
      children.push(child);
      return {
        pid: child.pid,
        kill: () => child.orders.push('kill'),
        askToStop: () => child.orders.push('stop'),
      };
    },
    ping: async () => {
      made.duringPing();
      return made.answers;
    },
  });
  const made: Bench = {
    clock,
    supervisor,
    children,
    states: [],
    answers: true,
    duringPing: () => undefined,
  };
  supervisor.onState((state) => made.states.push(state));
  return made;
}

async function started(): Promise<Bench> {
  const made = bench();
  const start = made.supervisor.start();
  made.children[0]?.events.onReady();
  await start;
  return made;
}

test('start, up, stop', async () => {
  const { supervisor, children, states, clock } = await started();
  expect(supervisor.state()).toBe('up');
  expect(supervisor.pid()).toBe(100);
  const stop = supervisor.stop();
  expect(children[0]?.orders).toEqual(['stop']);
  children[0]?.events.onExit('exit code 0');
  await stop;
  await supervisor.stop();
  expect(states).toEqual(['up', 'stopped']);
  expect(clock.pending).toBe(0);
  expect(supervisor.pid()).toBeUndefined();
});

test('a first start that is refused rejects with the sentence and leaves nothing running', async () => {
  const { supervisor, children, clock } = bench();
  const start = supervisor.start();
  children[0]?.events.onRefused('The directory is in use.');
  children[0]?.events.onExit('exit code 78');
  await expect(start).rejects.toThrow('The directory is in use.');
  expect(supervisor.state()).toBe('stopped');
  await clock.advance(60_000);
  expect(children).toHaveLength(1);
});

test('a first start without an answer is given up after its time', async () => {
  const { supervisor, children, clock } = bench();
  const start = supervisor.start();
  start.catch(() => undefined);
  await clock.advance(TIMES.startTimeoutMs);
  expect(children[0]?.orders).toEqual(['kill']);
  children[0]?.events.onExit('SIGKILL');
  await expect(start).rejects.toThrow('ended while it was starting');
});

test('a dead child is replaced at once', async () => {
  const { supervisor, children, clock, states } = await started();
  await clock.advance(20_000);
  children[0]?.events.onExit('SIGKILL');
  expect(supervisor.state()).toBe('down');
  await clock.advance(0);
  expect(children).toHaveLength(2);
  children[1]?.events.onReady();
  expect(states).toEqual(['up', 'down', 'up']);
});

test('a child that gives no answer is killed and replaced', async () => {
  const made = await started();
  made.answers = false;
  await made.clock.advance(TIMES.pingEveryMs);
  expect(made.supervisor.state()).toBe('down');
  expect(made.children[0]?.orders).toEqual(['kill']);
  made.children[0]?.events.onExit('SIGKILL');
  await made.clock.advance(0);
  expect(made.children).toHaveLength(2);
});

test('a late answer is not held against the child when this process itself stood still', async () => {
  const made = await started();
  made.answers = false;
  made.duringPing = () => made.clock.jump(10_000);
  await made.clock.advance(TIMES.pingEveryMs);
  expect(made.supervisor.state()).toBe('up');
  expect(made.children[0]?.orders).toEqual([]);
});

test('crashes in a row wait longer and longer, up to 2 s; a steady time starts anew', async () => {
  const { children, clock } = await started();
  const pauses: number[] = [];
  for (let crash = 0; crash < 7; crash += 1) {
    const before = clock.nowMs();
    children.at(-1)?.events.onExit('SIGKILL');
    const count = children.length;
    await clock.advance(0);
    while (children.length === count) await clock.advance(50);
    pauses.push(clock.nowMs() - before);
    children.at(-1)?.events.onReady();
  }
  expect(pauses).toEqual([0, 100, 250, 500, 1_000, 2_000, 2_000]);
  await clock.advance(TIMES.steadyAfterMs);
  children.at(-1)?.events.onExit('SIGKILL');
  const count = children.length;
  await clock.advance(0);
  expect(children).toHaveLength(count + 1);
});

test('a restart that ends before it is up counts as a failure and is tried again', async () => {
  const { supervisor, children, clock } = await started();
  children[0]?.events.onExit('SIGKILL');
  await clock.advance(0);
  children[1]?.events.onRefused('The directory is in use.');
  children[1]?.events.onExit('exit code 78');
  expect(supervisor.state()).toBe('down');
  await clock.advance(100);
  expect(children).toHaveLength(3);
});

test('stop kills a child that does not end in time', async () => {
  const { supervisor, children, clock } = await started();
  const stop = supervisor.stop();
  await clock.advance(TIMES.stopTimeoutMs);
  expect(children[0]?.orders).toEqual(['stop', 'kill']);
  children[0]?.events.onExit('SIGKILL');
  await stop;
});

test('stop between two starts leaves nothing', async () => {
  const { supervisor, children, clock } = await started();
  children[0]?.events.onExit('SIGKILL');
  await supervisor.stop();
  await clock.advance(60_000);
  expect(children).toHaveLength(1);
});

test('an old child that ends late does not disturb the new one', async () => {
  const { supervisor, children, clock } = await started();
  children[0]?.events.onExit('SIGKILL');
  await clock.advance(0);
  children[1]?.events.onReady();
  children[0]?.events.onReady();
  children[0]?.events.onExit('again');
  await settled();
  expect(supervisor.state()).toBe('up');
  expect(children).toHaveLength(2);
});

test('only a stop leads to the end', () => {
  const ends = Object.entries(STEPS).flatMap(([phase, inputs]) =>
    Object.entries(inputs)
      .filter(([, step]) => phase !== 'stopped' && step.to === 'stopped')
      .map(([input]) => `${phase} ${input}`),
  );
  expect(ends).toEqual(['waiting stop', 'stopping exited']);
});

test.each([
  [0, 0],
  [1, 0],
  [2, 100],
  [6, 2_000],
  [99, 2_000],
])('pause before restart %i: %i ms', (failures, expected) => {
  expect(pauseMs(failures)).toBe(expected);
});
