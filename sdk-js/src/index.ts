export { Analytics } from './analytics.ts';
export { MemorySink } from './memory-sink.ts';
export { sendWithFetch } from './fetch-send.ts';
export type { FetchLike } from './fetch-send.ts';
export type { ChatClient } from './api/client.ts';
export type * from './api/events.ts';
export type {
  AnalyticsOptions,
  Collect,
  ErrorContext,
  FlushOptions,
  Logger,
} from './api/options.ts';
export type { Send, SendAnswer, SendRequest } from './api/send.ts';
export type { AnalyticsState, Drop, DropReason, FlushResult, Stats } from './api/stats.ts';
