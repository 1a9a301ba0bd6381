import { useMemo } from 'react';
import type { LiveStatus } from '../../live/use-live-status.ts';
import { Notice } from '../../ui/panel.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { cardFields, cardState } from '../status/grid/card-view.ts';
import { FrozenNotice, LiveBar } from '../status/live-bar.tsx';
import styles from './history.module.css';
import { placeOf } from './neighbours.ts';

interface HeadProps {
  readonly shard: number;
  readonly live: LiveStatus;
  /** Address of the grid. */
  readonly back: string;
  readonly hrefOf: (shard: number) => string;
}

/** Name, cluster, state and figures of this second, and the ways to the neighbours. */
export function ShardHead({ shard, live, back, hrefOf }: HeadProps) {
  const { status } = live;
  const place = useMemo(() => (status === null ? null : placeOf(status, shard)), [status, shard]);
  const { before = null, after = null, clusterId = null } = place ?? {};
  const known = place?.shard ?? null;
  const state = known === null ? null : cardState(known);
  return (
    <>
      <nav className={styles.nav} aria-label="Shards">
        <a href={back}>‹ All shards</a>
        <span className={styles.keys}>
          {before !== null && <a href={hrefOf(before)}>‹ Shard {before}</a>}
          {after !== null && <a href={hrefOf(after)}>Shard {after} ›</a>}
        </span>
      </nav>
      <FrozenNotice live={live} />
      <div className={styles.nav}>
        <div className={styles.title}>
          <h1>Shard {shard}</h1>
          {clusterId !== null && <small>Cluster {clusterId}</small>}
          {state !== null && (
            <span className={styles.state} role="status">
              <StateMark kind={state.mark} />
              {state.word}
            </span>
          )}
        </div>
        <LiveBar live={live} />
      </div>
      {known !== null && known.state === 'online' && (
        <dl className={styles.now} aria-label="Now">
          {cardFields(known).map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {state !== null && state.why !== null && (
        <Notice kind="warn">Not responding to the platform. {state.why}</Notice>
      )}
    </>
  );
}
