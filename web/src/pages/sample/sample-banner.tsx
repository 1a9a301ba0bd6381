import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/panel.tsx';
import styles from './sample.module.css';
import { useRemoveSample } from './use-sample.ts';

/** Stands above every page of the bot with made-up data. */
export function SampleBanner() {
  const remove = useRemoveSample();
  return (
    <div className={styles.banner}>
      <Notice kind="warn">
        <span className={styles.words}>
          <strong>Sample data.</strong> This server makes up everything shown here, the live
          heartbeats too. It never mixes with data of your own bots.
        </span>
        <Button small disabled={remove.isPending} onClick={() => remove.mutate()}>
          {remove.isPending ? 'Removing…' : 'Remove sample bot'}
        </Button>
        {remove.error !== null && <span role="status">{remove.error.message}</span>}
      </Notice>
    </div>
  );
}
