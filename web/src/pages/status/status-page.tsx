import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useCallback } from 'react';
import type { ComponentProps } from 'react';
import { ApiFailure, call } from '../../api/client.ts';
import { botsQuery } from '../../api/queries.ts';
import { addressOf } from '../../api/routes.ts';
import { useLiveStatus } from '../../live/use-live-status.ts';
import type { LiveStatus } from '../../live/use-live-status.ts';
import { patchSearch } from '../../shell/patch-search.ts';
import { Page } from '../../shell/page.tsx';
import { useLoginOn401 } from '../../shell/use-login-on-401.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Blank, Failed, Loading } from '../../ui/panel.tsx';
import type { HistoryPanel } from '../shard/history-panel.tsx';
import { Board } from './board.tsx';
import type { ChangeSearch } from './controls.tsx';
import { FrozenNotice } from './live-bar.tsx';

const LazyHistoryPanel = lazy(async () => ({
  default: (await import('../shard/history-panel.tsx')).HistoryPanel,
}));

function NoHeartbeat({ bot }: { readonly bot: string }) {
  return (
    <Blank
      title="Waiting for the first heartbeat"
      actions={
        <a className={buttonClass('primary')} href={`/b/${bot}/connect`}>
          Connect the bot
        </a>
      }
    >
      A shard shows up here within seconds after the bot has started with the SDK.
    </Blank>
  );
}

function useStatusSearch(): readonly [ReturnType<typeof useSearchHere>, ChangeSearch] {
  const search = useSearchHere();
  const navigate = useNavigate({ from: '/b/$bot/status' });
  const onSearch = useCallback<ChangeSearch>(
    (patch) => {
      void navigate({
        search: (before) => patchSearch(before, patch),
        // Typing and toggling must not fill the history.
        replace: 'q' in patch || 'open' in patch || 'shut' in patch,
        resetScroll: false,
      });
    },
    [navigate],
  );
  return [search, onSearch];
}

function useSearchHere() {
  return useSearch({ from: '/app/b/$bot/status' });
}

function Refused({ status }: { readonly status: number }) {
  const error = new ApiFailure({
    status,
    code: 'unreadable_answer',
    message: `The server refused the status with ${status}.`,
    requestId: null,
  });
  return (
    <Page title="Status">
      <h1>Status</h1>
      <Failed error={error} onRetry={() => window.location.reload()} />
    </Page>
  );
}

function NoStatusYet({ live }: { readonly live: LiveStatus }) {
  return (
    <Page title="Status">
      <h1>Status</h1>
      <FrozenNotice live={live} />
      {!live.lost && <Loading what="the status" rows={5} />}
    </Page>
  );
}

type HistoryProps = Pick<
  ComponentProps<typeof HistoryPanel>,
  'name' | 'shard' | 'search' | 'onSearch'
>;

function InlineHistory({ bot, ...rest }: HistoryProps & { readonly bot: string }) {
  const path = { bot, shard: rest.shard };
  return (
    <Suspense fallback={<Loading what="the charts" rows={2} />}>
      <LazyHistoryPanel
        {...rest}
        sourceKey={bot}
        fetchHistory={(range, signal) =>
          call('shardHistory', { path, query: { ...range }, signal })
        }
      />
    </Suspense>
  );
}

/** The status view of one bot. Spec: Status view. */
export function StatusPage() {
  const { bot } = useParams({ from: '/app/b/$bot/status' });
  const bots = useQuery(botsQuery).data;
  const name = bots?.find((one) => one.botId === bot)?.name ?? 'The bot';
  const [search, onSearch] = useStatusSearch();
  const live = useLiveStatus({
    streamUrl: addressOf('statusStream', { bot }).url,
    statusUrl: addressOf('status', { bot }).url,
  });
  useLoginOn401(live.refusal?.status);
  const shardHref = useCallback((shardId: number) => `/b/${bot}/status/${shardId}`, [bot]);
  const { status, refusal } = live;
  if (refusal !== null) return <Refused status={refusal.status} />;
  if (status === null) return <NoStatusYet live={live} />;
  return (
    <Page title={`${status.online}/${status.total} online · ${name}`}>
      <Board
        name={name}
        live={live}
        status={status}
        search={search}
        onSearch={onSearch}
        shardHref={shardHref}
        empty={<NoHeartbeat bot={bot} />}
        renderHistory={(shard) => (
          <InlineHistory bot={bot} name={name} shard={shard} search={search} onSearch={onSearch} />
        )}
      />
    </Page>
  );
}
