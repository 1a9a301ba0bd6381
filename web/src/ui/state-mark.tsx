import styles from './state-mark.module.css';

/** What a mark stands for. Shapes differ, so colour is never the only signal (WCAG 1.4.1). */
export type MarkKind = 'online' | 'offline' | 'partly' | 'unseen' | 'silent';

const SHAPES = {
  online: <circle cx="6" cy="6" r="5" fill="var(--online)" />,
  offline: (
    <>
      <circle cx="6" cy="6" r="4.25" fill="none" stroke="var(--offline)" strokeWidth="1.5" />
      <path d="M3.2 8.8 8.8 3.2" stroke="var(--offline)" strokeWidth="1.5" />
    </>
  ),
  partly: (
    <>
      <circle cx="6" cy="6" r="4.25" fill="none" stroke="var(--offline)" strokeWidth="1.5" />
      <path d="M6 1.75a4.25 4.25 0 0 1 0 8.5z" fill="var(--online)" />
    </>
  ),
  unseen: (
    <circle cx="6" cy="6" r="4.25" fill="none" stroke="var(--line-control)" strokeWidth="1.5" />
  ),
  silent: <path d="M6 .8 11.6 11H.4z" fill="var(--warn)" />,
} as const satisfies Record<MarkKind, unknown>;

/** A small drawn mark; the word always stands beside it. */
export function StateMark({ kind }: { readonly kind: MarkKind }) {
  return (
    <svg className={styles.mark} viewBox="0 0 12 12" aria-hidden="true">
      {SHAPES[kind]}
    </svg>
  );
}
