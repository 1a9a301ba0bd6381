import { isAscii } from 'node:buffer';
import type { Bot } from '../keys/records.ts';
import { BatchBuilder, type Batch, type BatchContext } from './check/batch.ts';
import { hasUnicodeEscape } from './check/body-text.ts';
import { readClock } from './check/clock.ts';
import { readEnvelope, type EnvelopeFault, type EnvelopeHead } from './check/envelope.ts';
import { EventReader } from './check/events.ts';
import { Report } from './check/report.ts';
import { readUsualBody, readUsualEvents, type UsualBody } from './usual/body.ts';
import { UsualReader } from './usual/reader.ts';
import { LIMITS } from '@bot-analytics/protocol';

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

type BotRules = Pick<Bot, 'botId' | 'retentionDays'>;

/** Judges a body (decompressed) and makes the rows of its events. */
export function readBatch(body: Buffer, bot: BotRules, receivedAtMs: number): Seen | EnvelopeFault {
  const usual = readUsualBody(body);
  const seen = usual === null ? null : readUsual(body, usual, bot, receivedAtMs);
  return seen ?? readAny(body, bot, receivedAtMs);
}

/** The form in which the SDKs write; null: it is not, although it begins so. */
function readUsual(
  body: Buffer,
  usual: UsualBody,
  bot: BotRules,
  receivedAtMs: number,
): Seen | null {
  const { head, eventsAt } = usual;
  const { context, report, skewMs } = begin(body, head, bot, receivedAtMs);
  const batch = new BatchBuilder(context, LIMITS.batchEventsMax);
  const received = readUsualEvents(body, eventsAt, {
    usual: new UsualReader(context, batch),
    general: new EventReader(context, report, batch),
  });
  if (received === null) return null;
  const { batchId, sdk } = head;
  return { batchId, sdk, received, report, batch: batch.finish(), skewMs };
}

function readAny(body: Buffer, bot: BotRules, receivedAtMs: number): Seen | EnvelopeFault {
  const envelope = readEnvelope(body);
  if (typeof envelope === 'string') return envelope;
  const { head, events } = envelope;
  const { context, report, skewMs } = begin(body, head, bot, receivedAtMs);
  const batch = new BatchBuilder(context, events.length);
  const reader = new EventReader(context, report, batch);
  let index = 0;
  for (const event of events) reader.add(event, index++);
  const { batchId, sdk } = head;
  return { batchId, sdk, received: events.length, report, batch: batch.finish(), skewMs };
}

function begin(
  body: Buffer,
  head: EnvelopeHead,
  { botId, retentionDays }: BotRules,
  receivedAtMs: number,
): { context: BatchContext; report: Report; skewMs: number | null } {
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
