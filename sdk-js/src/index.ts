export { Analytics } from './analytics.ts';
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
