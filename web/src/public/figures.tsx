import { QueryClientProvider } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { makeQueryClient } from '../api/queries.ts';
import type { ApiSearch, ChangeApiSearch } from '../pages/api-usage/search.ts';
import { UsagePanel } from '../pages/api-usage/usage-panel.tsx';
import { HistoryPanel } from '../pages/shard/history-panel.tsx';
import type { ChangeRange } from '../pages/shard/range-picker.tsx';
import type { ShardSearch } from '../pages/shard/search.ts';

const queryClient = makeQueryClient();

interface HistoryProps {
  readonly name: string;
  readonly token: string;
  readonly shard: number;
  readonly search: ShardSearch;
  readonly onSearch: ChangeRange;
}

interface UsageProps {
  readonly name: string;
  readonly token: string;
  readonly search: ApiSearch;
  readonly onSearch: ChangeApiSearch;
}

/** History of a shard behind a share link. */
export function PublicHistory({ token, shard, ...rest }: HistoryProps) {
  return (
    <QueryClientProvider client={queryClient}>
      <HistoryPanel
        {...rest}
        shard={shard}
        sourceKey={token}
        fetchHistory={(range, signal) =>
          call('publicShardHistory', { path: { token, shard }, query: { ...range }, signal })
        }
      />
    </QueryClientProvider>
  );
}

/** API usage behind a share link. */
export function PublicUsage({ token, ...rest }: UsageProps) {
  return (
    <QueryClientProvider client={queryClient}>
      <UsagePanel
        {...rest}
        sourceKey={token}
        fetchUsage={(query, signal) => call('publicApiUsage', { path: { token }, query, signal })}
      />
    </QueryClientProvider>
  );
}
