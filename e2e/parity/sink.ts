import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json, JsonObject } from './values.ts';

/** An ingest server that takes everything and keeps what came. */
export class Sink {
  readonly batches: JsonObject[] = [];
  readonly headers: IncomingMessage['headers'][] = [];
  readonly #server = createServer((request, response) => void this.#take(request, response));

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** All events of all batches, in order. */
  events(): readonly JsonObject[] {
    return this.batches.flatMap(
      ({ events }) => (Array.isArray(events) ? events : []) as Json[] as JsonObject[],
    );
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    this.headers.push(request.headers);
    this.batches.push(JSON.parse(Buffer.concat(chunks).toString('utf8')) as JsonObject);
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end('{}');
  }
}
