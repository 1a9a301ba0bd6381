import type { Agent, IncomingMessage } from 'node:http';
import { LIMITS } from '@bot-analytics/protocol';
import type { Send, SendAnswer } from '../api/send.ts';
import type { Env } from './env.ts';
import { text } from './read.ts';

/** Longest wait for the body of an answer, so that the connection can be used again. transport.md C26. */
const BODY_WAIT_MS = 1_000;

/** A `Send` with connections that can be closed. */
export interface HttpClient {
  readonly send: Send;
  /** Closes all connections; the next `send` would open a new one. */
  close(): void;
}

/**
 * Sends over keep-alive connections. Sockets are unreferenced: a server that hangs must not keep
 * the bot alive; who waits for a flush holds the process itself. `node:http` never follows a
 * redirect, and costs 20 ms less to load than the built-in fetch.
 */
export function createHttpClient(env: Env): HttpClient {
  let agent: Agent | undefined;
  let previous: IncomingMessage | undefined;
  return {
    send: async ({ url, headers, body, signal }) => {
      // Only what the address needs: TLS costs 5 ms that a plain address saves.
      const { Agent, request } = url.startsWith('https:')
        ? await import('node:https')
        : await import('node:http');
      agent ??= new Agent({ keepAlive: true, maxFreeSockets: 1 });
      if (!previous?.complete) previous?.destroy();
      return await new Promise((resolve, reject) => {
        request(url, { method: 'POST', agent, headers, signal }, (response) => {
          previous = response;
          resolve(answerOf(response, env));
        })
          .on('socket', (socket) => socket.unref())
          .on('error', reject)
          // Without an answer, such as after a 101; too late to matter once there was one.
          .on('close', reject)
          .end(body);
      });
    },
    close: () => agent?.destroy(),
  };
}

/** A delivered batch waits for the body to use the connection again; a retry starts at once. */
async function answerOf(response: IncomingMessage, env: Env): Promise<SendAnswer> {
  const { statusCode: status = 0, headers } = response;
  const body = readBody(response, env);
  return {
    status,
    header: (name) => text(headers[name]),
    body: status >= 200 && status < 300 ? await body : null,
  };
}

/** The body as text; null when it is over 64 KiB, hangs for 1 s or breaks off. Never rejects. */
async function readBody(response: IncomingMessage, env: Env): Promise<string | null> {
  const cancel = env.after(BODY_WAIT_MS, () => response.destroy());
  let body = '';
  try {
    // A character for each byte: all that is read of it is a number in ASCII.
    for await (const chunk of response.setEncoding('latin1')) {
      body += chunk;
      if (body.length > LIMITS.answerBytesMax) return null;
    }
    return body;
  } catch {
    return null;
  } finally {
    cancel();
  }
}
