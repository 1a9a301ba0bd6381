import { useEffect, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { env } from '../env.ts';

/** Wait before a value that the keyboard reached is read out, ms. */
const readOutAfterMs = 250;
/** Points that Shift with an arrow moves. */
const shiftStep = 10;

/** Where a key leads among `count` values; `null`: not our key. */
export function targetIndex(event: KeyboardEvent, at: number | null, count: number): number | null {
  const step = event.shiftKey ? shiftStep : 1;
  const last = count - 1;
  const moves: Readonly<Record<string, number>> = {
    ArrowRight: at === null ? 0 : at + step,
    ArrowLeft: at === null ? last : at - step,
    Home: 0,
    End: last,
  };
  const to = moves[event.key];
  return to === undefined ? null : Math.min(last, Math.max(0, to));
}

/** What a live region says: the words of the value that the focus rests on. */
export function useReadOut(words: string, focused: boolean): string {
  const [spoken, setSpoken] = useState('');
  useEffect(() => {
    if (!focused) return undefined;
    return env.after(readOutAfterMs, () => setSpoken(words));
  }, [focused, words]);
  return spoken;
}
