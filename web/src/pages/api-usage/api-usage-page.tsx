import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { call } from '../../api/client.ts';
import { botsQuery } from '../../api/queries.ts';
import { Page } from '../../shell/page.tsx';
import { patchSearch } from '../../shell/patch-search.ts';
import type { ChangeApiSearch } from './search.ts';
import { UsagePanel } from './usage-panel.tsx';

/** API usage of one bot. */
export function ApiUsagePage() {
  const { bot } = useParams({ from: '/app/b/$bot/api' });
  const search = useSearch({ from: '/app/b/$bot/api' });
  const navigate = useNavigate({ from: '/b/$bot/api' });
  const name = useQuery(botsQuery).data?.find((one) => one.botId === bot)?.name ?? 'bot';
  const onSearch = useCallback<ChangeApiSearch>(
    (patch) => {
      void navigate({ search: (before) => patchSearch(before, patch), resetScroll: false });
    },
    [navigate],
  );
  return (
    <Page title={`API usage · ${name}`}>
      <h1>API usage</h1>
      <UsagePanel
        name={name}
        sourceKey={bot}
        fetchUsage={(query, signal) => call('apiUsage', { path: { bot }, query, signal })}
        search={search}
        onSearch={onSearch}
      />
    </Page>
  );
}
