import { constants, deflateRawSync } from 'node:zlib';

/** Server-sent events. WHATWG HTML, 9.2. */

/**
 * Bytes for every viewer of a stream, plain and packed. Packed frames are deflate blocks that end on a
 * byte and look back at nothing before them, so that any row of them behind GZIP_HEADER is one gzip
 * stream: a frame is compressed once, however many viewers get it. Decision 0076.
 */
export class Frame {
  readonly plain: Buffer;
  #packed: Buffer | undefined;

  constructor(plain: Buffer) {
    this.plain = plain;
  }

  get packed(): Buffer {
    this.#packed ??= deflateRawSync(this.plain, {
      level: 4,
      finishFlush: constants.Z_SYNC_FLUSH,
    });
    return this.#packed;
  }
}

/** RFC 1952: deflate, no name, no time. The length and sum at the end never come: the stream has no end. */
export const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/** One event; `data` becomes one line of JSON. */
export function frame(event: string, id: string, data: unknown): Frame {
  return new Frame(Buffer.from(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
}

/** A comment that keeps proxies and the reader's watchdog content. */
export const PING = new Frame(Buffer.from(': ping\n\n'));

/** The first bytes of a stream: the wait before a browser connects again, ms. */
export const OPENING = new Frame(Buffer.from('retry: 2000\n\n'));

/** Ticks whose frames are kept for viewers that come back. ui.md C. */
export const RING_TICKS = 120;

interface Kept {
  readonly version: number;
  readonly frame: Frame;
}

/** The frames of the last ticks. Versions grow by one from frame to frame. */
export class FrameRing {
  readonly #frames: Kept[] = [];

  push(version: number, added: Frame): void {
    this.#frames.push({ version, frame: added });
    if (this.#frames.length > RING_TICKS) this.#frames.shift();
  }

  /** Forgets everything: a viewer behind this moment needs a snapshot. */
  clear(): void {
    this.#frames.length = 0;
  }

  /** Frames behind `version` up to `newest`; undefined when one of them is gone. */
  since(version: number, newest: number): readonly Frame[] | undefined {
    if (version === newest) return [];
    const first = this.#frames[0]?.version;
    if (first === undefined || version > newest || version + 1 < first) return undefined;
    return this.#frames.filter((kept) => kept.version > version).map((kept) => kept.frame);
  }
}
