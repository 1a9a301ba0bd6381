import { Agent, request } from 'node:http';

/**
 * The least that such an SDK has to do: an array of objects, `crypto.randomUUID`, batches of 500 as
 * JSON over one keep-alive connection, one request at a time. No guards, no retries, no bounds.
 */
export class Floor {
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true });
  #queue: object[] = [];

  constructor(url: string) {
    this.#url = url;
  }

  capture(type: string, data: object): void {
    this.#queue.push({ id: crypto.randomUUID(), type, ts: new Date().toISOString(), data });
  }

  async flush(): Promise<void> {
    while (this.#queue.length > 0) {
      const events = this.#queue.splice(0, 500);
      const sdk = { name: 'floor', version: '0' };
      const sentAt = new Date().toISOString();
      await this.#post(JSON.stringify({ batchId: crypto.randomUUID(), sdk, sentAt, events }));
    }
  }

  async #post(body: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const headers = { 'Content-Type': 'application/json' };
      const outgoing = request(
        `${this.#url}/v1/events`,
        { method: 'POST', agent: this.#agent, headers },
        (response) => {
          response.resume();
          response.on('end', resolve);
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }
}
