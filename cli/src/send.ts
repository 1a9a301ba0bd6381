import { INGEST_PATH, LIMITS, type IngestAnswer, type WireEvent } from '@bot-analytics/protocol';
import type { Env } from './env.ts';
import { Failure } from './failure.ts';
import { refusal, request } from './server.ts';

/** Where a batch goes. */
export interface Target {
  readonly endpoint: string;
  readonly apiKey: string;
}

/** UUID version 7 of a time. RFC 9562, 5.7. */
export function uuid7(ms: number, random: Uint8Array): string {
  const bytes = Uint8Array.from({ length: 16 }, (_, i) => random[i] ?? 0);
  for (let i = 0; i < 6; i += 1) bytes[i] = Math.floor(ms / 256 ** (5 - i)) % 256;
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Buffer.from(bytes).toString('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}

/** A slash command that nobody typed, to see a batch arrive. */
function testEvent(env: Env): WireEvent<'interaction_slash'> {
  const now = env.now();
  return {
    id: uuid7(now, env.randomBytes(16)),
    type: 'interaction_slash',
    ts: new Date(now).toISOString(),
    data: {
      commandName: 'bot-analytics-test',
      interactionKind: 'slash',
      success: true,
      latencyMs: 42,
      timedOut: false,
      shardId: 0,
      responseKind: 'reply',
      errorCode: null,
      gatewayDelayMs: null,
    },
  };
}

/** Posts a batch of `count` test events. @returns the HTTP answer */
export async function post(env: Env, target: Target, count: number): Promise<Response> {
  const events = Array.from({ length: count }, () => testEvent(env));
  const now = env.now();
  return await request(env, `${target.endpoint.replace(/\/+$/, '')}${INGEST_PATH}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${target.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      batchId: uuid7(now, env.randomBytes(16)),
      sdk: { name: 'bot-analytics-cli', version: '0.1.0' },
      sentAt: new Date(now).toISOString(),
      events,
    }),
  });
}

/** Sends a test batch of 1 to 500 events. */
export async function send(env: Env, target: Target, count: number): Promise<IngestAnswer> {
  if (!Number.isInteger(count) || count < 1 || count > LIMITS.batchEventsMax) {
    throw new Failure(`--events takes a whole number from 1 to ${LIMITS.batchEventsMax}.`, 2);
  }
  const response = await post(env, target, count);
  const text = await response.text();
  if (response.status !== 200) throw new Failure(refusal(response.status, text));
  return ingestAnswer(text);
}

/** The answer to a batch. @throws Failure when the text is no such answer */
export function ingestAnswer(text: string): IngestAnswer {
  try {
    const answer = JSON.parse(text) as Partial<IngestAnswer> | null;
    if (typeof answer?.serverTime === 'string') return answer as IngestAnswer;
  } catch {
    // Told below: a web page is as wrong as a foreign document.
  }
  throw new Failure('The server answers 200, but not as Bot Analytics: check the endpoint.');
}
