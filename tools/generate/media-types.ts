import type { Route } from '@bot-analytics/protocol/read-api';

/** Media types of a route's good answer; the first one is the default. */
export function mediaTypes({ answer, path, params }: Route): readonly string[] {
  if (answer !== 'text') {
    const streams = params.some(({ name }) => name === 'format');
    return ['application/json', ...(streams ? ['application/x-ndjson', 'text/csv'] : [])];
  }
  if (path.endsWith('/stream')) return ['text/event-stream'];
  if (path.endsWith('.svg')) return ['image/svg+xml'];
  return ['text/plain'];
}
