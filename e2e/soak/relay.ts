import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What happens to one request on its way to the server. */
export type Fault =
  /** Answered by the relay itself. */
  | { readonly status: 429; readonly retryAfterSeconds: number }
  | { readonly status: 403 | 500 | 502 | 503 }
  /** Cut before the server hears of it. */
  | 'reset-before'
  /** Cut after the server stored it: the SDK sends everything again. */
  | 'reset-after';

/** One event as it left the bot. */
export interface SentEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const FAULTS: readonly Fault[] = [
  { status: 429, retryAfterSeconds: 1 },
  { status: 403 },
  { status: 500 },
  { status: 502 },
  { status: 503 },
  'reset-before',
  'reset-after',
];
/** Five attempts are the SDK's limit; the server's own restarts come on top of these. */
const IN_A_ROW_MAX = 2;
/** A heartbeat comes every 5 s; five attempts with their waits take 15 s. */
const PASS_MAX_MS = 40_000;

/**
 * Stands between the bot and the server, on one address however often the server restarts: passes
 * requests on, spoils some of them, and reads every body.
 */
export class Relay {
  /** Distinct events that left the bot, by id. */
  readonly sent = new Map<string, SentEvent>();
  /** Requests by what became of them. */
  readonly counts: Record<string, number> = {};
  /** Bodies that held the canary. */
  leaks = 0;
  readonly #canary: string;
  readonly #random: () => number;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #server = createServer((incoming, response) => void this.#take(incoming, response));
  readonly #planned: Fault[] = [];
  #target = '';
  #share = 0;
  #inARow = 0;
  #waiting: (() => void)[] = [];

  constructor(canary: string, random: () => number) {
    this.#canary = canary;
    this.#random = random;
    this.#server.keepAliveTimeout = 65_000;
  }

  async start(target: string): Promise<string> {
    this.#target = target;
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** From now on this share of all requests is spoilt, in [0, 1]. */
  spoil(share: number): void {
    this.#share = share;
  }

  /** The next requests get these faults. */
  plan(...faults: readonly Fault[]): void {
    this.#planned.push(...faults);
  }

  /**
   * Resolves when the server answers a request that comes from now on. Two troubles at once could
   * use up the five attempts of a batch.
   */
  nextPassed(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('no request passed')), PASS_MAX_MS);
      this.#waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const body = Buffer.concat(chunks);
    this.#read(body.toString('utf8'));
    const fault = this.#fault();
    this.#count(nameOf(fault));
    if (fault === 'reset-before') return void incoming.socket.resetAndDestroy();
    if (typeof fault === 'object') return answer(response, fault);
    this.#pass(incoming, body, (upstream) => {
      if (upstream === null) this.#count('server away');
      if (upstream === null || fault === 'reset-after') return incoming.socket.resetAndDestroy();
      response.writeHead(upstream.statusCode ?? 502, upstream.headers);
      for (const resolve of this.#waiting.splice(0)) resolve();
      upstream.pipe(response);
    });
  }

  #pass(
    incoming: IncomingMessage,
    body: Buffer,
    done: (upstream: IncomingMessage | null) => void,
  ): void {
    const { method, url, headers } = incoming;
    const target = new URL(url ?? '/', this.#target);
    const outgoing = request(target, { method: method ?? 'POST', headers, agent: this.#agent });
    outgoing.on('response', done);
    outgoing.on('error', () => done(null));
    outgoing.end(body);
  }

  #read(body: string): void {
    if (body.includes(this.#canary)) this.leaks += 1;
    const { events } = JSON.parse(body) as { events: readonly (SentEvent & { id: string })[] };
    for (const { id, type, data } of events) this.sent.set(id, { type, data });
  }

  #fault(): Fault | undefined {
    const planned = this.#planned.shift();
    if (planned !== undefined) {
      // Four planned failures leave one attempt.
      this.#inARow = IN_A_ROW_MAX;
      return planned;
    }
    const spoilt = this.#inARow < IN_A_ROW_MAX && this.#random() < this.#share;
    this.#inARow = spoilt ? this.#inARow + 1 : 0;
    return spoilt ? FAULTS[Math.floor(this.#random() * FAULTS.length)] : undefined;
  }

  #count(name: string): void {
    this.counts[name] = (this.counts[name] ?? 0) + 1;
  }
}

function nameOf(fault: Fault | undefined): string {
  return typeof fault === 'object' ? String(fault.status) : (fault ?? 'passed');
}

function answer(response: ServerResponse, fault: Exclude<Fault, string>): void {
  const headers = fault.status === 429 ? { 'Retry-After': fault.retryAfterSeconds } : {};
  response.writeHead(fault.status, headers);
  response.end();
}
