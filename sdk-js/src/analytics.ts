import type { ChatClient } from './api/client.ts';
import type { AnalyticsOptions, ErrorContext, FlushOptions } from './api/options.ts';
import type { FlushResult, Stats } from './api/stats.ts';
import { realEnv } from './core/env.ts';
import { environment, hostProcess, instanceId } from './process/host.ts';
import { joinProcess } from './process/hooks.ts';
import { Sdk } from './sdk.ts';

/** Five attempts with their waits mostly take under 15 s. */
const FLUSH_TIMEOUT_MS = 30_000;

/**
 * Collects what a bot does and sends it to a Bot Analytics server.
 *
 * ```ts
 * const analytics = new Analytics({ apiKey, endpoint }).attach(client);
 * ```
 *
 * No method throws or rejects, whatever the options, the network or the server do; what gets lost is
 * counted in `stats()`.
 */
export class Analytics {
  readonly #sdk: Sdk;

  constructor(options: AnalyticsOptions = {}) {
    this.#sdk = new Sdk(options, {
      env: realEnv(),
      variables: environment(),
      instanceId,
      host: hostProcess,
      join: joinProcess,
    });
  }

  /** Observes a client, before or after its login. A second call with the same client does nothing. */
  attach(client: ChatClient): this {
    this.#sdk.attach(client);
    return this;
  }

  /** Stops observing. Counters so far are sent; the instance can be attached again. */
  detach(): void {
    this.#sdk.detach();
  }

  /** Reports an error that the bot caught. */
  captureError(error: unknown, context?: ErrorContext): void {
    this.#sdk.captureError(error, context);
  }

  /**
   * Sends what is queued. Resolves when everything queued before the call is settled, in a quiet
   * period at once, at the latest after `timeoutMs` (default 30,000).
   */
  flush(options?: FlushOptions): Promise<FlushResult> {
    return this.#sdk.flush(options?.timeoutMs, FLUSH_TIMEOUT_MS);
  }

  /** Stops collecting, flushes for at most `timeoutMs` (default `shutdownTimeoutMs`), and ends. */
  shutdown(options?: FlushOptions): Promise<FlushResult> {
    return this.#sdk.shutdown(options?.timeoutMs);
  }

  /** Counters since the start. */
  stats(): Stats {
    return this.#sdk.stats();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.shutdown();
  }
}
