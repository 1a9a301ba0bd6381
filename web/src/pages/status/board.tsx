import type { Status } from '@bot-analytics/protocol/read-api';
import { useId, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { serverNowMs } from '../../live/live-words.ts';
import type { LiveStatus } from '../../live/use-live-status.ts';
import { useNow } from '../../live/use-now.ts';
import { StateMark } from '../../ui/state-mark.tsx';
import { Button } from '../../ui/button.tsx';
import { Blank, Note } from '../../ui/panel.tsx';
import { Announcer } from './announcer.tsx';
import { Controls } from './controls.tsx';
import type { ChangeSearch } from './controls.tsx';
import { GroupBlock } from './grid/group-block.tsx';
import type { GroupSetting } from './grid/group-block.tsx';
import groupStyles from './grid/group.module.css';
import { Grouper, manyShards } from './grid/groups.ts';
import { Legend } from './grid/legend.tsx';
import { FrozenNotice, LiveBar } from './live-bar.tsx';
import type { StatusSearch } from './search.ts';
import { SingleCard } from './grid/shard-card.tsx';
import { ShardLink, ShardTable } from './table/shard-table.tsx';
import styles from './status.module.css';
import { tableView } from './table/table-view.ts';
import { groupsStartClosed, statusView, withGroupOpen } from './view-model.ts';
import type { StatusView } from './view-model.ts';

/** Times of offline shards move on in steps of this. */
const clockStepMs = 10_000;

/** What the private and the public status page have in common. */
export interface BoardProps {
  /** Of the bot. */
  readonly name: string;
  readonly live: LiveStatus;
  readonly status: Status;
  readonly search: StatusSearch;
  readonly onSearch: ChangeSearch;
  /** `null`: there is no page of a shard. */
  readonly shardHref: (shardId: number) => string | null;
  /** Shown when no heartbeat was ever seen. */
  readonly empty: ReactNode;
  /** Shown under the card of a bot with one shard: its charts. */
  readonly renderHistory: (shardId: number) => ReactNode;
}

function Top({ view, live }: { readonly view: StatusView; readonly live: LiveStatus }) {
  const { mark, text, detail } = view.headline;
  return (
    <div className={styles.top}>
      <div className={styles.headline}>
        <h1>
          <StateMark kind={mark} />
          <span>{text}</span>
        </h1>
        {detail !== '' && <p>{detail}</p>}
      </div>
      <LiveBar live={live} />
      <Announcer text={text} />
    </div>
  );
}

interface FoundProps extends Pick<BoardProps, 'shardHref'> {
  readonly view: StatusView;
  readonly foundId: string;
}

function Found({ view, shardHref, foundId }: FoundProps) {
  const { finding } = view;
  if (finding.kind === 'unclear') return <p className={styles.found}>{finding.why}</p>;
  if (finding.kind !== 'shard') return null;
  const { shardId, because } = finding;
  return (
    <p className={styles.found} role="status">
      {because}{' '}
      {view.foundSeen ? (
        <ShardLink id={foundId} shardId={shardId} href={shardHref(shardId)} text="Open shard" />
      ) : (
        `Shard ${shardId} has sent no heartbeat yet.`
      )}
    </p>
  );
}

function NothingShown({
  view,
  onSearch,
}: { readonly view: StatusView } & Pick<BoardProps, 'onSearch'>) {
  const allOnline = view.offline === 0 && view.finding.kind === 'none';
  return (
    <Blank
      title={allOnline ? 'No shard is offline' : 'No shard matches'}
      actions={
        <Button onClick={() => onSearch({ show: undefined, q: undefined })}>Show all shards</Button>
      }
    >
      {allOnline
        ? 'Every shard sent a heartbeat in the last 2 minutes.'
        : 'No shard that was ever seen fits the search and the filter.'}
    </Blank>
  );
}

function Groups(props: BoardProps & { readonly view: StatusView; readonly nowMs: number }) {
  const { view, search, onSearch, shardHref, nowMs } = props;
  const { density, fill } = view;
  const stepMs = Math.ceil(nowMs / clockStepMs) * clockStepMs;
  const startsClosed = groupsStartClosed(props.status, density);
  const setting = useMemo<GroupSetting>(
    () => ({
      density: density === 'tiles' ? 'tiles' : 'cards',
      fill,
      shardHref,
      onToggle: (key, open) => onSearch(withGroupOpen(search, { key, open }, startsClosed)),
    }),
    [density, fill, shardHref, onSearch, search, startsClosed],
  );
  if (density === 'table') {
    const groups = view.groups.map(({ group }) => group);
    const rows = tableView(groups, search.sort, search.page);
    return <ShardTable view={rows} nowMs={stepMs} onSearch={onSearch} shardHref={shardHref} />;
  }
  return (
    <div
      className={groupStyles.groups}
      {...(startsClosed ? { 'data-closed-columns': '' } : {})}
      {...(density === 'tiles' && props.status.total > manyShards ? { 'data-panels': '' } : {})}
      data-testid="groups"
    >
      {view.groups.map(({ group, open }) => (
        <GroupBlock
          key={group.key}
          group={group}
          open={open}
          setting={setting}
          nowMs={group.online === group.total ? 0 : stepMs}
        />
      ))}
    </div>
  );
}

function Grid(props: BoardProps & { readonly view: StatusView; readonly nowMs: number }) {
  const { view, search, onSearch, shardHref, status } = props;
  const startsClosed = groupsStartClosed(status, view.density);
  const foundId = useId();
  return (
    <div className={styles.body}>
      <Controls
        view={view}
        search={search}
        startsClosed={startsClosed}
        onSearch={onSearch}
        foundId={foundId}
      />
      <Legend
        fill={view.density === 'table' ? 'status' : view.fill}
        withSilent={view.unresponsive > 0}
      />
      <Found view={view} shardHref={shardHref} foundId={foundId} />
      {view.unseen !== null && <Note>{view.unseen}</Note>}
      {view.shown === 0 ? <NothingShown view={view} onSearch={onSearch} /> : <Groups {...props} />}
    </div>
  );
}

/** Presence of every shard. */
export function Board(props: BoardProps) {
  const { live, status, search, name } = props;
  const [grouper] = useState(() => new Grouper());
  const groups = useMemo(() => grouper.groups(status), [grouper, status]);
  const view = useMemo(
    () => statusView({ status, groups, search, name }),
    [status, groups, search, name],
  );
  const nowMs = serverNowMs(live, useNow(clockStepMs));
  const [only] = status.clusters[0]?.shards ?? [];
  return (
    <>
      <FrozenNotice live={live} />
      <Top view={view} live={live} />
      {view.mode === 'empty' && props.empty}
      {view.mode === 'single' && only !== undefined && (
        <>
          <SingleCard shard={only} nowMs={nowMs} />
          {props.renderHistory(only.shardId)}
        </>
      )}
      {view.mode === 'grid' && <Grid {...props} view={view} nowMs={nowMs} />}
    </>
  );
}
