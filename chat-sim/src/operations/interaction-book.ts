/** The six kinds of interaction. */
export type InteractionKind =
  | 'slash'
  | 'button'
  | 'select'
  | 'modal'
  | 'context_menu'
  | 'autocomplete';

/** How the bot's first answer came out, seen from the platform. */
export type InteractionOutcome =
  /** No answer yet, still in time. */
  | 'waiting'
  /** Acknowledged in time. */
  | 'answered'
  /** The deadline passed without an answer. */
  | 'unanswered'
  /** No session was there to receive it. */
  | 'unheard';

/** First-answer forms, by callback type. */
export const RESPONSE_KINDS = {
  1: 'pong',
  4: 'reply',
  5: 'defer',
  6: 'defer_update',
  7: 'update',
  8: 'autocomplete',
  9: 'modal',
  12: 'launch_activity',
} as const satisfies Record<number, string>;

export type ResponseKind = (typeof RESPONSE_KINDS)[keyof typeof RESPONSE_KINDS];

/** One interaction and what became of it. Plain JSON. */
export interface InteractionRecord {
  readonly id: string;
  readonly token: string;
  readonly kind: InteractionKind;
  /** Full command path such as `config set`, or the custom id. */
  readonly name: string;
  readonly guildId: string | null;
  readonly channelId: string;
  readonly userId: string;
  /** Shard it was sent to; `null` when nobody was connected. */
  readonly shardId: number | null;
  /** Unix ms. */
  readonly sentAtMs: number;
  outcome: InteractionOutcome;
  /** Ms from sending to the first accepted answer. */
  answeredAfterMs: number | null;
  responseKind: ResponseKind | null;
  /** Answers refused with 10062 because they came too late. */
  lateAnswers: number;
  /** Answers refused with 40060 because one was there already. */
  repeatedAnswers: number;
  followUps: number;
  edits: number;
  deletes: number;
  /** The original response, once there is one. */
  responseMessageId: string | null;
  /** Message that the component was on. */
  readonly sourceMessageId: string | null;
  /** Body of a modal answer: the form that the user sees. */
  modal: object | null;
}

/** Records kept; the oldest go first. */
const RECORDS_MAX = 100_000;

/** All interactions by token, oldest first. */
export class InteractionBook {
  /** Ms in which the first answer must come. The platform's is 3000. */
  readonly deadlineMs: number;
  readonly #byToken = new Map<string, InteractionRecord>();
  readonly #waiters = new Map<string, ((record: InteractionRecord) => void)[]>();

  constructor(deadlineMs: number) {
    this.deadlineMs = deadlineMs;
  }

  add(record: InteractionRecord): void {
    this.#byToken.set(record.token, record);
    if (this.#byToken.size > RECORDS_MAX) {
      for (const oldest of this.#byToken.keys()) {
        this.#byToken.delete(oldest);
        break;
      }
    }
  }

  byToken(token: string): InteractionRecord | undefined {
    return this.#byToken.get(token);
  }

  records(): InteractionRecord[] {
    return [...this.#byToken.values()];
  }

  /** The newest form shown for this custom id. */
  modal(customId: string): object | null {
    const shown = this.records().filter(
      ({ modal }) => modal !== null && JSON.stringify(modal).includes(JSON.stringify(customId)),
    );
    return shown.at(-1)?.modal ?? null;
  }

  /** Resolves once the outcome is no longer `waiting`. */
  settled(record: InteractionRecord): Promise<InteractionRecord> {
    if (record.outcome !== 'waiting') return Promise.resolve(record);
    return new Promise((resolve) => {
      this.#waiters.set(record.id, [...(this.#waiters.get(record.id) ?? []), resolve]);
    });
  }

  /** Sets the outcome and wakes who waits for it. */
  settle(record: InteractionRecord, outcome: InteractionOutcome): void {
    record.outcome = outcome;
    for (const wake of this.#waiters.get(record.id) ?? []) wake(record);
    this.#waiters.delete(record.id);
  }
}
