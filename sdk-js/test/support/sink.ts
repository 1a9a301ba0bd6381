import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { AnalyticsEvent } from '../../src/api/events.ts';

/** One request as the sink saw it. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly batchId: string;
  readonly sentAt: string;
  readonly sdk: { readonly name: string; readonly version: string };
  readonly events: readonly AnalyticsEvent[];
  readonly atMs: number;
  /** Number of the connection that carried it, from 1. */
  readonly connection: number;
}

/** What the sink does with one request. */
export type Reply =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  | ((request: Received, response: ServerResponse) => void);

/** A scripted ingest server: answers requests in the order of its script, then 200. */
export class Sink {
  readonly requests: Received[] = [];
  readonly #script: Reply[] = [];
  readonly #sockets = new Map<Socket, number>();
  #connections = 0;
  #open = 0;
  /** Most requests that were under way at once. */
  maxOpen = 0;
  /** Wait before each answer, ms. */
  delayMs = 0;
  /** Answer once the script is used up. */
  fallback: Reply = { status: 200, body: '{}' };
  readonly #server = createServer((request, response) => this.#take(request, response));
  #waiters: { readonly holds: () => boolean; readonly resolve: () => void }[] = [];

  static async start(): Promise<Sink> {
    const sink = new Sink();
    sink.#server.keepAliveTimeout = 65_000;
    sink.#server.on('connection', (socket: Socket) => {
      sink.#connections += 1;
      sink.#sockets.set(socket, sink.#connections);
      socket.on('close', () => {
        sink.#sockets.delete(socket);
        sink.#notify();
      });
    });
    await new Promise<void>((resolve) => sink.#server.listen(0, '127.0.0.1', resolve));
    return sink;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get connections(): number {
    return this.#connections;
  }

  get openSockets(): number {
    return this.#sockets.size;
  }

  /** Events of all requests that were answered 2xx by the script. */
  get stored(): readonly AnalyticsEvent[] {
    return this.#stored;
  }
  readonly #stored: AnalyticsEvent[] = [];

  types(): readonly string[] {
    return this.stored.map(({ type }) => type);
  }

  script(...replies: readonly Reply[]): void {
    this.#script.push(...replies);
  }

  /** Waits until the condition holds; fails after `deadlineMs`. */
  async until(holds: () => boolean, deadlineMs = 5_000): Promise<void> {
    if (holds()) return;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        clearInterval(poll);
        reject(new Error(`condition did not hold within ${deadlineMs} ms: ${holds.toString()}`));
      }, deadlineMs);
      const waiter = {
        holds,
        resolve: () => {
          clearTimeout(timer);
          clearInterval(poll);
          resolve();
        },
      };
      // Conditions may also depend on things that the sink does not see.
      const poll = setInterval(() => this.#notify(), 10);
      this.#waiters.push(waiter);
    });
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets.keys()) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #notify(): void {
    const done = this.#waiters.filter(({ holds }) => holds());
    this.#waiters = this.#waiters.filter((waiter) => !done.includes(waiter));
    for (const { resolve } of done) resolve();
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    this.#open += 1;
    this.maxOpen = Math.max(this.maxOpen, this.#open);
    response.on('close', () => (this.#open -= 1));
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const batch = JSON.parse(body) as Pick<Received, 'batchId' | 'sentAt' | 'sdk' | 'events'>;
      const received: Received = {
        ...batch,
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body,
        atMs: performance.now(),
        connection: this.#sockets.get(request.socket) ?? 0,
      };
      this.requests.push(received);
      const reply = this.#script.shift() ?? this.fallback;
      if (typeof reply === 'object' && reply.status < 300) this.#stored.push(...received.events);
      setTimeout(() => {
        if (typeof reply === 'function') reply(received, response);
        else response.writeHead(reply.status, reply.headers).end(reply.body);
        this.#notify();
      }, this.delayMs);
    });
  }
}
