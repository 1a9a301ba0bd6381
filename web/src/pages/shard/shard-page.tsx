import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { call } from '../../api/client.ts';
import { botsQuery } from '../../api/queries.ts';
import { addressOf } from '../../api/routes.ts';
import { useLiveStatus } from '../../live/use-live-status.ts';
import { useLoginOn401 } from '../../shell/use-login-on-401.ts';
import { Page } from '../../shell/page.tsx';
import { patchSearch } from '../../shell/patch-search.ts';
import { HistoryPanel } from './history-panel.tsx';
import type { ChangeRange } from './range-picker.tsx';
import { ShardHead } from './shard-head.tsx';

/** One shard of one bot: where it stands, and its history. */
export function ShardPage() {
  const { bot, shard: text } = useParams({ from: '/app/b/$bot/status/$shard' });
  const search = useSearch({ from: '/app/b/$bot/status/$shard' });
  const navigate = useNavigate({ from: '/b/$bot/status/$shard' });
  const shard = Number(text);
  const live = useLiveStatus({
    streamUrl: addressOf('statusStream', { bot }).url,
    statusUrl: addressOf('status', { bot }).url,
  });
  useLoginOn401(live.refusal?.status);
  const name = useQuery(botsQuery).data?.find((one) => one.botId === bot)?.name ?? 'bot';
  const onSearch = useCallback<ChangeRange>(
    (patch) => {
      void navigate({ search: (before) => patchSearch(before, patch), resetScroll: false });
    },
    [navigate],
  );
  return (
    <Page title={`Shard ${shard} · ${name}`}>
      <ShardHead
        shard={shard}
        live={live}
        back={`/b/${bot}/status`}
        hrefOf={(other) => `/b/${bot}/status/${other}`}
      />
      <HistoryPanel
        name={name}
        shard={shard}
        sourceKey={bot}
        fetchHistory={(range, signal) =>
          call('shardHistory', { path: { bot, shard }, query: { ...range }, signal })
        }
        search={search}
        onSearch={onSearch}
      />
    </Page>
  );
}
