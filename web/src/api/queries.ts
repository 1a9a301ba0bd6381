import { keepPreviousData, QueryClient, queryOptions } from '@tanstack/react-query';
import { ApiFailure, call } from './client.ts';

/** Panels are asked again this often while visible: the SDK's own counting window. */
const panelRefetchMs = 60_000;

/** Failures of the network and of a restarting server are worth a second try, the others are not. */
function retry(failures: number, error: Error): boolean {
  return error instanceof ApiFailure && (error.status === 0 || error.status >= 500) && failures < 2;
}

export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry, retryDelay: (failures) => 500 * 2 ** failures, staleTime: 10_000 },
      mutations: { retry: false },
    },
  });
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => call('sessionGet', { signal }),
  staleTime: 300_000,
});

export const botsQuery = queryOptions({
  queryKey: ['bots'],
  queryFn: async ({ signal }) => (await call('botList', { signal })).bots,
});

export const keysQuery = (bot: string) =>
  queryOptions({
    queryKey: ['keys', bot],
    queryFn: async ({ signal }) => (await call('keyList', { path: { bot }, signal })).keys,
  });

export const healthQuery = (bot: string, range: { from?: string; to?: string } = {}) =>
  queryOptions({
    queryKey: ['health', bot, range],
    queryFn: ({ signal }) => call('health', { path: { bot }, query: range, signal }),
    refetchInterval: panelRefetchMs,
    placeholderData: keepPreviousData,
  });

/** A time range as the address bar holds it: ISO 8601 UTC. */
export interface RangeValues {
  readonly from: string;
  readonly to: string;
}
