import type { IncomingMessage, ServerResponse } from 'node:http';
import { isObject } from '../json.ts';
import type { Platform } from '../platform.ts';
import { PlatformError } from '../world/errors.ts';
import { decodeBody, readBody } from './body.ts';
import { faultAnswer, limited, problem } from './fault-answers.ts';
import type { HttpAnswer } from './fault-answers.ts';
import type { RestFaults } from './faults.ts';
import { RateLimits, majorParameter, rateLimitHeaders } from './rate-limit.ts';
import type { RateLimitSettings } from './rate-limit.ts';
import type { RestRequest } from './route.ts';
import { Router, stripApiPrefix } from './router.ts';
import type { RouteMatch } from './router.ts';
import type { RestRoute } from './route.ts';

export interface RestSettings {
  /** Bot tokens that are let in; empty = any. */
  readonly tokens: readonly string[];
  readonly rateLimit: RateLimitSettings;
}

/** Answered requests pass the platform's proxy, which signs them; a CDN block does not. */
const VIA = { Via: '1.1 google' } as const;

/** The REST side: finds the route, applies faults and limits, runs the handler, counts. */
export class RestServer {
  readonly #platform: Platform;
  readonly #settings: RestSettings;
  readonly #faults: RestFaults;
  readonly #router: Router;
  readonly #limits: RateLimits;

  constructor(
    platform: Platform,
    settings: RestSettings,
    faults: RestFaults,
    routes: readonly RestRoute[],
  ) {
    this.#platform = platform;
    this.#settings = settings;
    this.#faults = faults;
    this.#router = new Router(routes);
    this.#limits = new RateLimits(settings.rateLimit);
  }

  async handle(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const method = request.method ?? 'GET';
    const path = stripApiPrefix(url.pathname) ?? '/';
    const match = this.#router.match(method, path);
    const body = await readBody(request);
    const name = `${method} ${match.route}`;
    const { ledger } = this.#platform;
    const fault = this.#faults.take(method, match.route);
    if (fault !== undefined) ledger.fault(fault.kind);
    if (fault?.kind === 'reset') {
      ledger.restAttempt(name, 'reset');
      request.socket.resetAndDestroy();
      return;
    }
    const bucket = this.#limits.take(name, majorParameter(path), this.#platform.env.now());
    // First answers to interactions have no bucket on the platform.
    const headers = match.route.startsWith('/interactions/') ? {} : rateLimitHeaders(bucket);
    const send = (answer: HttpAnswer, via: Readonly<Record<string, string>> = VIA): void => {
      write(response, { ...answer, headers: { ...answer.headers, ...via } });
    };
    const refuse = (answer: HttpAnswer, via?: Readonly<Record<string, string>>): void => {
      ledger.restAttempt(name, answer.status);
      send(answer, via);
    };
    if (fault !== undefined && fault.kind !== 'delay') {
      const answer = faultAnswer(fault.kind, fault, headers);
      return refuse(answer, fault.kind === 'rate-limit-edge' ? {} : VIA);
    }
    if (bucket.exceeded && !match.route.startsWith('/interactions/')) {
      const waitSeconds = bucket.resetAfterMs / 1000;
      return refuse(limited(waitSeconds, false, { ...headers, 'X-RateLimit-Scope': 'user' }));
    }
    const serve = async (): Promise<void> => {
      const read = await this.#read(request, match, { body, query: url.searchParams });
      // Handled and counted in one go: who waits for the effect finds it in the ledger.
      const answer = 'status' in read ? read : this.#run(match, read);
      ledger.restAttempt(name, answer.status);
      send({ ...answer, headers: { ...answer.headers, ...headers } });
    };
    if (fault === undefined) return serve();
    this.#platform.env.after(fault.delayMs ?? 500, () => {
      serve().catch(() => response.destroy());
    });
  }

  /** The request as handlers take it, or the answer that refuses it. */
  async #read(
    request: IncomingMessage,
    match: RouteMatch,
    input: { body: Buffer | undefined; query: URLSearchParams },
  ): Promise<RestRequest | HttpAnswer> {
    if (!match.open && !this.#knows(request.headers.authorization)) {
      return problem(401, 0, '401: Unauthorized');
    }
    if (input.body === undefined) return problem(413, 40005, 'Request entity too large');
    const decoded = await decodeBody(input.body, request.headers['content-type'] ?? '');
    if (decoded === undefined) {
      return problem(400, 50109, 'The request body contains invalid JSON.');
    }
    const reason = request.headers['x-audit-log-reason'];
    return {
      method: request.method ?? 'GET',
      param: (name) => match.params[name] ?? '',
      query: input.query,
      body: isObject(decoded) ? decoded : {},
      list: Array.isArray(decoded) ? decoded.filter(isObject) : [],
      reason: typeof reason === 'string' ? decodeURIComponent(reason) : null,
    };
  }

  #run(match: RouteMatch, request: RestRequest): HttpAnswer {
    const { handler } = match;
    if (handler === undefined) return problem(404, 0, '404: Not Found');
    try {
      const { status, body } = handler(this.#platform, request);
      if (body === undefined) return { status, headers: {}, body: '' };
      const headers = { 'Content-Type': 'application/json' };
      return { status, headers, body: JSON.stringify(body) };
    } catch (error) {
      if (error instanceof PlatformError) return problem(error.status, error.code, error.message);
      throw error;
    }
  }

  #knows(authorization: string | undefined): boolean {
    const token = /^Bot (.+)$/.exec(authorization ?? '')?.[1];
    const { tokens } = this.#settings;
    return token !== undefined && (tokens.length === 0 || tokens.includes(token));
  }
}

function write(response: ServerResponse, answer: HttpAnswer): void {
  response.writeHead(answer.status, answer.headers);
  response.end(answer.body);
}
