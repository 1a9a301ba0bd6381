import { LIMITS } from '@bot-analytics/protocol';
import type { QueuedEvent } from '../event/encode.ts';

/** What every batch says about its sender. */
export interface Sender {
  readonly name: string;
  readonly version: string;
}

const ID_CHARS = 36;
const TIME_CHARS = 24;
const TAIL = ']}';

function head(batchId: string, sender: Sender, sentAt: string): string {
  const sdk = `{"name":"${sender.name}","version":"${sender.version}"}`;
  return `{"batchId":"${batchId}","sdk":${sdk},"sentAt":"${sentAt}","events":[`;
}

/** UTF-8 length of a body without events. Ids and times have a fixed length. */
export function envelopeBytes(sender: Sender): number {
  return head('0'.repeat(ID_CHARS), sender, '0'.repeat(TIME_CHARS)).length + TAIL.length;
}

/** Body of one attempt: a join of texts that were made when the events were enqueued. */
export function batchBody(
  events: readonly QueuedEvent[],
  sender: Sender,
  attempt: { readonly batchId: string; readonly sentAt: string },
): string {
  const list = events.map((event) => event.json).join(',');
  return head(attempt.batchId, sender, attempt.sentAt) + list + TAIL;
}

/** Requests that a list of events becomes. */
export interface Split<T> {
  readonly parts: readonly (readonly T[])[];
  /** Events that are over the limit each for itself. */
  readonly dropped: readonly T[];
}

/** Bound of one request. */
export interface SplitLimit {
  readonly envelopeBytes: number;
  /** Largest body, UTF-8 bytes. */
  readonly bytesMax: number;
}

/**
 * Halves a batch until every part fits: ceil(n/2) first, depth first, order kept. An event that
 * does not fit alone is dropped. Spec: Batch outcome; transport.md C15.
 */
export function splitBatch<T extends { readonly bytes: number }>(
  events: readonly T[],
  limit: SplitLimit,
): Split<T> {
  if (events.length === 0) return { parts: [], dropped: [] };
  const commas = events.length - 1;
  const bytes = events.reduce((sum, event) => sum + event.bytes, limit.envelopeBytes + commas);
  if (bytes <= limit.bytesMax) return { parts: [events], dropped: [] };
  if (events.length === 1) return { parts: [], dropped: events };
  const [first, second] = halves(events);
  const left = splitBatch(first, limit);
  const right = splitBatch(second, limit);
  return {
    parts: [...left.parts, ...right.parts],
    dropped: [...left.dropped, ...right.dropped],
  };
}

/** The two halves, the larger one first. */
export function halves<T>(events: readonly T[]): readonly [readonly T[], readonly T[]] {
  const middle = Math.ceil(events.length / 2);
  return [events.slice(0, middle), events.slice(middle)];
}

/** The limit of the ingestion call. Spec: Limits, "Batch body size". */
export function ingestLimit(sender: Sender): SplitLimit {
  return { envelopeBytes: envelopeBytes(sender), bytesMax: LIMITS.batchBytesMax };
}
