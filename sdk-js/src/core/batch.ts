import { SDK_NAMES } from '@bot-analytics/protocol';
import type { QueuedEvent } from '../event/encode.ts';
import { SDK_VERSION } from './config.ts';

/** Body of one attempt: a join of texts that were made when the events were enqueued. */
export function batchBody(events: readonly QueuedEvent[], batchId: string, sentAt: string): string {
  const sdk = `{"name":"${SDK_NAMES.js}","version":"${SDK_VERSION}"}`;
  const list = events.map((event) => event.json).join(',');
  return `{"batchId":"${batchId}","sdk":${sdk},"sentAt":"${sentAt}","events":[${list}]}`;
}
