import type { Send, SendAnswer } from '../../src/api/send.ts';
import type { AnalyticsEvent } from '../../src/api/events.ts';

/** One attempt as the script saw it. */
export interface Attempted {
  readonly batchId: string;
  readonly sentAt: string;
  readonly events: readonly AnalyticsEvent[];
  readonly bytes: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly url: string;
  readonly signal: AbortSignal;
}

/** What a scripted attempt ends with: a status, headers with a status, an error, or never. */
export type Step =
  | number
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  | Error
  | 'hang'
  | Promise<number>;

/** A `Send` without a network, for tests with a hand-turned clock. */
export class ScriptSend {
  readonly attempts: Attempted[] = [];
  readonly steps: Step[] = [];
  /** When the steps are used up. */
  fallback: Step = 200;
  open = 0;
  maxOpen = 0;

  readonly send: Send = async ({ url, headers, body, signal }) => {
    const batch = JSON.parse(body) as Pick<Attempted, 'batchId' | 'sentAt' | 'events'>;
    this.attempts.push({ ...batch, url, headers, signal, bytes: Buffer.byteLength(body) });
    this.open += 1;
    this.maxOpen = Math.max(this.maxOpen, this.open);
    try {
      return await this.#end(this.steps.shift() ?? this.fallback);
    } finally {
      this.open -= 1;
    }
  };

  /** Names that the events of each attempt carry in `data.n`. */
  numbers(): unknown[][] {
    return this.attempts.map(({ events }) => events.map(({ data }) => Reflect.get(data, 'n')));
  }

  async #end(step: Step): Promise<SendAnswer> {
    if (step instanceof Error) throw step;
    if (step === 'hang') return await new Promise<never>(() => undefined);
    const made = step instanceof Promise ? await step : step;
    const { status, headers, body } =
      typeof made === 'number' ? { status: made, headers: {}, body: undefined } : made;
    const lower = new Headers(headers);
    return { status, header: (name) => lower.get(name), body: body ?? null };
  }
}
