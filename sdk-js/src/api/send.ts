/** One ingestion call, ready to be sent. */
export interface SendRequest {
  /** Final address: `{endpoint}/v1/events`. Redirects must not be followed. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
  /** Aborts when the time is up or the SDK shuts down. */
  readonly signal: AbortSignal;
}

/** What came back. */
export interface SendAnswer {
  readonly status: number;
  /** Header by its name in lower case, null when absent. */
  readonly header: (name: string) => string | null;
  /** Text of the answer, at most 64 KiB; null when there was none. */
  readonly body: string | null;
}

/**
 * Carries one request to the server. The SDK brings its own, over `node:http` and `node:https`;
 * another one serves proxies and tests. A rejection counts as a network error.
 */
export type Send = (request: SendRequest) => Promise<SendAnswer>;
