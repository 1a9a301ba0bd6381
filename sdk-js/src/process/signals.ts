import { constants } from 'node:os';
import { all, type Member } from './member.ts';
import { hasForeignListener, isOurs, tag } from './tag.ts';

/** Signals that end a bot. Spec: Emission and flush, rule 4. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
type Signal = (typeof SIGNALS)[number];
const SIGNAL_NAMES: ReadonlySet<string> = new Set(SIGNALS);

/** Exit codes of a process that died of a signal are 128 + its number. */
const SIGNAL_EXIT_BASE = 128;

/**
 * Flushes on a signal. Where the bot has no listener of its own, the signal is raised again
 * afterwards, so that the process dies of it as it would have; a second signal does so at once.
 * Where the bot has one, ending is its business. Returns the removal.
 */
export function handleSignals(members: ReadonlySet<Member>): () => void {
  let ending = false;
  const usedUp = watchUsedUp();
  const remove = (): void => {
    usedUp.stop();
    for (const [signal, listener] of listeners) process.removeListener(signal, listener);
  };
  const raise = (signal: Signal): void => {
    remove();
    try {
      process.kill(process.pid, signal);
    } catch {
      // oxlint-disable-next-line unicorn/no-process-exit -- the runtime cannot signal itself
      process.exit(SIGNAL_EXIT_BASE + constants.signals[signal]);
    }
  };
  const handle = async (signal: Signal): Promise<void> => {
    if (ending) {
      raise(signal);
      return;
    }
    if (hasForeignListener(signal) || usedUp.signals.has(signal)) {
      await all(members, (member) => member.flush());
      return;
    }
    ending = true;
    await all(members, (member) => member.shutdown());
    raise(signal);
  };
  const listeners = SIGNALS.map(
    (signal) => [signal, tag((): void => void handle(signal))] as const,
  );
  // Before the bot's listeners: a `once` of the bot is still there to be seen.
  for (const [signal, listener] of listeners) process.prependListener(signal, listener);
  return remove;
}

/**
 * Signals of which a `once` listener of the bot is being used up in this very delivery: one that was
 * prepended after ours has already gone when ours runs.
 */
function watchUsedUp(): { readonly signals: ReadonlySet<string>; readonly stop: () => void } {
  const signals = new Set<string>();
  const onRemoved = tag((event: string | symbol, listener: object): void => {
    if (typeof event !== 'string' || !SIGNAL_NAMES.has(event) || isOurs(listener)) return;
    signals.add(event);
    // Microtasks run after all listeners of the delivery.
    queueMicrotask(() => signals.delete(event));
  });
  process.on('removeListener', onRemoved);
  return { signals, stop: () => process.removeListener('removeListener', onRemoved) };
}

/**
 * Flushes once when nothing is left to do. Only once: each flush is work, after which Node asks
 * again, for ever. Returns the removal.
 */
export function handleBeforeExit(members: ReadonlySet<Member>): () => void {
  let done = false;
  const listener = tag((): void => {
    const busy = [...members].filter((member) => member.hasWork());
    if (done || busy.length === 0) return;
    done = true;
    void all(busy, (member) => member.flush());
  });
  process.on('beforeExit', listener);
  return () => {
    process.removeListener('beforeExit', listener);
  };
}
