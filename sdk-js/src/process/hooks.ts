import { isMainThread } from 'node:worker_threads';
import type { Member, Wishes } from './member.ts';
import { watchUncaught } from './rejections.ts';
import { handleSignals } from './signals.ts';

/**
 * One set of hooks for all instances of all copies of this package. Were each copy to have its own,
 * the first one to finish would raise the signal again while another still sends. The number is the
 * version of this structure. transport.md C18.
 */
const SHARED = Symbol.for('@vendor/chat.js/process-hooks/1');

interface Group {
  readonly members: Set<Member>;
  remove?: (() => void) | undefined;
}

interface Shared {
  readonly signals: Group;
  readonly rejections: Group;
}

/**
 * Registers an instance with the process. The hooks go with the last instance. Worker threads get
 * none: signals do not reach them, and the end of a worker is its parent's business.
 *
 * @returns removal, may be called twice
 */
export function joinProcess(member: Member, wishes: Wishes): () => void {
  const holder = globalThis as { [SHARED]?: Shared };
  const { signals, rejections } = (holder[SHARED] ??= {
    signals: { members: new Set() },
    rejections: { members: new Set() },
  });
  const join = (wished: boolean, group: Group, install: typeof handleSignals): void => {
    if (!wished || !isMainThread) return;
    group.members.add(member);
    group.remove ??= install(group.members);
  };
  join(wishes.handleSignals, signals, handleSignals);
  join(wishes.captureUnhandledRejections, rejections, watchUncaught);
  return () => {
    for (const group of [signals, rejections]) {
      if (!group.members.delete(member) || group.members.size > 0) continue;
      group.remove?.();
      group.remove = undefined;
    }
  };
}
