import { all, type Member } from './member.ts';
import { hasForeignListener, isForeign, listen } from './tag.ts';

/** Exit codes of a process that died of a signal are 128 + its number. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Flushes on a signal. Where the bot has no listener of its own, the signal is raised again
 * afterwards, so that the process dies of it as it would have; a second signal does so at once.
 * Where the bot has one, ending is its business. Spec: Emission and flush, rule 4.
 *
 * Flushes too when nothing is left to do, but only once: each flush is work, after which Node asks
 * again, for ever. Returns the removal.
 */
export function handleSignals(members: ReadonlySet<Member>): () => void {
  let ending = false;
  let asked = false;
  /** Events of which a `once` listener of the bot, prepended after ours, is being used up just now. */
  const usedUp = new Set<string | symbol>();
  const handle = async (signal: keyof typeof EXIT_CODES): Promise<void> => {
    if (!ending) {
      const raises = !usedUp.has(signal) && !hasForeignListener(signal);
      ending = raises;
      await all(members, raises ? 'shutdown' : 'flush');
      if (!raises) return;
    }
    stop();
    try {
      process.kill(process.pid, signal);
    } catch {
      // oxlint-disable-next-line unicorn/no-process-exit -- the runtime cannot signal itself
      process.exit(EXIT_CODES[signal]);
    }
  };
  const stop = listen({
    SIGINT: () => handle('SIGINT'),
    SIGTERM: () => handle('SIGTERM'),
    removeListener: (event: string | symbol, listener: object) => {
      if (isForeign(listener)) usedUp.add(event);
      // Microtasks run after all listeners of the delivery.
      queueMicrotask(() => usedUp.clear());
    },
    // The bot's listeners come first: they may report something.
    beforeExit: () =>
      process.nextTick(() => {
        if (asked || !Array.from(members, (member) => member.hasWork()).includes(true)) return;
        asked = true;
        void all(members, 'flush');
      }),
  });
  return stop;
}
