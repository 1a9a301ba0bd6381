import { useEffect } from 'react';
import type { ReactNode } from 'react';
import styles from './shell.module.css';

interface PageProps {
  /** Title of the tab. */
  readonly title: string;
  /** Text pages keep a readable width; grids use the screen. */
  readonly narrow?: boolean;
  /** The title stands alone. */
  readonly bare?: boolean;
  readonly children: ReactNode;
}

/** The body of a page and the title of its tab. */
export function Page({ title, narrow = false, bare = false, children }: PageProps) {
  useEffect(() => {
    document.title = bare ? title : `${title} · Bot Analytics`;
  }, [title, bare]);
  return (
    <div className={`${styles.page ?? ''}${narrow ? ` ${styles.narrow ?? ''}` : ''}`}>
      {children}
    </div>
  );
}
