import type { GatewayEvents } from '../drive/gateway-events.ts';
import type { UserInput } from '../drive/user-input.ts';
import type { Platform } from '../platform.ts';
import { Random } from '../random.ts';
import { HAPPENINGS, VISITS } from './mixture.ts';
import type { ActivityKind, VisitKind } from './mixture.ts';
import { Visits } from './visits.ts';

/** People at work: a seeded stream of user actions, at a chosen rate or one by one. */
export class Activity {
  readonly #platform: Platform;
  readonly #visits: Visits;
  readonly #events: GatewayEvents;
  readonly #random: Random;
  #cancel: (() => void) | undefined;

  constructor(platform: Platform, users: UserInput, events: GatewayEvents, seed: number) {
    this.#platform = platform;
    this.#random = new Random(seed ^ 0xac71);
    this.#visits = new Visits(platform, users, this.#random);
    this.#events = events;
  }

  /** Acts `perSecond` times a second on average, at random moments; 0 stops. */
  start(perSecond: number): void {
    this.stop();
    if (perSecond > 0) this.#next(perSecond);
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  /** One action now; returns its kind. `null` when there is no guild to act in. */
  step(): ActivityKind | null {
    if (!this.#platform.world.guildList().some(({ available }) => available)) return null;
    const kind = this.#random.weighted({ ...VISITS, ...HAPPENINGS });
    if (!isVisit(kind)) {
      this.#events[kind]();
      return kind;
    }
    if (this.#visits.pay(kind)) return kind;
    // The bot offers nothing of that kind (yet): people chat instead.
    this.#events.messageCreate();
    return 'messageCreate';
  }

  #next(perSecond: number): void {
    // Exponential gaps: people do not act in step.
    const gapMs = (-Math.log(1 - this.#random.next()) * 1000) / perSecond;
    this.#cancel = this.#platform.env.after(gapMs, () => {
      this.step();
      this.#next(perSecond);
    });
  }
}

function isVisit(kind: ActivityKind): kind is VisitKind {
  return kind in VISITS;
}
