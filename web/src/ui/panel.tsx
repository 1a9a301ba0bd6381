import { useId } from 'react';
import type { ReactNode } from 'react';
import { ApiFailure } from '../api/client.ts';
import { Button } from './button.tsx';
import styles from './panel.module.css';

interface PanelProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A titled box. */
export function Panel({ title, actions, children }: PanelProps) {
  const id = useId();
  return (
    <section className={styles.panel} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  );
}

/** Quiet explanation under a title. */
export function Note({ children }: { readonly children: ReactNode }) {
  return <p className={styles.note}>{children}</p>;
}

interface NoticeProps {
  readonly kind?: 'plain' | 'warn' | 'bad' | 'good';
  /** Read out when it appears. */
  readonly announce?: boolean;
  readonly children: ReactNode;
}

/** A line that needs attention. */
export function Notice({ kind = 'plain', announce = false, children }: NoticeProps) {
  const look = kind === 'plain' ? '' : ` ${styles[kind] ?? ''}`;
  return (
    <div className={`${styles.notice ?? ''}${look}`} {...(announce ? { role: 'status' } : {})}>
      {children}
    </div>
  );
}

interface BlankProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly actions?: ReactNode;
}

/** Stands where data would be: says why there is none and what to do. */
export function Blank({ title, children, actions }: BlankProps) {
  return (
    <div className={styles.blank}>
      <h2>{title}</h2>
      <p>{children}</p>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}

/** A failed answer, with a way to try again. */
export function Failed({
  error,
  onRetry,
}: {
  readonly error: unknown;
  readonly onRetry: () => void;
}) {
  const requestId = error instanceof ApiFailure ? error.requestId : null;
  const message = error instanceof Error ? error.message : String(error);
  return (
    <div className={styles.blank} role="alert">
      <h2>This could not be loaded</h2>
      <p>{message}</p>
      {requestId !== null && (
        <p>
          Request <code>{requestId}</code>, for the logs of the server.
        </p>
      )}
      <div className={styles.actions}>
        <Button onClick={onRetry}>Try again</Button>
      </div>
    </div>
  );
}

/** Grey boxes while an answer is awaited; invisible for the first 200 ms. */
export function Loading({ rows = 3, what }: { readonly rows?: number; readonly what: string }) {
  return (
    <div className={styles.bones} aria-busy="true">
      <span className="visually-hidden">Loading {what}…</span>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className={styles.bone} />
      ))}
    </div>
  );
}
