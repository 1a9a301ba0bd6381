import { LIMITS, UUID_PATTERN, type ErrorCode, type WarningCode } from '@bot-analytics/protocol';
import { decodeUtf8, isDeeperThan } from './body-text.ts';
import { repairText } from './text-guard.ts';
import { parseIso } from './time.ts';

/** What a batch says about itself. */
export interface EnvelopeHead {
  /** As sent, at most 100 characters; null when it was missing or no string. */
  readonly batchId: string | null;
  /** `name@version`; null when it was not told. */
  readonly sdk: string | null;
  /** Unix ms; NaN when it was missing or unreadable. */
  readonly sentAtMs: number;
  readonly warnings: readonly WarningCode[];
}

/** The envelope of a batch, its events not yet looked at. */
export interface Envelope {
  readonly head: EnvelopeHead;
  readonly events: readonly unknown[];
}

export type EnvelopeFault = Extract<
  ErrorCode,
  'invalid_json' | 'invalid_envelope' | 'too_many_events' | 'too_deep'
>;

const UUID = new RegExp(UUID_PATTERN);
const TEXT_CHARS_MAX = 100;
type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isShortText = (value: unknown): value is string =>
  typeof value === 'string' && value.length >= 1 && value.length <= TEXT_CHARS_MAX;

/** The value of a JSON text; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Reads a body (decompressed). */
export function readEnvelope(bytes: Buffer): Envelope | EnvelopeFault {
  if (isDeeperThan(bytes, LIMITS.bodyDepthMax)) return 'too_deep';
  const text = decodeUtf8(bytes);
  const body = text === undefined ? undefined : parseJson(text);
  if (body === undefined) return 'invalid_json';
  if (!isObject(body) || !Array.isArray(body['events'])) return 'invalid_envelope';
  const events: readonly unknown[] = body['events'];
  if (events.length > LIMITS.batchEventsMax) return 'too_many_events';
  return { head: readHead(body), events };
}

/** batchId, sdk and sentAt are tracing data: odd ones give a warning. */
export function readHead({ batchId, sdk, sentAt }: Json): EnvelopeHead {
  const warnings: WarningCode[] = [];
  if (typeof batchId !== 'string' || !UUID.test(batchId)) warnings.push('invalid_batch_id');
  const { name, version } = isObject(sdk) ? sdk : {};
  const sdkKnown = isShortText(name) && isShortText(version);
  if (!sdkKnown) warnings.push('invalid_sdk');
  const sentAtMs = typeof sentAt === 'string' ? parseIso(sentAt) : Number.NaN;
  if (Number.isNaN(sentAtMs)) warnings.push('invalid_sent_at');
  return {
    batchId: typeof batchId === 'string' ? batchId.slice(0, TEXT_CHARS_MAX) : null,
    sdk: sdkKnown ? repairText(`${name}@${version}`) : null,
    sentAtMs,
    warnings,
  };
}
