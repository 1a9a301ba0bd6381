import type { ShardStatus } from '@bot-analytics/protocol/read-api';
import { memo } from 'react';
import { plural } from '../../../format/numbers.ts';
import { dayAndClock, nearTime, relative } from '../../../format/time.ts';
import styles from './card.module.css';
import { cardFields, cardState } from './card-view.ts';
import { drawFields } from './drawn-fields.ts';

interface CardProps {
  readonly shard: ShardStatus;
  /** `null`: the shard has no page of its own. */
  readonly href: string | null;
  /** Clock of the server; moves only offline cards. */
  readonly nowMs: number;
  /** -1 for all but one card of a group: arrows move between them. */
  readonly tabIndex: 0 | -1;
}

/** What is true of a shard that is offline: when it was last heard of, and whom that concerns. */
function LastHeartbeat({ shard, nowMs }: { readonly shard: ShardStatus; readonly nowMs: number }) {
  const { lastHeartbeatAt: at, guildCount } = shard;
  const ms = Date.parse(at);
  return (
    <dl className={styles.last}>
      <dt>Last heartbeat</dt>
      <dd>
        <time dateTime={at} title={dayAndClock(ms)}>
          {relative(ms, nowMs)} ({nearTime(ms, nowMs)})
        </time>
      </dd>
      {guildCount !== null && guildCount > 0 && (
        <dd className={styles.without}>{plural(guildCount, 'guild')} without the bot</dd>
      )}
    </dl>
  );
}

/** Two rows of pairs. */
function Fields({ shard }: { readonly shard: ShardStatus }) {
  const draw = (list: HTMLDListElement | null): void => {
    if (list !== null) drawFields(list, shard);
  };
  return <dl className={styles.fields} ref={draw} />;
}

function WideFields({ shard }: { readonly shard: ShardStatus }) {
  return (
    <dl className={styles.wideFields}>
      {cardFields(shard).map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** One shard. A card of a shard that is offline shows when it was last heard of, and no old figures. */
export const ShardCard = memo(
  function ShardCard({ shard, href, nowMs, tabIndex }: CardProps) {
    const offline = shard.state === 'offline';
    const { mark, word, why } = cardState(shard);
    // One text, so one node.
    const name = `Shard ${shard.shardId}`;
    return (
      <li className={styles.card} data-state={mark}>
        {href === null ? (
          <strong>{name}</strong>
        ) : (
          <a href={href} tabIndex={tabIndex}>
            {name}
          </a>
        )}
        <span>{word}</span>
        {why !== null && <p className={styles.why}>{why}</p>}
        {offline ? <LastHeartbeat shard={shard} nowMs={nowMs} /> : <Fields shard={shard} />}
      </li>
    );
  },
  (before, after) =>
    before.shard === after.shard &&
    before.href === after.href &&
    before.tabIndex === after.tabIndex &&
    // The time is drawn on offline cards only.
    (before.nowMs === after.nowMs || after.shard.state === 'online'),
);

/** The only card of a bot with one shard and no cluster: no heading. Spec: "Single-bot mode". */
export function SingleCard({
  shard,
  nowMs,
}: {
  readonly shard: ShardStatus;
  readonly nowMs: number;
}) {
  const offline = shard.state === 'offline';
  const { mark, why } = cardState(shard);
  return (
    <div className={`${styles.card ?? ''} ${styles.wide ?? ''}`} data-state={mark} data-clip="card">
      {why !== null && <p className={styles.why}>Not responding to the platform. {why}</p>}
      {offline ? <LastHeartbeat shard={shard} nowMs={nowMs} /> : <WideFields shard={shard} />}
    </div>
  );
}
