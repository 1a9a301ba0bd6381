import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const pack = promisify(gzip);

/** Below a packet, compression saves nothing. */
export const GZIP_BYTES_MIN = 1_400;

const GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/;

/** True when the caller reads gzip. */
export function takesGzip(request: FastifyRequest): boolean {
  return GZIP.test(request.headers['accept-encoding'] ?? '');
}

/**
 * Compresses JSON answers of reads: the status of 2,000 shards is 410 kB, and 21 kB packed. Answers that
 * hold a new key or token are those of a POST and stay as they are.
 */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (request.method !== 'GET' || typeof payload !== 'string') return payload;
    const type = String(reply.getHeader('content-type') ?? '');
    if (!type.includes('json') || reply.hasHeader('content-encoding')) return payload;
    void reply.header('vary', 'accept-encoding');
    if (payload.length < GZIP_BYTES_MIN || !takesGzip(request)) return payload;
    const packed = await pack(payload, { level: 4 });
    void reply.header('content-encoding', 'gzip').header('content-length', packed.length);
    return packed;
  });
}
