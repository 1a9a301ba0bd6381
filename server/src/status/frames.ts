/** Server-sent events. WHATWG HTML, 9.2. */

/** One event; `data` is one line of JSON. */
export function frame(event: string, id: string, data: unknown): Buffer {
  return Buffer.from(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}

/** A comment that keeps proxies and the reader's watchdog content. */
export const PING = Buffer.from(': ping\n\n');

/** The first bytes of a stream: the wait before a browser connects again, ms. */
export const OPENING = Buffer.from('retry: 2000\n\n');

/** Ticks whose frames are kept for viewers that come back. ui.md C. */
export const RING_TICKS = 120;

interface Kept {
  readonly version: number;
  readonly bytes: Buffer;
}

/** The frames of the last ticks. Versions grow by one from frame to frame. */
export class FrameRing {
  readonly #frames: Kept[] = [];

  push(version: number, bytes: Buffer): void {
    this.#frames.push({ version, bytes });
    if (this.#frames.length > RING_TICKS) this.#frames.shift();
  }

  /** Forgets everything: a viewer behind this moment needs a snapshot. */
  clear(): void {
    this.#frames.length = 0;
  }

  /** Frames behind `version` up to `newest`; undefined when one of them is gone. */
  since(version: number, newest: number): readonly Buffer[] | undefined {
    if (version === newest) return [];
    const first = this.#frames[0]?.version;
    if (first === undefined || version > newest || version + 1 < first) return undefined;
    return this.#frames.filter((kept) => kept.version > version).map((kept) => kept.bytes);
  }
}
