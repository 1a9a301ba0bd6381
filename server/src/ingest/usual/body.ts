import { isUtf8 } from 'node:buffer';
import { LIMITS } from '@bot-analytics/protocol';
import { endOfObject } from '../check/body-text.ts';
import { parseJson, readHead, type EnvelopeHead } from '../check/envelope.ts';
import type { EventReader } from '../check/events.ts';
import type { UsualReader } from './reader.ts';

const EVENTS = Buffer.from(',"events":[');
/** Before the events stand an id, a name, a version and a time. */
const HEAD_BYTES_MAX = 1_024;
const COMMA = 0x2c;
const CLOSE_LIST = 0x5d;
const CLOSE_OBJECT = 0x7d;

/** A body whose events stand at its end, as the SDKs write it. */
export interface UsualBody {
  readonly head: EnvelopeHead;
  /** Place of the first event. */
  readonly eventsAt: number;
}

/** Looks at the start of a body; null when it has another form, or may not be JSON at all. */
export function readUsualBody(body: Buffer): UsualBody | null {
  // No string holds this text: its quotes would stand behind backslashes.
  const end = body.subarray(0, HEAD_BYTES_MAX).indexOf(EVENTS);
  if (end < 0 || !isUtf8(body)) return null;
  const head = parseJson(`${body.toString('utf8', 0, end)}}`);
  if (typeof head !== 'object' || head === null || Object.keys(head).length === 0) return null;
  if (Object.hasOwn(head, 'events')) return null;
  return { head: readHead({ ...head }), eventsAt: end + EVENTS.length };
}

/**
 * Takes all events to the end of the body: those of the usual form by `usual`, each of the others by
 * `general`. Returns their number; null when the body is not what it seemed, and the events that were
 * taken must be thrown away.
 */
export function readUsualEvents(
  body: Buffer,
  eventsAt: number,
  readers: { readonly usual: UsualReader; readonly general: EventReader },
): number | null {
  let at = eventsAt;
  for (let index = 0; index < LIMITS.batchEventsMax; index++) {
    let end = readers.usual.add(body, at, index);
    if (end < 0) end = addParsed(body, at, index, readers.general);
    if (end < 0) return null;
    at = end + 1;
    if (body[end] === COMMA) continue;
    const closed = body[end] === CLOSE_LIST && body[at] === CLOSE_OBJECT;
    return closed && at + 1 === body.length ? index + 1 : null;
  }
  return null;
}

function addParsed(body: Buffer, from: number, index: number, general: EventReader): number {
  // The body and its list are two levels above the event.
  const end = endOfObject(body, from, LIMITS.bodyDepthMax - 2);
  if (end < 0) return -1;
  const event = parseJson(body.toString('utf8', from, end));
  if (event === undefined) return -1;
  general.add(event, index);
  return end;
}
