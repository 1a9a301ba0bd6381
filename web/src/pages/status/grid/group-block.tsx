import type { ShardStatus } from '@bot-analytics/protocol/read-api';
import { memo } from 'react';
import { fullCount } from '../../../format/numbers.ts';
import { nearTime } from '../../../format/time.ts';
import { StateMark } from '../../../ui/state-mark.tsx';
import { tileName } from './card-view.ts';
import styles from './group.module.css';
import type { ShardGroup } from './groups.ts';
import { tileLook } from './levels.ts';
import { onRovingKey } from './roving.ts';
import type { Fill } from '../search.ts';
import { ShardCard } from './shard-card.tsx';
import { groupSummary } from '../view-model.ts';

/** What every group of a page has in common. */
export interface GroupSetting {
  readonly density: 'cards' | 'tiles';
  readonly fill: Fill;
  /** Clock of the server, whole minutes. */
  readonly minuteMs: number;
  /** `null`: there is no page of a shard. */
  readonly shardHref: (shardId: number) => string | null;
  readonly onToggle: (key: string, open: boolean) => void;
}

interface GroupProps {
  readonly group: ShardGroup;
  readonly open: boolean;
  readonly setting: GroupSetting;
}

/** The group at a glance while it is closed. The summary beside it says the same in words. */
function Strip({ group, fill }: { readonly group: ShardGroup; readonly fill: Fill }) {
  return (
    <span className={styles.strip} aria-hidden="true">
      {group.shards.map((shard) => (
        <i key={shard.shardId} className={styles.look} data-look={tileLook(shard, fill).look} />
      ))}
    </span>
  );
}

interface TileProps {
  readonly shard: ShardStatus;
  readonly setting: GroupSetting;
  readonly tabIndex: 0 | -1;
}

function Tile({ shard, setting, tabIndex }: TileProps) {
  const { fill, minuteMs, shardHref } = setting;
  const { look, text } = tileLook(shard, fill);
  const since = `last heartbeat ${nearTime(Date.parse(shard.lastHeartbeatAt), minuteMs)}`;
  const name = tileName(shard, text, since);
  const href = shardHref(shard.shardId);
  const shared = {
    className: `${styles.tile ?? ''} ${styles.look ?? ''}`,
    'data-look': look,
    title: name,
    'aria-label': name,
  };
  const inner = (
    <>
      <b>{shard.shardId}</b>
      {text !== '' && <span>{text}</span>}
    </>
  );
  if (href === null) {
    return (
      <span {...shared} role="img">
        {inner}
      </span>
    );
  }
  return (
    <a {...shared} href={href} tabIndex={tabIndex} data-roving="">
      {inner}
    </a>
  );
}

function Tiles({ group, setting }: { readonly group: ShardGroup; readonly setting: GroupSetting }) {
  return (
    // The items are links; the list only passes the arrow keys on.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <ul className={styles.tiles} onKeyDown={onRovingKey}>
      {group.shards.map((shard, index) => (
        <li key={shard.shardId}>
          <Tile shard={shard} setting={setting} tabIndex={index === 0 ? 0 : -1} />
        </li>
      ))}
    </ul>
  );
}

function Cards({ group, setting }: { readonly group: ShardGroup; readonly setting: GroupSetting }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <ul className={styles.cards} onKeyDown={onRovingKey}>
      {group.shards.map((shard, index) => (
        <ShardCard
          key={shard.shardId}
          shard={shard}
          href={setting.shardHref(shard.shardId)}
          minuteMs={setting.minuteMs}
          tabIndex={index === 0 ? 0 : -1}
        />
      ))}
    </ul>
  );
}

function Body({ group, setting }: { readonly group: ShardGroup; readonly setting: GroupSetting }) {
  const Shape = setting.density === 'cards' ? Cards : Tiles;
  return <Shape group={group} setting={setting} />;
}

function Heading({ group, open, setting }: GroupProps) {
  const { online, total } = group;
  const mark = online === total ? 'online' : online === 0 ? 'offline' : 'partly';
  return (
    <>
      <svg className={styles.chevron} viewBox="0 0 12 12" aria-hidden="true">
        <path d="m4 2 4 4-4 4" fill="none" stroke="currentColor" strokeWidth="1.6" />
      </svg>
      <span className={styles.title}>{group.title}</span>
      <span className={styles.count}>
        <StateMark kind={mark} />
        {fullCount(online)} of {fullCount(total)} online
      </span>
      <small>{groupSummary(group)}</small>
      {!open && <Strip group={group} fill={setting.fill} />}
    </>
  );
}

/** A collapsible cluster or range; what is closed is not drawn. */
export const GroupBlock = memo(function GroupBlock({ group, open, setting }: GroupProps) {
  if (group.title === null) return <Body group={group} setting={setting} />;
  return (
    <details className={styles.group} open={open}>
      {/* The address holds what is open, so the browser's own toggling is stopped. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events */}
      <summary
        className={styles.summary}
        onClick={(event) => {
          event.preventDefault();
          setting.onToggle(group.key, !open);
        }}
      >
        <Heading group={group} open={open} setting={setting} />
      </summary>
      {open && <Body group={group} setting={setting} />}
    </details>
  );
});
