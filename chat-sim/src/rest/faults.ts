/** What a REST fault does to the requests that it hits. */
export type RestFaultKind =
  /** 429 of one bucket (scope `user`). */
  | 'rate-limit-bucket'
  /** 429 with `X-RateLimit-Global`. */
  | 'rate-limit-global'
  /** 429 with scope `shared`: other bots used it up. */
  | 'rate-limit-shared'
  /** 429 as from the CDN: HTML, neither `X-RateLimit-*` nor `Via`. */
  | 'rate-limit-edge'
  | 'unauthorized'
  | 'forbidden'
  | 'server-error'
  /** Answered properly, but late. */
  | 'delay'
  /** TCP reset without an answer. */
  | 'reset';

export interface RestFaultInput {
  readonly kind: RestFaultKind;
  /** Only this method. */
  readonly method?: string;
  /** Only this route, written as in the ledger: `/channels/{id}/messages`. */
  readonly route?: string;
  /** How many requests it hits; left out = all until it is cleared. */
  readonly times?: number;
  /** For the 429 kinds, seconds; default 0.3. */
  readonly retryAfterSeconds?: number;
  /** For `server-error`; default 500. */
  readonly status?: number;
  /** JSON error code for `forbidden`; default 50013. */
  readonly code?: number;
  /** For `delay`; default 500. */
  readonly delayMs?: number;
}

/** A fault on duty. */
export interface RestFault {
  readonly input: RestFaultInput;
  /** Requests it has hit so far. */
  readonly hits: number;
  clear(): void;
}

interface ActiveFault extends RestFault {
  hits: number;
}

/** Faults in the order in which they were asked for; the first that matches is used. */
export class RestFaults {
  #active: ActiveFault[] = [];

  add(input: RestFaultInput): RestFault {
    const fault: ActiveFault = {
      input,
      hits: 0,
      clear: () => {
        this.#active = this.#active.filter((other) => other !== fault);
      },
    };
    this.#active.push(fault);
    return fault;
  }

  clear(): void {
    this.#active = [];
  }

  /** The fault for this request, counted as a hit. */
  take(method: string, route: string): RestFaultInput | undefined {
    const fault = this.#active.find(
      ({ input }) =>
        (input.method === undefined || input.method === method) &&
        (input.route === undefined || input.route === route),
    );
    if (fault === undefined) return undefined;
    fault.hits += 1;
    if (fault.hits >= (fault.input.times ?? Infinity)) fault.clear();
    return fault.input;
  }
}
