import type { Ledger } from '../ledger.ts';

/** Dispatches kept for a resume. A client that is further behind than this may not resume. */
export const REPLAY_MAX = 10_000;
/** The buffer is cut in steps of this, so that cutting costs next to nothing per dispatch. */
const REPLAY_SLACK = 5_000;

interface Frame {
  readonly seq: number;
  readonly name: string;
  /** The payload's JSON, ready to be put into a frame. */
  readonly json: string;
  written: boolean;
  /** Called when it turns out that it will never be written. */
  readonly onLost: (() => void) | undefined;
}

export interface SessionFacts {
  readonly id: string;
  readonly token: string;
  readonly shardId: number;
  readonly shardCount: number;
  readonly intents: number;
}

/** The way to a client's socket; a session outlives several of them. */
export interface FrameSink {
  send(text: string): void;
}

/** One gateway session: numbers its dispatches and keeps them until the client has seen them. */
export class Session {
  readonly facts: SessionFacts;
  readonly #ledger: Ledger;
  #frames: Frame[] = [];
  #seq = 0;
  /** Everything up to this number was dropped from the replay buffer. */
  #droppedSeq = 0;
  #sink: FrameSink | undefined;

  constructor(facts: SessionFacts, ledger: Ledger) {
    this.facts = facts;
    this.#ledger = ledger;
  }

  get connected(): boolean {
    return this.#sink !== undefined;
  }

  attach(sink: FrameSink): void {
    this.#sink = sink;
  }

  /** This socket is gone: dispatches wait for a resume, unless another socket took over. */
  detach(sink: FrameSink): void {
    if (this.#sink === sink) this.#sink = undefined;
  }

  dispatch(name: string, json: string, onLost?: () => void): void {
    this.#seq += 1;
    const frame: Frame = { seq: this.#seq, name, json, written: false, onLost };
    this.#frames.push(frame);
    this.#write(frame);
    if (this.#frames.length > REPLAY_MAX + REPLAY_SLACK) this.#drop(REPLAY_SLACK);
  }

  /** The client has everything up to `seq`: it need not be kept. */
  acknowledge(seq: number): void {
    const ahead = this.#frames.findIndex((frame) => frame.seq > seq);
    this.#drop(ahead === -1 ? this.#frames.length : ahead);
  }

  canReplayFrom(seq: number): boolean {
    return seq >= this.#droppedSeq && seq <= this.#seq;
  }

  /** Sends again what came after `seq`, in order. */
  replay(seq: number): void {
    for (const frame of this.#frames) {
      if (frame.seq > seq) this.#write(frame);
    }
  }

  /** The session will never be resumed: what was not written is lost. */
  discard(): void {
    this.#drop(this.#frames.length);
    this.#sink = undefined;
  }

  #write(frame: Frame): void {
    if (this.#sink === undefined) return;
    const how = frame.written ? 'redelivered' : 'dispatches';
    this.#ledger.dispatch(how, this.facts.shardId, frame.name);
    frame.written = true;
    this.#sink.send(`{"t":"${frame.name}","s":${frame.seq},"op":0,"d":${frame.json}}`);
  }

  #drop(count: number): void {
    for (const frame of this.#frames.slice(0, count)) {
      if (!frame.written) {
        this.#ledger.dispatch('undelivered', this.facts.shardId, frame.name);
        frame.onLost?.();
      }
      this.#droppedSeq = frame.seq;
    }
    this.#frames = this.#frames.slice(count);
  }
}
