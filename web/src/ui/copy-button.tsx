import { useEffect, useState } from 'react';
import { env } from '../env.ts';
import { Button } from './button.tsx';

const confirmationMs = 2_500;

interface CopyButtonProps {
  readonly text: string;
  /** Completes "Copy …". */
  readonly what: string;
  /** `what` is seen as well, not only read out. */
  readonly full?: boolean;
}

/** Puts `text` on the clipboard and says so. */
export function CopyButton({ text, what, full = false }: CopyButtonProps) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return undefined;
    return env.after(confirmationMs, () => setState('idle'));
  }, [state]);
  const copy = (): void => {
    // Not offered by browsers on plain http, except on localhost.
    const clipboard: Clipboard | undefined = navigator.clipboard;
    if (clipboard === undefined) return setState('failed');
    clipboard.writeText(text).then(
      () => setState('copied'),
      () => setState('failed'),
    );
  };
  const words = { idle: 'Copy', copied: 'Copied ✓', failed: 'Select and copy by hand' }[state];
  return (
    <Button small onClick={copy}>
      {full && state === 'idle' ? `Copy ${what}` : words}
      {!full && state === 'idle' && <span className="visually-hidden"> {what}</span>}
      <span role="status" className="visually-hidden">
        {state === 'copied' ? `${what} copied` : ''}
      </span>
    </Button>
  );
}
