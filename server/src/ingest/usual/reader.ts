import { EVENT_GROUPS, EVENT_TYPES, isSnapshotType, LIMITS } from '@bot-analytics/protocol';
import {
  expiryOf,
  newestTs,
  oldestTs,
  type BatchBuilder,
  type BatchContext,
} from '../check/batch.ts';
import { isV7, readUuidBytes, UUID_CHARS, writeDecimal, writeDigits } from '../check/ids.ts';
import { ISO_CHARS, parseUsualIso } from '../check/time.ts';
import { ROW_BYTES } from '../row-buffer.ts';
import { Transcript } from './transcript.ts';
import { WordTable } from './word-table.ts';

const ascii = (text: string): Uint8Array => Buffer.from(text, 'latin1');

/** Errors carry text that needs the guards; snapshots become rows of other tables. */
const TYPES = EVENT_TYPES.filter(
  (type) => !isSnapshotType(type) && EVENT_GROUPS[type] !== 'errors',
);
const TYPE_TABLE = new WordTable(TYPES);

/** The pieces of an event in the order in which both SDKs write them. */
const ID = ascii('{"id":"');
const TYPE = ascii('","type":"');
const TS = ascii('","ts":"');
const AFTER_TS = ascii('"');
const SNOWFLAKES = ['guildId', 'channelId', 'userId'].map((name) => ascii(`,"${name}":"`));
const DATA = ascii(',"data":');

const QUOTE = 0x22;
const COMMA = 0x2c;
const ZERO = 0x30;
const NINE = 0x39;
const CLOSE_OBJECT = 0x7d;
/** Longer ids take the general way, which knows the largest one. */
const SNOWFLAKE_DIGITS_MAX = 19;
const TIME_DIGITS = 13;
/** Of the bytes of `data`, each may need a backslash. */
const DATA_ROW_BYTES_MAX = 2 * LIMITS.dataBytesMax;

/** One for the process: an event is read without a pause. */
const transcript = new Transcript();

/**
 * Reads events in the form in which both SDKs write them, from the bytes of the body to the bytes of the
 * row: without a parser, without strings, without objects for the garbage collector. Whatever is not
 * exactly that form, or would be refused, changed or warned about, is left to the general way, which
 * stores the same row for it. Decision 0045.
 */
export class UsualReader {
  readonly #context: BatchContext;
  readonly #batch: BatchBuilder;
  readonly #oldestMs: number;
  readonly #newestMs: number;
  readonly #rowHead: Uint8Array;
  readonly #received: Uint8Array;

  constructor(context: BatchContext, batch: BatchBuilder) {
    this.#context = context;
    this.#batch = batch;
    this.#oldestMs = oldestTs(context);
    this.#newestMs = newestTs(context);
    this.#rowHead = ascii(`["${context.botId}",`);
    this.#received = ascii(`,${context.receivedAtMs}`);
  }

  /** Takes the event that starts at `from`; returns the place behind it, or -1 and nothing has happened. */
  add(body: Uint8Array, from: number, index: number): number {
    const { words, wordsAt, rows } = this.#batch;
    let at = skip(body, from, ID);
    if (at < 0 || !readUuidBytes(body, at, words, wordsAt) || !isV7(words, wordsAt)) return -1;
    at = skip(body, at + UUID_CHARS, TYPE);
    const typeIndex = at < 0 ? -1 : TYPE_TABLE.find(body, at);
    const type = TYPES[typeIndex];
    if (type === undefined) return -1;
    const typeAt = at;
    at = skip(body, at + type.length, TS);
    const sentTs = at < 0 ? Number.NaN : parseUsualIso(body, at);
    const tsMs = sentTs + this.#context.shiftMs;
    if (!(tsMs >= this.#oldestMs && tsMs <= this.#newestMs)) return -1;
    at = skip(body, at + ISO_CHARS, AFTER_TS);
    if (at < 0) return -1;
    const target = rows.reserve(ROW_BYTES + Math.min(DATA_ROW_BYTES_MAX, 2 * (body.length - at)));
    transcript.source = body;
    transcript.target = target;
    let out = write(target, rows.used, this.#rowHead);
    out = writeDecimal(words, wordsAt, target, out);
    target[out++] = COMMA;
    // The word with both quotes.
    out = copy(typeAt - 1, typeAt + type.length + 1, out);
    target[out++] = COMMA;
    out = writeDigits(tsMs, TIME_DIGITS, target, out);
    out = write(target, out, this.#received);
    for (const name of SNOWFLAKES) {
      target[out++] = COMMA;
      const digitsAt = skip(body, at, name);
      if (digitsAt < 0) {
        target[out++] = ZERO;
        continue;
      }
      const end = endOfSnowflake(body, digitsAt);
      if (end < 0) return -1;
      out = copy(digitsAt, end, out);
      at = end + 1;
    }
    at = skip(body, at, DATA);
    if (at < 0) return -1;
    target[out++] = COMMA;
    target[out++] = QUOTE;
    transcript.at = at;
    transcript.out = out;
    if (!transcript.data(type) || body[transcript.at] !== CLOSE_OBJECT) return -1;
    rows.usedTo(write(target, transcript.out, this.#rowTail(tsMs)));
    this.#batch.keep(index);
    return transcript.at + 1;
  }

  #tailDay = '';
  #tail: Uint8Array = new Uint8Array(0);

  /** From the quote behind `data` to the end of the line; the events of a batch nearly always share it. */
  #rowTail(tsMs: number): Uint8Array {
    const expiresOn = expiryOf(tsMs, this.#context);
    if (expiresOn !== this.#tailDay) {
      this.#tailDay = expiresOn;
      this.#tail = ascii(`","${expiresOn}"]\n`);
    }
    return this.#tail;
  }
}

/** Place behind `piece` if it stands at `at`, otherwise -1. */
function skip(body: Uint8Array, at: number, piece: Uint8Array): number {
  const length = piece.length;
  for (let i = 0; i < length; i++) if (body[at + i] !== piece[i]) return -1;
  return at + length;
}

function write(target: Uint8Array, out: number, piece: Uint8Array): number {
  const length = piece.length;
  for (let i = 0; i < length; i++) target[out + i] = piece[i] ?? 0;
  return out + length;
}

/** Copies the bytes of the body from `from` to `to` as they are; returns the place behind them. */
function copy(from: number, to: number, out: number): number {
  const { source, target } = transcript;
  let end = out;
  for (let i = from; i < to; i++) target[end++] = source[i] ?? 0;
  return end;
}

/** Place of the quote behind a platform id of up to 19 digits; -1: something else. */
function endOfSnowflake(body: Uint8Array, from: number): number {
  if (body[from] === ZERO) return -1;
  let at = from;
  const limit = from + SNOWFLAKE_DIGITS_MAX;
  for (;;) {
    const byte = body[at] ?? 0;
    if (byte === QUOTE) return at > from ? at : -1;
    if (byte < ZERO || byte > NINE || at === limit) return -1;
    at++;
  }
}
