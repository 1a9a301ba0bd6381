import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BufferPool } from '../buffer-pool.ts';
import type { Env } from '../env.ts';
import { problemOf, type ApiError } from './problem.ts';

const unzip = promisify(gunzip);
/** A refused upload is read and thrown away this far, so that the client sees the answer, not a reset. */
const DRAIN_BYTES_MAX = 4 * 1_048_576;
const DRAIN_MS_MAX = 1_000;

/** Declared length of the body; null: chunked, so unknown. */
export function declaredLength(request: IncomingMessage): number | null {
  if (request.headers['transfer-encoding'] !== undefined) return null;
  const length = Number(request.headers['content-length'] ?? 0);
  return Number.isSafeInteger(length) && length >= 0 ? length : null;
}

/**
 * The body; null when it passes `max` bytes. Nothing beyond `max` is kept. A body of more than one piece is
 * in a buffer of the pool. Rejects when the client goes.
 */
export async function readBody(
  request: IncomingMessage,
  max: number,
  pool: BufferPool,
): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    const bytes = chunk as Buffer; // No encoding is set, so the stream gives buffers.
    size += bytes.length;
    if (size > max) return null;
    chunks.push(bytes);
  }
  const [only] = chunks;
  if (chunks.length === 1 && only !== undefined) return only;
  const whole = pool.take(size);
  let at = 0;
  for (const chunk of chunks) at += chunk.copy(whole, at);
  return whole.subarray(0, size);
}

/** Decompressed gzip; `too_large` when it passes `max` bytes, `broken` when it is none. */
export async function gunzipBody(
  bytes: Buffer,
  max: number,
): Promise<Buffer | 'too_large' | 'broken'> {
  try {
    return await unzip(bytes, { maxOutputLength: max });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'broken';
  }
}

/**
 * Answers a request whose body will not be read to its end, and closes the connection. The answer goes
 * out at once; then the body is drained a little, because closing a socket with unread bytes resets it
 * and the client may lose the answer.
 */
export async function refuseAndClose(
  request: FastifyRequest,
  reply: FastifyReply,
  error: ApiError,
  env: Pick<Env, 'after'>,
): Promise<void> {
  const { status, headers, body } = problemOf(error, request.id);
  reply.hijack();
  const { raw } = reply;
  const length = Buffer.byteLength(body);
  raw.writeHead(status, { ...headers, 'content-length': length, connection: 'close' });
  raw.write(body);
  await drain(request.raw, env);
  raw.end();
}

async function drain(request: IncomingMessage, env: Pick<Env, 'after'>): Promise<void> {
  if (request.readableEnded || request.destroyed) return;
  await new Promise<void>((resolve) => {
    let size = 0;
    const cancel = env.after(DRAIN_MS_MAX, resolve);
    const finish = (): void => {
      cancel();
      resolve();
    };
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > DRAIN_BYTES_MAX) finish();
    });
    for (const event of ['end', 'error', 'close']) request.on(event, finish);
    request.resume();
  });
  request.removeAllListeners('data');
}
