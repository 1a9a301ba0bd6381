import type { IncomingMessage } from 'node:http';
import { raise } from '../sql/exception.ts';

/** Largest request body, bytes. 10,000 events of 300 bytes are 3 MB. */
const BODY_BYTES_MAX = 67_108_864;

/** Request bodies held at once, bytes; more are refused, so a burst cannot fill the memory. */
export const BODIES_BYTES_MAX = 134_217_728;

/** Bytes of request bodies that are in memory now. */
export class BodyBudget {
  #held = 0;

  get held(): number {
    return this.#held;
  }

  take(bytes: number): boolean {
    if (this.#held + bytes > BODIES_BYTES_MAX) return false;
    this.#held += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#held -= bytes;
  }
}

/** Reads the body whole. What it holds of the budget is given back through `onHeld`'s total. */
export async function readBody(
  request: IncomingMessage,
  budget: BodyBudget,
  onHeld: (bytes: number) => void,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  let total = 0;
  for await (const part of request) {
    const bytes: Buffer = Buffer.isBuffer(part) ? part : Buffer.from(String(part));
    total += bytes.length;
    if (total > BODY_BYTES_MAX) {
      throw raise('QUERY_IS_TOO_LARGE', `The request body is over ${BODY_BYTES_MAX} bytes`);
    }
    if (!budget.take(bytes.length)) {
      throw raise('TOO_MANY_SIMULTANEOUS_QUERIES', 'Too many request bytes are in flight');
    }
    onHeld(bytes.length);
    parts.push(bytes);
  }
  const only = parts[0];
  return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts, total);
}

const NAME = /name="([^"]*)"/i;

/** Fields of a multipart/form-data body, as the client sends long parameters. Text fields only. */
export function multipartFields(body: Buffer, contentType: string): ReadonlyMap<string, string> {
  const boundary = /boundary="?([^";]+)"?/i.exec(contentType)?.[1];
  if (boundary === undefined) throw raise('BAD_REQUEST_PARAMETER', 'multipart without a boundary');
  const mark = Buffer.from(`--${boundary}`);
  const fields = new Map<string, string>();
  let from = body.indexOf(mark);
  while (from >= 0) {
    const start = from + mark.length;
    const next = body.indexOf(mark, start);
    if (next < 0) break;
    // Between the marks: CRLF head CRLF CRLF value CRLF.
    const headEnd = body.indexOf('\r\n\r\n', start);
    if (headEnd < 0 || headEnd > next) throw raise('BAD_REQUEST_PARAMETER', 'multipart is broken');
    const name = NAME.exec(body.toString('utf8', start, headEnd))?.[1];
    if (name !== undefined) fields.set(name, body.toString('utf8', headEnd + 4, next - 2));
    from = next;
  }
  return fields;
}
