import { realEnv } from '../core/env.ts';
import { prop } from '../core/read.ts';
import { all, type Member } from './member.ts';
import { hasForeignListener, listen, type Listeners } from './tag.ts';

/** Another mode than the default, in which Node throws what nobody handles. Node: "--unhandled-rejections". */
const OTHER_MODE = /--unhandled-rejections[= ](?!throw)/;

/**
 * Reports what the bot did not catch, and leaves the outcome as it is.
 *
 * With a listener of the bot the rejection is only observed. Without one, Node would end the process
 * at once; it does so after the report was flushed: our listeners step aside and the promise is
 * rejected again, so that Node itself prints the trace and sets the exit code. An uncaught exception
 * is observed only: its process dies before a request could be made. transport.md C30.
 *
 * @returns removal
 */
export function watchUncaught(members: ReadonlySet<Member>): () => void {
  const report = (error: unknown, origin: 'unhandledRejection' | 'uncaughtException'): boolean => {
    const handled = hasForeignListener(origin);
    for (const member of members) member.uncaught(error, origin, handled);
    return handled;
  };
  let listeners: Listeners = {
    uncaughtExceptionMonitor: (error) => report(error, 'uncaughtException'),
  };
  if (!OTHER_MODE.test([prop(process.env, 'NODE_OPTIONS'), ...process.execArgv].join(' '))) {
    listeners['unhandledRejection'] = async (reason) => {
      if (report(reason, 'unhandledRejection')) return;
      await all(members, 'flush');
      stop();
      void Promise.reject(reason);
      // Node looks at rejections before the next turn; the bot may live on by `uncaughtException`.
      realEnv().soon(() => {
        stop();
        stop = listen(listeners);
      });
    };
  }
  let stop = listen(listeners);
  return () => {
    stop();
    listeners = {};
  };
}
