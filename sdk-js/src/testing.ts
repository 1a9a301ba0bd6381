import type { AnalyticsEvent } from './api/events.ts';
import type { Send } from './api/send.ts';

/**
 * Keeps events in memory instead of sending them, for tests of a bot:
 *
 * ```ts
 * const sink = new MemorySink();
 * const analytics = new Analytics({ apiKey: 'test', endpoint: 'http://localhost', send: sink.send });
 * await analytics.flush();
 * expect(sink.events.map((event) => event.type)).toContain('interaction_slash');
 * ```
 */
export class MemorySink {
  readonly #events: AnalyticsEvent[] = [];
  /** Status of the next answers. */
  status = 200;

  /** Events of all accepted batches, in order. */
  get events(): readonly AnalyticsEvent[] {
    return this.#events;
  }

  /** Pass this as the option `send`. */
  readonly send: Send = async ({ body }) => {
    const accepted = this.status >= 200 && this.status < 300;
    if (accepted) this.#events.push(...parseEvents(body));
    return { status: this.status, header: () => null, body: null };
  };

  /** Forgets all events. */
  clear(): void {
    this.#events.length = 0;
  }
}

function parseEvents(body: string): readonly AnalyticsEvent[] {
  // The SDK itself wrote this text.
  const batch = JSON.parse(body) as { readonly events: readonly AnalyticsEvent[] };
  return batch.events;
}
