import type { Send, SendAnswer } from './api/send.ts';

/** The part of `fetch` that is used; that of Node, of undici and of other runtimes fits. */
export type FetchLike = (
  url: string,
  init: {
    readonly method: 'POST';
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly redirect: 'manual';
    readonly signal: AbortSignal;
  },
) => Promise<{
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}>;

/**
 * Sends through a `fetch`, for example one that goes through a proxy. Value for the option `send`.
 */
export function sendWithFetch(fetch: FetchLike): Send {
  return async ({ url, headers, body, signal }): Promise<SendAnswer> => {
    const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    return {
      status: answer.status,
      header: (name) => answer.headers.get(name),
      // Read in full, so that the connection can be used again; the request's time limit bounds it.
      body: await answer.text().catch(() => null),
    };
  };
}
