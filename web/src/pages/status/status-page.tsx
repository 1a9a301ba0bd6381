import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useEffect } from 'react';
import { ApiFailure } from '../../api/client.ts';
import { botsQuery } from '../../api/queries.ts';
import { addressOf } from '../../api/routes.ts';
import { useLiveStatus } from '../../live/use-live-status.ts';
import { Page } from '../../shell/page.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { Blank, Failed, Loading } from '../../ui/panel.tsx';
import { Board } from './board.tsx';
import type { ChangeSearch } from './controls.tsx';
import { FrozenNotice } from './live-bar.tsx';

const ShardHistoryPanel = lazy(async () => ({
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
      A shard shows up here within 60 seconds after the bot has started with the SDK.
    </Blank>
  );
}

function useStatusSearch(): readonly [ReturnType<typeof useSearchHere>, ChangeSearch] {
  const search = useSearchHere();
  const navigate = useNavigate({ from: '/b/$bot/status' });
  const onSearch = useCallback<ChangeSearch>(
    (patch) => {
      void navigate({
        search: (before) => {
          const next: Record<string, unknown> = { ...before, ...patch };
          return Object.fromEntries(
            Object.entries(next).filter(([, value]) => value !== undefined),
          );
        },
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

/** A stream that ended because the session did leads to the login. */
function useLoginOn401(status: number | undefined): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (status !== 401) return;
    const next = `${window.location.pathname}${window.location.search}`;
    void navigate({ to: '/login', search: { next } });
  }, [status, navigate]);
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
  const { status, refusal, lost } = live;
  if (refusal !== null) {
    const error = new ApiFailure({
      status: refusal.status,
      code: 'unreadable_answer',
      message: `The server refused the status with ${refusal.status}.`,
      requestId: null,
    });
    return (
      <Page title="Status">
        <h1>Status</h1>
        <Failed error={error} onRetry={() => window.location.reload()} />
      </Page>
    );
  }
  if (status === null) {
    return (
      <Page title="Status">
        <h1>Status</h1>
        <FrozenNotice live={live} />
        {!lost && <Loading what="the status" rows={5} />}
      </Page>
    );
  }
  return (
    <Page title={`${status.online}/${status.total} online`}>
      <Board
        name={name}
        live={live}
        status={status}
        search={search}
        onSearch={onSearch}
        shardHref={shardHref}
        empty={<NoHeartbeat bot={bot} />}
        renderHistory={(shard) => (
          <Suspense fallback={<Loading what="the charts" rows={2} />}>
            <ShardHistoryPanel bot={bot} shard={shard} />
          </Suspense>
        )}
      />
    </Page>
  );
}
