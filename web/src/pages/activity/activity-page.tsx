import type { StoredEvent } from '@bot-analytics/protocol/read-api';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { botsQuery } from '../../api/queries.ts';
import { clockTimeSeconds } from '../../format/time.ts';
import { useNow } from '../../live/use-now.ts';
import { Page } from '../../shell/page.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Blank, Failed, Loading, Notice } from '../../ui/panel.tsx';
import { Segments } from '../../ui/segments.tsx';
import { ActivityTable } from './activity-table.tsx';
import styles from './activity.module.css';
import type { Group } from './search.ts';
import { activityView, eventsOf, FILTERS, queryOf } from './view-model.ts';
import type { ActivityView } from './view-model.ts';

const refetchMs = 3_000;
/** For the day of a time; the times themselves stand still. */
const dayCheckMs = 60_000;

/** The newest events of a bot, asked again while the page is in view and nobody paused it. */
function useEvents(bot: string, group: Group | undefined, paused: boolean) {
  return useQuery({
    queryKey: ['activity', bot, group ?? 'all'],
    queryFn: async ({ signal }) =>
      (await call('events', { path: { bot }, query: queryOf(group), signal })).events,
    refetchInterval: paused ? false : refetchMs,
    refetchOnWindowFocus: !paused,
    refetchOnReconnect: !paused,
    // Another group of the same bot shows what of it is here already; another bot starts empty.
    placeholderData: (before, query) => (query?.queryKey[1] === bot ? before : undefined),
  });
}

function Figures({ view }: { readonly view: ActivityView }) {
  return (
    <>
      <dl className={styles.figures}>
        {view.figures.map(({ key, label, value, help }) => (
          <div key={key} className={styles.figure} data-clip="figure">
            <dt>{label}</dt>
            <dd>{value}</dd>
            <dd>{help}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.scope}>{view.scope}</p>
    </>
  );
}

function NoEvents({ bot }: { readonly bot: string }) {
  return (
    <Blank
      title="No events yet"
      actions={
        <a className={buttonClass()} href={`/b/${bot}/connect`}>
          Connect the bot
        </a>
      }
    >
      Start the bot with its key and use one of its commands: the command stands here within
      seconds.
    </Blank>
  );
}

interface RowsProps {
  readonly bot: string;
  readonly group: Group | undefined;
  readonly events: readonly StoredEvent[];
  readonly onAll: () => void;
}

function Rows({ bot, group, events, onAll }: RowsProps) {
  const now = useNow(dayCheckMs);
  if (events.length > 0) {
    const view = activityView(events, now);
    return (
      <>
        <Figures view={view} />
        <ActivityTable rows={view.rows} />
      </>
    );
  }
  if (group === undefined) return <NoEvents bot={bot} />;
  const label = FILTERS.find(({ value }) => value === group)?.label ?? group;
  return (
    <Blank title={`Nothing in “${label}”`} actions={<Button onClick={onAll}>Show all</Button>}>
      The bot sent no event of this group in the time that is kept. New ones appear here by
      themselves.
    </Blank>
  );
}

interface LiveProps {
  readonly paused: boolean;
  /** 0: no answer yet. */
  readonly asOfMs: number;
  readonly onPause: () => void;
}

function Live({ paused, asOfMs, onPause }: LiveProps) {
  const asOf = asOfMs === 0 ? '' : ` at ${clockTimeSeconds(asOfMs)}`;
  return (
    <div className={styles.live}>
      <span>{paused ? `Paused${asOf}` : 'New events every 3 s'}</span>
      <Button small onClick={onPause}>
        {paused ? 'Resume' : 'Pause'}
      </Button>
    </div>
  );
}

/** The newest events of one bot, as they arrive. */
export function ActivityPage() {
  const { bot } = useParams({ from: '/app/b/$bot/activity' });
  const { show } = useSearch({ from: '/app/b/$bot/activity' });
  const navigate = useNavigate({ from: '/b/$bot/activity' });
  const name = useQuery(botsQuery).data?.find((one) => one.botId === bot)?.name ?? 'bot';
  const [paused, setPaused] = useState(false);
  const answer = useEvents(bot, show, paused);
  const events = answer.data === undefined ? undefined : eventsOf(answer.data, show);
  const isWaiting = events === undefined || (answer.isPlaceholderData && events.length === 0);
  const choose = (group: Group | 'all'): void => {
    const search = group === 'all' ? {} : { show: group };
    void navigate({ search, resetScroll: false });
  };
  const turn = (): void => {
    setPaused(!paused);
    if (paused) void answer.refetch();
  };
  const hasFailed = answer.isError || answer.failureCount > 0;
  return (
    <Page title={`Activity · ${name}`}>
      <div className={styles.head}>
        <h1>Activity</h1>
        <Live paused={paused} asOfMs={answer.dataUpdatedAt} onPause={turn} />
      </div>
      <div>
        <Segments label="Show" options={FILTERS} value={show ?? 'all'} onChange={choose} />
      </div>
      {hasFailed && !isWaiting && (
        <Notice kind="warn" announce>
          The newest events could not be loaded; these are as of{' '}
          {clockTimeSeconds(answer.dataUpdatedAt)}.
        </Notice>
      )}
      {isWaiting && answer.isError && (
        <Failed error={answer.error} onRetry={() => void answer.refetch()} />
      )}
      {isWaiting && !answer.isError && <Loading rows={6} what="the events" />}
      {!isWaiting && <Rows bot={bot} group={show} events={events} onAll={() => choose('all')} />}
    </Page>
  );
}
