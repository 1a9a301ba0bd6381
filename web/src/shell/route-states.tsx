import { useRouter } from '@tanstack/react-router';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { buttonClass } from '../ui/button.tsx';
import { Blank, Failed, Loading } from '../ui/panel.tsx';
import styles from './shell.module.css';

/** While a page's code or first answer is on its way. */
export function RoutePending() {
  return (
    <div className={styles.page}>
      <Loading what="the page" />
    </div>
  );
}

/** A page that could not be shown. */
export function RouteFailed({ error }: Pick<ErrorComponentProps, 'error'>) {
  const router = useRouter();
  return (
    <div className={styles.page}>
      <h1 className="visually-hidden">Error</h1>
      <Failed error={error} onRetry={() => void router.invalidate()} />
    </div>
  );
}

/** An address that leads nowhere. */
export function NotFound() {
  return (
    <div className={styles.page}>
      <h1 className="visually-hidden">Not found</h1>
      <Blank
        title="There is no such page"
        actions={
          <a className={buttonClass()} href="/?all=1">
            All bots
          </a>
        }
      >
        The address may be mistyped, or the bot was removed.
      </Blank>
    </div>
  );
}

/** A failure outside the frame, which brings its own landmark. */
export function FramelessFailed({ error }: Pick<ErrorComponentProps, 'error'>) {
  return (
    <main>
      <RouteFailed error={error} />
    </main>
  );
}

/** An address outside the frame that leads nowhere. */
export function FramelessNotFound() {
  return (
    <main>
      <NotFound />
    </main>
  );
}
