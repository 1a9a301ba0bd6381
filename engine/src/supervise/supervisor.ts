import type { Env } from '../env.ts';
import { pauseMs, STEPS, TIMES, type Input, type Phase, type Step } from './steps.ts';

export type EngineState = 'starting' | 'up' | 'down' | 'stopped';

/** A child process, as far as supervision needs it. */
export interface Child {
  readonly pid: number | undefined;
  kill(): void;
  askToStop(): void;
}

export interface ChildEvents {
  onReady(): void;
  /** The child said that it cannot start and why. */
  onRefused(sentence: string): void;
  /** Once per child; `why` is for the log. */
  onExit(why: string): void;
}

/** Structured log in pino's argument order. */
export interface EngineLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface SupervisorWorld {
  readonly env: Env;
  readonly log: EngineLog;
  spawn(events: ChildEvents): Child;
  /** True when the engine answered within `timeoutMs`; never rejects. */
  ping(timeoutMs: number): Promise<boolean>;
}

/** Keeps one child running. All decisions are in {@link STEPS}; this is the loop around them. */
export class Supervisor {
  readonly #world: SupervisorWorld;
  readonly #onceStopped: (() => void)[] = [];
  readonly #listeners = new Set<(state: EngineState) => void>();
  #phase: Phase = 'waiting';
  #child: Child | undefined;
  #announced: EngineState = 'starting';
  #wasUp = false;
  #failures = 0;
  #upSinceMs = 0;
  #refusal: string | undefined;
  #cancelTimer: () => void = () => undefined;

  constructor(world: SupervisorWorld) {
    this.#world = world;
  }

  state(): EngineState {
    switch (this.#phase) {
      case 'up':
        return 'up';
      case 'stopping':
      case 'stopped':
        return 'stopped';
      case 'starting':
      case 'hung':
      case 'waiting':
        return this.#wasUp ? 'down' : 'starting';
    }
  }

  pid(): number | undefined {
    return this.#child?.pid;
  }

  onState(listener: (state: EngineState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** First start: resolves when the engine answers, rejects with the reason when the child ends first. */
  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      const off = this.onState((state) => {
        if (state === 'starting') return;
        off();
        if (state === 'up') resolve();
        else reject(new Error(this.#refusal ?? 'The engine ended while it was starting.'));
      });
      this.#input('retry');
    });
  }

  /** Resolves when no child is left. */
  stop(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#phase === 'stopped') {
        resolve();
        return;
      }
      this.#onceStopped.push(resolve);
      this.#input('stop');
    });
  }

  #input(input: Input): void {
    const step: Step = STEPS[this.#phase][input];
    const entered = step.to !== this.#phase;
    this.#phase = step.to;
    if (entered) this.#cancelTimer();
    if (entered && step.to === 'up') this.#enterUp();
    this.#act(step.act);
    this.#announce();
    if (entered && step.to === 'stopped') for (const done of this.#onceStopped.splice(0)) done();
  }

  #announce(): void {
    const state = this.state();
    if (state === this.#announced) return;
    this.#announced = state;
    for (const listener of this.#listeners) listener(state);
  }

  #enterUp(): void {
    this.#wasUp = true;
    this.#upSinceMs = this.#world.env.nowMs();
    this.#world.log.info({ pid: this.pid() }, 'engine up');
    this.#schedulePing();
  }

  #act(act: Step['act']): void {
    switch (act) {
      case 'nothing':
        return;
      case 'spawn':
        this.#spawn();
        return;
      case 'kill':
        this.#child?.kill();
        return;
      case 'ask-to-stop':
        this.#child?.askToStop();
        this.#expect(TIMES.stopTimeoutMs);
        return;
      case 'pause':
        this.#pause();
        return;
    }
  }

  #expect(withinMs: number): void {
    this.#cancelTimer = this.#world.env.after(withinMs, () => this.#input('unanswered'));
  }

  #spawn(): void {
    const child = this.#world.spawn({
      onReady: () => this.#ifCurrent(child, 'ready'),
      onRefused: (sentence) => {
        this.#refusal = sentence;
        this.#world.log.error({}, sentence);
      },
      onExit: (why) => {
        this.#world.log.warn({ pid: child.pid, why }, 'engine process ended');
        this.#ifCurrent(child, 'exited');
      },
    });
    this.#child = child;
    this.#expect(TIMES.startTimeoutMs);
  }

  #ifCurrent(child: Child, input: Input): void {
    if (this.#child !== child) return;
    if (input === 'exited') this.#child = undefined;
    this.#input(input);
  }

  #pause(): void {
    if (!this.#wasUp) {
      // The very first start is not repeated: its reason belongs to the operator, at once.
      this.#input('stop');
      return;
    }
    const now = this.#world.env.nowMs();
    const wasSteady = this.#upSinceMs > 0 && now - this.#upSinceMs >= TIMES.steadyAfterMs;
    this.#failures = wasSteady ? 1 : this.#failures + 1;
    this.#upSinceMs = 0;
    this.#cancelTimer = this.#world.env.after(pauseMs(this.#failures), () => this.#input('retry'));
  }

  #schedulePing(): void {
    const { env } = this.#world;
    this.#cancelTimer = env.after(TIMES.pingEveryMs, () => void this.#ping());
  }

  async #ping(): Promise<void> {
    const { env, log } = this.#world;
    const child = this.#child;
    const startedMs = env.nowMs();
    const answered = await this.#world.ping(TIMES.pingTimeoutMs);
    if (this.#child !== child || this.#phase !== 'up') return;
    // When this process itself stood still, the late answer says nothing about the child.
    const ownLag = env.nowMs() - startedMs > TIMES.pingTimeoutMs * 1.5;
    if (answered || ownLag) {
      this.#schedulePing();
      return;
    }
    log.warn({ pid: child?.pid }, 'engine gives no answer; it is restarted');
    this.#input('unanswered');
  }
}
