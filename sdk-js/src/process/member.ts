import type { Config } from '../core/config.ts';

/** One SDK instance, as the process hooks see it. */
export interface Member {
  /** Events wait, or counters hold something, and sending is allowed. */
  hasWork(): boolean;
  /** Sends what there is, for at most the instance's shutdown time. Never rejects. */
  flush(): Promise<unknown>;
  /** The same, and the end: the process is about to die. Never rejects. */
  shutdown(): Promise<unknown>;
  /** An error that the bot did not catch. `handled`: the bot has a listener for it. */
  uncaught(
    error: unknown,
    origin: 'unhandledRejection' | 'uncaughtException',
    handled: boolean,
  ): void;
}

/** Resolves when all of them are through, however it went. */
export function all(members: Iterable<Member>, what: 'flush' | 'shutdown'): Promise<unknown> {
  return Promise.allSettled(Array.from(members, (member) => member[what]()));
}

/** What an instance wants to be told. */
export type Wishes = Pick<Config, 'handleSignals' | 'captureUnhandledRejections'>;
