import type { ServerResponse } from 'node:http';
import type { Env } from '../env.ts';
import { exceptionText, httpStatus, raise, type EngineException } from '../sql/exception.ts';
import type { Cost } from '../store/chdb.ts';
import type { Outcome } from './run.ts';

/** What every answer carries. */
export interface AnswerContext {
  readonly response: ServerResponse;
  readonly queryId: string;
  readonly version: string;
  readonly format: string;
  readonly elapsedMs: number;
}

/** A reader that takes nothing for this long gives its session back, ms. */
const STALL_MS = 30_000;

const TYPE_BY_PREFIX: readonly (readonly [string, string])[] = [
  ['JSONEachRow', 'application/x-ndjson; charset=UTF-8'],
  ['JSONCompactEachRow', 'application/x-ndjson; charset=UTF-8'],
  ['JSON', 'application/json; charset=UTF-8'],
  ['CSV', 'text/csv; charset=UTF-8'],
  ['TSV', 'text/tab-separated-values; charset=UTF-8'],
  ['TabSeparated', 'text/tab-separated-values; charset=UTF-8'],
  ['RowBinary', 'application/octet-stream'],
];

function contentType(format: string): string {
  const known = TYPE_BY_PREFIX.find(([prefix]) => format.startsWith(prefix));
  return known?.[1] ?? 'text/plain; charset=UTF-8';
}

function summary(cost: Cost, elapsedMs: number): string {
  return JSON.stringify({
    read_rows: `${cost.readRows}`,
    read_bytes: `${cost.readBytes}`,
    written_rows: `${cost.writtenRows}`,
    written_bytes: `${cost.writtenBytes}`,
    total_rows_to_read: '0',
    result_rows: '0',
    result_bytes: '0',
    elapsed_ns: `${Math.round(elapsedMs * 1e6)}`,
  });
}

function setCommon(context: AnswerContext, cost: Cost): void {
  const { response } = context;
  response.setHeader('Content-Type', contentType(context.format));
  response.setHeader('X-ClickHouse-Format', context.format);
  response.setHeader('X-ClickHouse-Summary', summary(cost, context.elapsedMs));
  response.setHeader('X-ClickHouse-Query-Id', context.queryId);
  response.setHeader('X-ClickHouse-Server-Display-Name', 'bot-analytics-engine');
  response.setHeader('X-ClickHouse-Timezone', 'UTC');
}

const UNKNOWN_COST: Cost = { readRows: 0, readBytes: 0, writtenRows: 0, writtenBytes: 0 };

/** Resolves when the socket takes more; rejects when the other side is gone or takes nothing. */
function drained(response: ServerResponse, env: Env): Promise<void> {
  return new Promise((resolve, reject) => {
    const finish = (error?: Error): void => {
      cancel();
      response.off('drain', onDrain);
      response.off('close', onClose);
      if (error === undefined) resolve();
      else reject(error);
    };
    const onDrain = (): void => finish();
    const onClose = (): void => finish(raise('ABORTED', 'The client went away'));
    const cancel = env.after(STALL_MS, () => finish(raise('ABORTED', 'The client reads nothing')));
    response.on('drain', onDrain);
    response.on('close', onClose);
  });
}

async function sendChunks(
  context: AnswerContext,
  outcome: Extract<Outcome, { kind: 'chunks' }>,
  env: Env,
): Promise<void> {
  const { response } = context;
  setCommon(context, UNKNOWN_COST);
  try {
    let chunk = outcome.first;
    while (chunk !== undefined && !response.destroyed) {
      if (!response.write(chunk)) await drained(response, env);
      const next = await outcome.rest.next();
      chunk = next.done === true ? undefined : next.value;
    }
    response.end();
  } catch {
    // The status is already sent: a cut connection is the only way left to say that rows are missing.
    response.destroy();
  } finally {
    await outcome.rest.return?.();
  }
}

/** Sends a result; resolves when chDB is no longer needed for it. */
export async function sendOutcome(
  context: AnswerContext,
  outcome: Outcome,
  env: Env,
): Promise<void> {
  if (outcome.kind === 'chunks') {
    await sendChunks(context, outcome, env);
    return;
  }
  setCommon(context, outcome.cost);
  context.response.setHeader('Content-Length', outcome.bytes.length);
  context.response.end(outcome.bytes);
}

/** Sends an exception in ClickHouse's form. */
export function sendException(
  context: Omit<AnswerContext, 'format' | 'elapsedMs'>,
  exception: EngineException,
): void {
  const { response } = context;
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const text = Buffer.from(exceptionText(exception, context.version), 'utf8');
  response.statusCode = httpStatus(exception);
  response.setHeader('Content-Type', 'text/plain; charset=UTF-8');
  response.setHeader('X-ClickHouse-Exception-Code', exception.code);
  response.setHeader('X-ClickHouse-Query-Id', context.queryId);
  response.setHeader('X-ClickHouse-Server-Display-Name', 'bot-analytics-engine');
  response.setHeader('Content-Length', text.length);
  response.end(text);
}
