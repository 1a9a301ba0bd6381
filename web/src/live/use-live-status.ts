import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { env } from '../env.ts';
import { LiveConnection } from './connection.ts';
import type { LiveSource, LiveView } from './connection.ts';

/** A live status and the pause button's two handles. */
export interface LiveStatus extends LiveView {
  readonly paused: boolean;
  setPaused(paused: boolean): void;
}

/**
 * Feeds a page for as long as it is shown. A hidden tab closes its stream: a browser gives a host six
 * connections over HTTP/1.1, and a seventh tab would hang. ui.md C.
 */
export function useLiveStatus(source: LiveSource): LiveStatus {
  const { streamUrl, statusUrl } = source;
  const [paused, setPaused] = useState(false);
  const connection = useMemo(
    () => new LiveConnection(env, { streamUrl, statusUrl }),
    [streamUrl, statusUrl],
  );
  useEffect(() => {
    const follow = (): void => {
      if (paused) connection.rest('paused');
      else if (document.visibilityState === 'hidden') connection.rest('hidden');
      else connection.wake();
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      connection.rest('hidden');
    };
  }, [connection, paused]);
  const view = useSyncExternalStore(connection.subscribe, connection.view);
  return { ...view, paused, setPaused };
}
