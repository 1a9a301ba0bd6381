import { StateMark } from '../../../ui/state-mark.tsx';
import styles from './group.module.css';
import { legendOf } from './levels.ts';
import type { Fill } from '../search.ts';

interface LegendProps {
  readonly fill: Fill;
  /** Some shard does not respond to the platform. */
  readonly withSilent: boolean;
}

/** What the looks mean. */
export function Legend({ fill, withSilent }: LegendProps) {
  return (
    <ul className={styles.legend} aria-label="Legend">
      {fill === 'status' && (
        <li>
          <StateMark kind="online" /> Online: heartbeat in the last 2 min
        </li>
      )}
      {fill !== 'status' &&
        legendOf(fill).map(({ look, text }) => (
          <li key={look}>
            <span
              className={`${styles.swatch ?? ''} ${styles.look ?? ''}`}
              data-look={look}
              aria-hidden="true"
            />
            {text}
          </li>
        ))}
      <li>
        <StateMark kind="offline" /> Offline: none for 2 min or more
      </li>
      {withSilent && (
        <li>
          <StateMark kind="silent" /> Not responding to the platform
        </li>
      )}
    </ul>
  );
}
