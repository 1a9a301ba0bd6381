import type { Outcome } from './view-model.ts';
import styles from './activity.module.css';

/** Shapes differ, so colour is never the only signal (WCAG 1.4.1). */
const SHAPES = {
  ok: <path d="m2 6.4 2.7 2.8L10 3.4" />,
  failed: <path d="m2.5 2.5 7 7m0-7-7 7" />,
  'timed-out': (
    <>
      <circle cx="6" cy="6" r="4.6" />
      <path d="M6 3.2V6l2 1.4" />
    </>
  ),
  none: null,
} as const satisfies Record<Outcome['kind'], unknown>;

/** How it came out: a drawn mark and the word. */
export function OutcomeMark({ outcome }: { readonly outcome: Outcome }) {
  return (
    <span className={styles.outcome} data-kind={outcome.kind}>
      {outcome.kind !== 'none' && (
        <svg viewBox="0 0 12 12" aria-hidden="true">
          {SHAPES[outcome.kind]}
        </svg>
      )}
      {outcome.word}
    </span>
  );
}
