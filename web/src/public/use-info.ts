import type { PublicInfo } from '@bot-analytics/protocol/read-api';
import { useEffect, useState } from 'react';
import { call } from '../api/client.ts';

/** What a share link shows, or why that is not known. */
export interface InfoAnswer {
  readonly data: PublicInfo | undefined;
  readonly error: Error | null;
  readonly retry: () => void;
}

const NOTHING: Omit<InfoAnswer, 'retry'> = { data: undefined, error: null };

/** Asks once; `null`: there is no link to ask about. */
export function useInfo(token: string | null): InfoAnswer {
  const [answer, setAnswer] = useState(NOTHING);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (token === null) return undefined;
    const abort = new AbortController();
    setAnswer(NOTHING);
    call('publicInfo', { path: { token }, signal: abort.signal }).then(
      (data) => setAnswer({ data, error: null }),
      (error: unknown) => {
        if (abort.signal.aborted) return;
        setAnswer({ data: undefined, error: error instanceof Error ? error : new Error('Failed') });
      },
    );
    return () => {
      abort.abort();
    };
  }, [token, attempt]);
  return { ...answer, retry: () => setAttempt(attempt + 1) };
}
