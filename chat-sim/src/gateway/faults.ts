/** Which shard a fault is for; left out = every shard. */
export type ShardChoice = number | undefined;

/** How an identify is refused: a close code, or op 9 (session invalid, not resumable). */
export type IdentifyRefusal = number | 'invalid-session';

interface Waiting<T> {
  readonly shardId: ShardChoice;
  readonly what: T;
  left: number;
}

/** Faults that wait for a client to do something. */
export class GatewayFaults {
  readonly #withheld = new Set<number>();
  #withheldEverywhere = false;
  readonly #identify: Waiting<IdentifyRefusal>[] = [];
  readonly #resume: Waiting<'refuse'>[] = [];

  withholdAcks(shardId: ShardChoice, withheld: boolean): void {
    if (shardId === undefined) {
      this.#withheldEverywhere = withheld;
      if (!withheld) this.#withheld.clear();
    } else if (withheld) this.#withheld.add(shardId);
    else this.#withheld.delete(shardId);
  }

  acksWithheld(shardId: number | undefined): boolean {
    return this.#withheldEverywhere || (shardId !== undefined && this.#withheld.has(shardId));
  }

  refuseIdentify(shardId: ShardChoice, what: IdentifyRefusal, times: number): void {
    this.#identify.push({ shardId, what, left: times });
  }

  refuseResume(shardId: ShardChoice, times: number): void {
    this.#resume.push({ shardId, what: 'refuse', left: times });
  }

  /** Uses up one waiting refusal for this shard. */
  takeIdentifyRefusal(shardId: number): IdentifyRefusal | undefined {
    return take(this.#identify, shardId);
  }

  takeResumeRefusal(shardId: number): boolean {
    return take(this.#resume, shardId) !== undefined;
  }

  clear(): void {
    this.withholdAcks(undefined, false);
    this.#identify.length = 0;
    this.#resume.length = 0;
  }
}

function take<T>(waiting: Waiting<T>[], shardId: number): T | undefined {
  const found = waiting.find(
    (one) => one.left > 0 && (one.shardId === undefined || one.shardId === shardId),
  );
  if (found === undefined) return undefined;
  found.left -= 1;
  return found.what;
}
