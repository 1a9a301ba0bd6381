import { isAscii } from 'node:buffer';
import { LIMITS } from '@bot-analytics/protocol';
import type { BufferPool } from '../buffer-pool.ts';
import type { Bot } from '../keys/records.ts';
import { BatchBuilder, type Batch, type BatchContext } from './check/batch.ts';
import { hasUnicodeEscape } from './check/body-text.ts';
import { readClock } from './check/clock.ts';
import { readEnvelope, type EnvelopeFault, type EnvelopeHead } from './check/envelope.ts';
import { EventReader } from './check/events.ts';
import { Report } from './check/report.ts';
import { readUsualBody, readUsualEvents, type UsualBody } from './usual/body.ts';
import { UsualReader } from './usual/reader.ts';

/** What is left of a body once its rows are made. The parsed events are not: they are ten times as large. */
export interface Seen {
  readonly batchId: string | null;
  readonly sdk: string | null;
  readonly received: number;
  readonly report: Report;
  readonly batch: Batch;
  /** `sentAt` minus time of receipt, ms. */
  readonly skewMs: number | null;
}

/** A body (decompressed) and by what it is judged. */
export interface Delivery {
  readonly body: Buffer;
  readonly bot: Pick<Bot, 'botId' | 'retentionDays'>;
  readonly receivedAtMs: number;
  /** For the rows. */
  readonly pool: BufferPool;
}

/** Judges a body and makes the rows of its events. Nothing refers to the body afterwards. */
export function readBatch(delivery: Delivery): Seen | EnvelopeFault {
  const usual = readUsualBody(delivery.body);
  const seen = usual === null ? null : readUsual(delivery, usual);
  return seen ?? readAny(delivery);
}

/** An event that is stored has at least an id, a type, a time and `data`. */
const EVENT_BYTES_MIN = 100;

function eventsMax(body: Buffer): number {
  return Math.min(LIMITS.batchEventsMax, Math.ceil(body.length / EVENT_BYTES_MIN));
}

/** The form in which the SDKs write; null: it is not, although it begins so. */
function readUsual(delivery: Delivery, usual: UsualBody): Seen | null {
  const { body, pool } = delivery;
  const { head, eventsAt } = usual;
  const { context, report, skewMs } = begin(delivery, head);
  const batch = new BatchBuilder(context, eventsMax(body), pool);
  const received = readUsualEvents(body, eventsAt, {
    usual: new UsualReader(context, batch),
    general: new EventReader(context, report, batch),
  });
  if (received === null) return null;
  const { batchId, sdk } = head;
  return { batchId, sdk, received, report, batch: batch.finish(), skewMs };
}

function readAny(delivery: Delivery): Seen | EnvelopeFault {
  const envelope = readEnvelope(delivery.body);
  if (typeof envelope === 'string') return envelope;
  const { head, events } = envelope;
  const { context, report, skewMs } = begin(delivery, head);
  const batch = new BatchBuilder(context, events.length, delivery.pool);
  const reader = new EventReader(context, report, batch);
  let index = 0;
  for (const event of events) reader.add(event, index++);
  const { batchId, sdk } = head;
  return { batchId, sdk, received: events.length, report, batch: batch.finish(), skewMs };
}

function begin(
  { body, bot, receivedAtMs }: Delivery,
  head: EnvelopeHead,
): { context: BatchContext; report: Report; skewMs: number | null } {
  const { botId, retentionDays } = bot;
  const report = new Report();
  for (const code of head.warnings) report.warn(code);
  const { skewMs, shiftMs, warning } = readClock(head.sentAtMs, receivedAtMs);
  if (warning !== null) report.warn(warning);
  const context = {
    botId,
    retentionDays,
    receivedAtMs,
    shiftMs,
    repair: hasUnicodeEscape(body),
    ascii: isAscii(body),
    bodyBytes: body.length,
  };
  return { context, report, skewMs };
}
