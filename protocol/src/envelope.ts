import type { EventType } from './catalogue.ts';
import type { EventData } from './data.ts';

/** UUID text in lower case; events and batches carry version 7. RFC 9562. */
export type Uuid = string;
/** Id of the platform: decimal digits of an unsigned 64-bit integer, text because it passes 2^53. */
export type Snowflake = string;
/** ISO 8601 timestamp in UTC with milliseconds, `2026-01-31T23:59:59.999Z`. */
export type IsoTimestamp = string;

/** One event. Spec: Event. */
export interface WireEvent<T extends EventType = EventType> {
  /** Assigned when the event is enqueued; never changes. The server deduplicates on it. */
  readonly id: Uuid;
  readonly type: T;
  /** When the event occurred. */
  readonly ts: IsoTimestamp;
  readonly guildId?: Snowflake;
  readonly channelId?: Snowflake;
  readonly userId?: Snowflake;
  readonly data: EventData[T];
}

/** An event whose `type` tells the type of its `data`. */
export type AnyWireEvent = { readonly [K in EventType]: WireEvent<K> }[EventType];

/** Body of the ingestion call. Spec: Batch envelope. */
export interface Batch {
  /** New for every HTTP attempt. */
  readonly batchId: Uuid;
  readonly sdk: { readonly name: string; readonly version: string };
  /** When the attempt was made. */
  readonly sentAt: IsoTimestamp;
  /** At most 500. */
  readonly events: readonly AnyWireEvent[];
}

/** UUID text, any version, any case. */
export const UUID_PATTERN =
  '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$';
/** Snowflake as the platform writes it: 1 to 20 digits, no leading zero. */
export const SNOWFLAKE_ID_PATTERN = '^[1-9][0-9]{0,19}$';
