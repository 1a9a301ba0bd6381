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
  /** `null`: there is no page of a shard. */
  readonly shardHref: (shardId: number) => string | null;
  readonly onToggle: (key: string, open: boolean) => void;
}

interface BodyProps {
  readonly group: ShardGroup;
  readonly setting: GroupSetting;
  /** Clock of the server, ms; only groups with an offline shard look at it. */
  readonly nowMs: number;
}

interface GroupProps extends BodyProps {
  readonly open: boolean;
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
  readonly fill: Fill;
  readonly href: string | null;
  readonly nowMs: number;
  readonly tabIndex: 0 | -1;
}

const Tile = memo(function Tile({ shard, fill, href, nowMs, tabIndex }: TileProps) {
  const { look, text } = tileLook(shard, fill);
  const since = `last heartbeat ${nearTime(Date.parse(shard.lastHeartbeatAt), nowMs)}`;
  const name = tileName(shard, text, since);
  const shared = {
    className: `${styles.tile ?? ''} ${styles.look ?? ''}`,
    'data-look': look,
    title: name,
    'aria-label': name,
  };
  const inner = (
    <>
      <b>{shard.shardId}</b> {text !== '' && <span>{text}</span>}
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
    <a {...shared} href={href} tabIndex={tabIndex}>
      {inner}
    </a>
  );
});

/** The heading of a group of tiles is its tab stop; without a heading the first tile is. */
function Tiles({ group, setting, nowMs }: BodyProps) {
  const { fill, shardHref } = setting;
  const first = group.title === null ? 0 : -1;
  return (
    <ul className={styles.tiles} data-roving-items="">
      {group.shards.map((shard, index) => (
        <li key={shard.shardId}>
          <Tile
            shard={shard}
            fill={fill}
            href={shardHref(shard.shardId)}
            nowMs={shard.state === 'offline' ? nowMs : 0}
            tabIndex={index === 0 ? first : -1}
          />
        </li>
      ))}
    </ul>
  );
}

function Cards({ group, setting, nowMs }: BodyProps) {
  return (
    <ul className={styles.cards} data-roving-items="" data-clip-items="">
      {group.shards.map((shard, index) => (
        <ShardCard
          key={shard.shardId}
          shard={shard}
          href={setting.shardHref(shard.shardId)}
          nowMs={nowMs}
          tabIndex={index === 0 ? 0 : -1}
        />
      ))}
    </ul>
  );
}

function Body(props: BodyProps) {
  const Shape = props.setting.density === 'cards' ? Cards : Tiles;
  return <Shape {...props} />;
}

function Heading({ group, open, setting }: Omit<GroupProps, 'nowMs'>) {
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
export const GroupBlock = memo(function GroupBlock({ group, open, setting, nowMs }: GroupProps) {
  const body = <Body group={group} setting={setting} nowMs={nowMs} />;
  if (group.title === null) {
    return (
      // The items are links; the box only moves the focus between them.
      <div onKeyDown={onRovingKey}>{body}</div>
    );
  }
  return (
    <details className={styles.group} open={open} onKeyDown={onRovingKey}>
      {/* The address holds what is open, so the browser's own toggling is stopped. */}
      <summary
        className={styles.summary}
        {...(setting.density === 'tiles' ? { 'data-roving': '' } : {})}
        onClick={(event) => {
          event.preventDefault();
          setting.onToggle(group.key, !open);
        }}
      >
        <Heading group={group} open={open} setting={setting} />
      </summary>
      {open && body}
    </details>
  );
});
