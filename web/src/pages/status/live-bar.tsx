import { liveWords } from '../../live/live-words.ts';
import type { LiveStatus } from '../../live/use-live-status.ts';
import { useNow } from '../../live/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/panel.tsx';
import styles from './live-bar.module.css';

/** How fresh the page is, and the pause button (WCAG 2.2.2). */
export function LiveBar({ live }: { readonly live: LiveStatus }) {
  const now = useNow(1_000);
  const words = liveWords(live, now);
  return (
    <div className={styles.live}>
      <span className={styles.dot} {...(words.on ? { 'data-on': '' } : {})} aria-hidden="true" />
      <span data-testid="live-words">{words.text}</span>
      <Button kind="quiet" small onClick={() => live.setPaused(!live.paused)}>
        {live.paused ? 'Resume' : 'Pause'}
        <span className="visually-hidden"> live updates</span>
      </Button>
    </div>
  );
}

/** Says that the page stands still. Nothing is painted grey because of it. */
export function FrozenNotice({ live }: { readonly live: LiveStatus }) {
  const { frozen } = liveWords(live, live.arrivedAtMs ?? 0);
  if (frozen === null) return null;
  return (
    <Notice kind="warn" announce>
      {frozen}
    </Notice>
  );
}
