import type { Env } from '../env.ts';
import type { Random } from '../random.ts';

/** How lively and how faulty the demo bot is. Probabilities in [0, 1]. */
export interface Behaviour {
  /** Thinking time before most answers, ms: from, to. */
  readonly thinkMs: readonly [number, number];
  /** Work behind a deferred answer, ms: from, to. */
  readonly workMs: readonly [number, number];
  /** Commands whose code fails after the answer. */
  readonly failure: number;
  /** Commands that are never answered. */
  readonly forgotten: number;
  /** Messages of people that the bot answers. */
  readonly chat: number;
}

export const BEHAVIOUR: Behaviour = {
  thinkMs: [5, 120],
  workMs: [150, 1200],
  failure: 0.02,
  forgotten: 0.005,
  chat: 0.05,
};

/** The demo bot's nerves: waiting and dice. */
export class Nerves {
  readonly behaviour: Behaviour;
  readonly random: Random;
  readonly #env: Env;

  constructor(behaviour: Behaviour, random: Random, env: Env) {
    this.behaviour = behaviour;
    this.random = random;
    this.#env = env;
  }

  think(): Promise<void> {
    return this.#wait(this.behaviour.thinkMs);
  }

  work(): Promise<void> {
    return this.#wait(this.behaviour.workMs);
  }

  #wait([from, to]: readonly [number, number]): Promise<void> {
    return new Promise((resolve) => {
      this.#env.after(this.random.int(from, to), resolve);
    });
  }
}
