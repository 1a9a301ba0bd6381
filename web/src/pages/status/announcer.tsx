import { useEffect, useRef, useState } from 'react';
import { env } from '../../env.ts';

/** Screen readers hear a change of the counts at most this often. ui.md A, WCAG 4.1.3. */
const announceEveryMs = 10_000;

/** Reads `text` out when it changes, never more often than every 10 s, and not at the first draw. */
export function Announcer({ text }: { readonly text: string }) {
  const [spoken, setSpoken] = useState('');
  const last = useRef({ text, atMs: env.now() });
  useEffect(() => {
    if (text === last.current.text) return undefined;
    const waitMs = Math.max(0, last.current.atMs + announceEveryMs - env.now());
    return env.after(waitMs, () => {
      last.current = { text, atMs: env.now() };
      setSpoken(text);
    });
  }, [text]);
  return (
    <span role="status" className="visually-hidden">
      {spoken}
    </span>
  );
}
