import { isMainThread } from 'node:worker_threads';
import { realEnv } from '../core/env.ts';
import type { Member, Wishes } from './member.ts';
import { watchUncaught } from './rejections.ts';
import { handleBeforeExit, handleSignals } from './signals.ts';

/**
 * One set of hooks for all instances of all copies of this package. Were each copy to have its own,
 * the first one to finish would raise the signal again while another still sends. The number is the
 * version of this structure. transport.md C18.
 */
const SHARED = Symbol.for('@vendor/chat.js/process-hooks/1');

interface Group {
  readonly members: Set<Member>;
  remove: (() => void) | undefined;
}

interface Shared {
  readonly signals: Group;
  readonly rejections: Group;
}

function shared(): Shared {
  const holder = globalThis as { [SHARED]?: Shared };
  holder[SHARED] ??= {
    signals: { members: new Set(), remove: undefined },
    rejections: { members: new Set(), remove: undefined },
  };
  return holder[SHARED];
}

/**
 * Registers an instance with the process. The hooks go with the last instance. Worker threads get
 * none: signals do not reach them, and the end of a worker is its parent's business.
 *
 * @returns removal, may be called twice
 */
export function joinProcess(member: Member, wishes: Wishes): () => void {
  if (!isMainThread) return () => undefined;
  const { signals, rejections } = shared();
  const leaves: (() => void)[] = [];
  if (wishes.signals) leaves.push(join(signals, member, installSignals));
  if (wishes.rejections) leaves.push(join(rejections, member, installRejections));
  return () => {
    for (const leave of leaves.splice(0)) leave();
  };
}

function installSignals(members: ReadonlySet<Member>): () => void {
  const removes = [handleSignals(members), handleBeforeExit(members)];
  return () => {
    for (const remove of removes) remove();
  };
}

function installRejections(members: ReadonlySet<Member>): () => void {
  const env = realEnv();
  return watchUncaught(members, (fn) => env.soon(fn));
}

function join(
  group: Group,
  member: Member,
  install: (members: ReadonlySet<Member>) => () => void,
): () => void {
  group.members.add(member);
  group.remove ??= install(group.members);
  return () => {
    group.members.delete(member);
    if (group.members.size > 0) return;
    group.remove?.();
    group.remove = undefined;
  };
}
