/** One event of a stream. */
export interface StreamEvent {
  readonly event: string;
  readonly data: string;
}

/**
 * Reads server-sent events from text that arrives in pieces. WHATWG HTML, 9.2.6. `id` and `retry` are
 * ignored: the stream begins with a snapshot each time, and the page keeps its own back-off.
 */
export class EventParser {
  #rest = '';
  #event = '';
  #data: string[] = [];

  /** The events that `chunk` completes. */
  push(chunk: string): readonly StreamEvent[] {
    const done: StreamEvent[] = [];
    const lines = (this.#rest + chunk).split(/\r\n|\n|\r/);
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '') this.#finish(done);
      else this.#field(line);
    }
    return done;
  }

  #field(line: string): void {
    const colon = line.indexOf(':');
    if (colon === 0) return;
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'event') this.#event = value;
    if (name === 'data') this.#data.push(value);
  }

  #finish(done: StreamEvent[]): void {
    if (this.#data.length > 0) {
      done.push({
        event: this.#event === '' ? 'message' : this.#event,
        data: this.#data.join('\n'),
      });
    }
    this.#event = '';
    this.#data = [];
  }
}
