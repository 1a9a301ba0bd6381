import { all, type Member } from './member.ts';
import { hasForeignListener, tag } from './tag.ts';

/** The flag that changes what an unhandled rejection does. Node: "--unhandled-rejections". */
const MODE_FLAG = /--unhandled-rejections[= ](\S+)/;

/** True when Node runs in its default mode: an unhandled rejection without a listener is thrown. */
export function throwsRejections(execArgv: readonly string[], nodeOptions: string): boolean {
  const mode = MODE_FLAG.exec(`${nodeOptions} ${execArgv.join(' ')}`)?.[1];
  return mode === undefined || mode === 'throw';
}

/**
 * Reports what the bot did not catch, and leaves the outcome as it is.
 *
 * With a listener of the bot the rejection is only observed. Without one, Node would end the process
 * at once; it does so after the report was flushed: our listener steps aside and the promise is
 * rejected again, so that Node itself prints the trace and sets the exit code. An uncaught exception
 * is observed only: its process dies before a request could be made. transport.md C30.
 *
 * @param soon runs a function in a later turn of the event loop
 * @returns removal
 */
export function watchUncaught(
  members: ReadonlySet<Member>,
  soon: (fn: () => void) => void,
): () => void {
  /** Reason under way to Node; seen there again, it is not reported twice. */
  let rejecting: { readonly reason: unknown } | undefined;
  let removed = false;
  const report: Member['uncaught'] = (error, origin, handled) => {
    for (const member of members) member.uncaught(error, origin, handled);
  };
  const onException = tag((error: unknown): void => {
    if (rejecting !== undefined && rejecting.reason === error) return;
    report(error, 'uncaughtException', hasForeignListener('uncaughtException'));
  });
  const onRejection = tag((reason: unknown): void => {
    const handled = hasForeignListener('unhandledRejection');
    report(reason, 'unhandledRejection', handled);
    if (!handled) void flushAndReject(reason);
  });
  const flushAndReject = async (reason: unknown): Promise<void> => {
    await all(members, (member) => member.flush());
    process.removeListener('unhandledRejection', onRejection);
    rejecting = { reason };
    void Promise.reject(reason);
    // Node looks at rejections before the next turn; the bot may live on by `uncaughtException`.
    soon(() => {
      rejecting = undefined;
      if (!removed) process.on('unhandledRejection', onRejection);
    });
  };
  const observesRejections = throwsRejections(process.execArgv, process.env['NODE_OPTIONS'] ?? '');
  if (observesRejections) process.on('unhandledRejection', onRejection);
  process.on('uncaughtExceptionMonitor', onException);
  return () => {
    removed = true;
    process.removeListener('unhandledRejection', onRejection);
    process.removeListener('uncaughtExceptionMonitor', onException);
  };
}
