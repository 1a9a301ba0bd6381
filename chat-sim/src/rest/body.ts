import type { IncomingMessage } from 'node:http';
import { isObject, parseJson } from '../json.ts';
import type { Json } from '../json.ts';

/** Bodies over this are refused, bytes: the platform's own request limit. */
const BODY_BYTES_MAX = 26_214_400;

/** Reads a request's body; `undefined` when it is too large. */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > BODY_BYTES_MAX) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/**
 * JSON, or the `payload_json` field of a form: a multipart one (how files are sent), or an urlencoded
 * one (how py-cord answers interactions).
 */
export async function decodeBody(body: Buffer, contentType: string): Promise<Json | undefined> {
  if (body.length === 0) return {};
  if (contentType.startsWith('application/x-www-form-urlencoded')) {
    return parseJson(new URLSearchParams(body.toString('utf8')).get('payload_json') ?? '');
  }
  if (!contentType.startsWith('multipart/form-data')) return parseJson(body.toString('utf8'));
  const form = await new Response(new Uint8Array(body), {
    headers: { 'content-type': contentType },
  }).formData();
  const payload = form.get('payload_json');
  const fields = typeof payload === 'string' ? parseJson(payload) : {};
  const names = [...form.keys()].filter((name) => name.startsWith('files['));
  if (!isObject(fields) || names.length === 0) return fields;
  // A message of files alone is not empty.
  return { ...fields, attachments: names };
}
