import { useEffect, useState } from 'react';
import { env } from '../env.ts';

/** Wall clock, renewed every `everyMs` while the component is shown. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => env.now());
  useEffect(() => env.every(everyMs, () => setNow(env.now())), [everyMs]);
  return now;
}
