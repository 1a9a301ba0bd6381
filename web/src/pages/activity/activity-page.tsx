import type { EventPage, StoredEvent } from '@bot-analytics/protocol/read-api';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { call } from '../../api/client.ts';
import { botsQuery } from '../../api/queries.ts';
import { clockTimeSeconds } from '../../format/time.ts';
import { useNow } from '../../live/use-now.ts';
import { Page } from '../../shell/page.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Figures } from '../../ui/figures.tsx';
import { Blank, Failed, Loading, Notice } from '../../ui/panel.tsx';
import { Segments } from '../../ui/segments.tsx';
import { ActivityTable } from './activity-table.tsx';
import styles from './activity.module.css';
import type { Group } from './search.ts';
import { activityView, eventsOf, FILTERS, queryOf } from './view-model.ts';

const refetchMs = 3_000;
/** For the day of a time; the times themselves stand still. */
const dayCheckMs = 60_000;

/** The newest events of a bot, asked again while the page is in view and nobody paused it. */
function useEvents(bot: string, group: Group | undefined, paused: boolean) {
  return useQuery({
    queryKey: ['activity', bot, group ?? 'all'],
    queryFn: ({ signal }) => call('events', { path: { bot }, query: queryOf(group), signal }),
    refetchInterval: paused ? false : refetchMs,
    refetchOnWindowFocus: !paused,
    refetchOnReconnect: !paused,
    // Another group of the same bot shows what of it is here already; another bot starts empty.
    placeholderData: (before, query) => (query?.queryKey[1] === bot ? before : undefined),
  });
}

/** Pages behind the newest one, asked for one by one. `from`: the cursor behind the newest page. */
function useOlder(bot: string, group: Group | undefined, from: string | null) {
  return useInfiniteQuery({
    queryKey: ['activity-older', bot, group ?? 'all', from],
    queryFn: ({ pageParam, signal }) =>
      call('events', { path: { bot }, query: { ...queryOf(group), cursor: pageParam }, signal }),
    initialPageParam: from ?? '',
    getNextPageParam: (last: EventPage) => last.nextCursor,
    enabled: from !== null,
    // What is older does not change.
    staleTime: Number.POSITIVE_INFINITY,
  });
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
        <Figures figures={view.figures} />
        <p className={styles.scope}>{view.scope}</p>
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
  /** The last answer did not come. */
  readonly failed: boolean;
  /** 0: no answer yet. */
  readonly asOfMs: number;
  readonly onPause: () => void;
}

function Live({ paused, failed, asOfMs, onPause }: LiveProps) {
  const asOf = asOfMs === 0 ? '' : ` at ${clockTimeSeconds(asOfMs)}`;
  const running = failed ? 'Trying again' : 'New events every 3 s';
  return (
    <div className={styles.live}>
      <span>{paused ? `Paused${asOf}` : running}</span>
      <Button small onClick={onPause}>
        {paused ? 'Resume' : 'Pause'}
      </Button>
    </div>
  );
}

interface OlderProps {
  readonly more: boolean;
  readonly loading: boolean;
  readonly error: Error | null;
  readonly onMore: () => void;
}

/** The way to what is older. */
function Older({ more, loading, error, onMore }: OlderProps) {
  return (
    <div className={styles.live}>
      {more && (
        <Button disabled={loading} onClick={onMore}>
          {loading ? 'Loading…' : 'Load older events'}
        </Button>
      )}
      <span role="status">
        {error !== null && error.message}
        {!more && 'This is everything that is kept.'}
      </span>
    </div>
  );
}

/** The newest events, and those behind them once somebody asks: then the page holds still. */
function useActivity(bot: string, group: Group | undefined) {
  const [paused, setPaused] = useState(false);
  const [from, setFrom] = useState<string | null>(null);
  const newest = useEvents(bot, group, paused);
  const older = useOlder(bot, group, from);
  const next = newest.isPlaceholderData ? null : (newest.data?.nextCursor ?? null);
  const pages = from === null ? [] : (older.data?.pages ?? []);
  const known = newest.data?.events;
  const events = useMemo(
    () => (known === undefined ? undefined : [...known, ...pages.flatMap((page) => page.events)]),
    // The pages are kept by the cache: another page, another array.
    [known, pages.length], // oxlint-disable-line react/exhaustive-deps
  );
  return {
    newest,
    events,
    paused,
    turn: (): void => {
      setPaused(!paused);
      setFrom(null);
      if (paused) void newest.refetch();
    },
    forgetOlder: (): void => setFrom(null),
    older: {
      more: from === null ? next !== null : older.hasNextPage || older.data === undefined,
      loading: from !== null && older.isFetching,
      error: from === null ? null : older.error,
      onMore: (): void => {
        setPaused(true);
        if (from === null) setFrom(next);
        else if (older.isError && older.data === undefined) void older.refetch();
        else void older.fetchNextPage();
      },
    },
  };
}

/** The newest events of one bot, as they arrive. */
export function ActivityPage() {
  const { bot } = useParams({ from: '/app/b/$bot/activity' });
  const { show } = useSearch({ from: '/app/b/$bot/activity' });
  const navigate = useNavigate({ from: '/b/$bot/activity' });
  const name = useQuery(botsQuery).data?.find((one) => one.botId === bot)?.name ?? 'bot';
  const activity = useActivity(bot, show);
  const { newest, paused, older } = activity;
  const events = activity.events === undefined ? undefined : eventsOf(activity.events, show);
  const isWaiting = events === undefined || (newest.isPlaceholderData && events.length === 0);
  const choose = (group: Group | 'all'): void => {
    activity.forgetOlder();
    const search = group === 'all' ? {} : { show: group };
    void navigate({ search, resetScroll: false });
  };
  const hasFailed = newest.isError || newest.failureCount > 0;
  return (
    <Page title={`Activity · ${name}`}>
      <div className={styles.head}>
        <h1>Activity</h1>
        <Live
          paused={paused}
          failed={hasFailed}
          asOfMs={newest.dataUpdatedAt}
          onPause={activity.turn}
        />
      </div>
      <div>
        <Segments label="Show" options={FILTERS} value={show ?? 'all'} onChange={choose} />
      </div>
      {hasFailed && !isWaiting && (
        <Notice kind="warn" announce>
          The newest events could not be loaded; these are as of{' '}
          {clockTimeSeconds(newest.dataUpdatedAt)}.
        </Notice>
      )}
      {isWaiting && newest.isError && (
        <Failed error={newest.error} onRetry={() => void newest.refetch()} />
      )}
      {isWaiting && !newest.isError && <Loading rows={6} what="the events" />}
      {!isWaiting && <Rows bot={bot} group={show} events={events} onAll={() => choose('all')} />}
      {!isWaiting && events.length > 0 && <Older {...older} />}
    </Page>
  );
}
