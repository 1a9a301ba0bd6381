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
export async function all(
  members: Iterable<Member>,
  each: (member: Member) => Promise<unknown>,
): Promise<void> {
  await Promise.allSettled([...members].map(each));
}

/** What an instance wants to be told. */
export interface Wishes {
  readonly signals: boolean;
  readonly rejections: boolean;
}
