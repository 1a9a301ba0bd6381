import { INGEST_PATH, LIMITS } from '@bot-analytics/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BufferPool } from '../buffer-pool.ts';
import type { Env } from '../env.ts';
import type { Ingestor, IngestOutcome } from '../ingest/ingestor.ts';
import type { Pressure } from '../ingest/pressure.ts';
import type { Bot, Key } from '../keys/records.ts';
import type { Metrics } from '../metrics.ts';
import { authorise, type AuthDeps } from './auth.ts';
import { declaredLength, gunzipBody, readBody, refuseAndClose } from './body.ts';
import { ApiError, problemOf } from './problem.ts';

export interface IngestRouteDeps {
  readonly auth: AuthDeps;
  readonly env: Pick<Env, 'after' | 'nowMs' | 'random'>;
  readonly ingestor: Ingestor;
  readonly pressure: Pressure;
  readonly metrics: Metrics;
  readonly pool: BufferPool;
  /** Bytes of bodies held at once. */
  readonly inFlightBytesMax: number;
}

const JSON_TYPE = /^application\/json *(?:; *charset *= *"?utf-?8"? *)?$/i;
const BODY_BYTES_MAX = LIMITS.batchBytesMax;
/** Every method but POST; the path is the SDK's, so a wrong method is a wrong client. */
const OTHER_METHODS = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** POST /v1/events. Spec: Endpoints; design.md 5. */
export class IngestRoute {
  readonly #deps: IngestRouteDeps;
  #inFlightBytes = 0;

  constructor(deps: IngestRouteDeps) {
    this.#deps = deps;
    deps.metrics.declare('ingest_requests_total', 'counter', 'Ingestion calls by status');
    deps.metrics.declare('ingest_in_flight_bytes', 'gauge', 'Bytes of bodies held');
    deps.metrics.onRender(() => deps.metrics.set('ingest_in_flight_bytes', this.#inFlightBytes));
  }

  async register(app: FastifyInstance): Promise<void> {
    await app.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      // The handler reads the body itself: it knows limits, codings and what is in flight.
      scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
      scope.post(INGEST_PATH, (request, reply) => this.#handle(request, reply));
      scope.route({
        method: OTHER_METHODS,
        url: INGEST_PATH,
        handler: () => {
          throw new ApiError('method_not_allowed', { headers: { allow: 'POST' } });
        },
      });
    });
  }

  async #handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    try {
      const outcome = await this.#take(request);
      if (outcome.kind === 'answer') {
        this.#deps.metrics.add('ingest_requests_total', 1, { status: '200' });
        return reply
          .header('content-type', 'application/json')
          .send(JSON.stringify(outcome.answer));
      }
      const { code, retryAfterS, errors } = outcome;
      throw new ApiError(code, {
        ...(retryAfterS === undefined ? {} : { retryAfterS }),
        ...(errors === undefined ? {} : { errors }),
      });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return await this.#refuse(request, reply, error);
    }
  }

  /** A body that was not read and may be long costs the connection; others are swallowed by Node. */
  async #refuse(
    request: FastifyRequest,
    reply: FastifyReply,
    error: ApiError,
  ): Promise<FastifyReply | undefined> {
    const { status, headers, body } = problemOf(error, request.id);
    this.#deps.metrics.add('ingest_requests_total', 1, { status: String(status) });
    const length = declaredLength(request.raw);
    const long = length === null || length > BODY_BYTES_MAX;
    const unread = !request.raw.complete && long;
    if (!unread && error.code !== 'shutting_down' && error.code !== 'body_too_large') {
      return reply.code(status).headers(headers).send(body);
    }
    await refuseAndClose(request, reply, error, this.#deps.env);
    return undefined;
  }

  async #take(request: FastifyRequest): Promise<IngestOutcome> {
    const { auth, pressure, env } = this.#deps;
    if (pressure.stopping) throw new ApiError('shutting_down', { retryAfterS: 2 });
    const principal = await authorise(request, auth, 'ingest');
    if (principal.kind !== 'key' || principal.key.scope !== 'ingest') {
      throw new ApiError('scope_missing', {
        detail: 'This is not an ingest key; use the one that starts with bak_.',
      });
    }
    const { bot, key } = principal;
    if (bot.suspended) throw this.#counted(bot, 'bot_suspended');
    if (!JSON_TYPE.test(request.headers['content-type'] ?? '')) {
      throw this.#counted(bot, 'unsupported_media_type');
    }
    const outcome = await this.#readAndAccept(request, bot);
    if (outcome.kind === 'answer' && outcome.sdk !== null) {
      this.#noteSdk(key, outcome.sdk, env.nowMs());
    }
    return outcome;
  }

  #noteSdk(key: Key, sdk: string, nowMs: number): void {
    this.#deps.auth.registry.noteUse(key.keyId, nowMs, sdk);
  }

  async #readAndAccept(request: FastifyRequest, bot: Bot): Promise<IngestOutcome> {
    const { ingestor, inFlightBytesMax, pool } = this.#deps;
    const coding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
    if (coding !== 'identity' && coding !== 'gzip') {
      throw this.#counted(bot, 'unsupported_encoding');
    }
    const length = declaredLength(request.raw);
    if (length !== null && length > BODY_BYTES_MAX) throw this.#counted(bot, 'body_too_large');
    // A compressed body may grow to the limit.
    const reserved = coding === 'gzip' ? BODY_BYTES_MAX : (length ?? BODY_BYTES_MAX);
    if (this.#inFlightBytes + reserved > inFlightBytesMax)
      return ingestor.refuse(bot, 'overloaded');
    this.#inFlightBytes += reserved;
    try {
      const sent = await readBody(request.raw, BODY_BYTES_MAX, pool);
      if (sent === null) throw this.#counted(bot, 'body_too_large');
      const body = coding === 'gzip' ? await gunzipBody(sent, BODY_BYTES_MAX) : sent;
      if (body === 'too_large') throw this.#counted(bot, 'body_too_large');
      if (body === 'broken') return ingestor.refuse(bot, 'invalid_json');
      return await ingestor.accept(bot, body);
    } finally {
      this.#inFlightBytes -= reserved;
    }
  }

  #counted(bot: Bot, code: ConstructorParameters<typeof ApiError>[0]): ApiError {
    this.#deps.ingestor.refuse(bot, code);
    return new ApiError(code);
  }
}
