import type { EventData } from '../api/events.ts';
import type { Collect } from '../api/options.ts';
import type { Env } from '../core/env.ts';
import type { EventInput } from '../event/encode.ts';
import type { HostProcess } from './process-figures.ts';

/** What a collector needs besides its client. */
export interface CollectorParts {
  readonly env: Env;
  readonly host: HostProcess;
  readonly emit: (event: EventInput) => void;
  readonly collect: Required<Collect>;
  readonly snapshotIntervalMs: number;
  /** Option of the bot; the sharding library's value is used when null. */
  readonly clusterId: string | null;
  /** UUID of the process. */
  readonly instanceId: string;
  readonly health: () => Pick<EventData['heartbeat'], 'sdkQueueSize' | 'sdkDropped'>;
  /** Sends what waits soon: a shard that is ready shows at once, not after a flush interval. */
  readonly drainSoon: () => void;
  /** Reports an `error` event of the client. */
  readonly clientError: (error: unknown, handled: boolean) => void;
}

/** An event of a collector; without `tsMs` it happens now. */
export type Occurrence = Omit<EventInput, 'tsMs'> & { readonly tsMs?: number };

/** Takes an event. */
export type Emit = (event: Occurrence) => void;
