import { LIMITS } from '@bot-analytics/protocol';
import type { Send } from '../api/send.ts';
import type { Outcome } from './policy.ts';
import { prop, text } from './read.ts';

/** What an attempt came to. */
export interface Reply {
  readonly outcome: Outcome;
  /** For `stats()`: `HTTP 503`, `timeout`, `ECONNREFUSED`; none when nothing was sent. */
  readonly error?: string;
  readonly location?: string;
  readonly retryAfter?: string;
  readonly date?: string;
  /** Events of a stored batch that the server left out. */
  readonly rejected?: number;
}

/** Where batches go. */
export interface Target {
  /** `{endpoint}/v1/events`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly send: Send;
}

/** Sends one request. A `send` that throws or answers nonsense is a network error. Never rejects. */
export async function ask(
  { url, headers, send }: Target,
  body: string,
  signal: AbortSignal,
): Promise<Reply> {
  try {
    const answer = await send({ url, headers, body, signal });
    const header = (name: string): string => text(answer.header(name)) ?? '';
    return {
      outcome: answer.status,
      error: `HTTP ${answer.status}`,
      location: header('location'),
      retryAfter: header('retry-after'),
      date: header('date'),
      rejected: Number(/"rejectedCount":\s*(\d+)/.exec(answer.body ?? '')?.[1] ?? 0),
    };
  } catch (error) {
    return { outcome: 'network_error', error: codeOf(error) };
  }
}

/** A short code of a network error: `ECONNREFUSED`. Its text could quote a header. */
function codeOf(error: unknown): string {
  const code = text(prop(error, 'code')) ?? text(prop(error, 'name')) ?? 'network_error';
  return code.slice(0, LIMITS.errorNameCharsMax);
}
