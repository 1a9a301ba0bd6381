import type { BufferPool } from '../buffer-pool.ts';

/** Bytes of a row apart from its `data`: ids, times, type, punctuation. */
export const ROW_BYTES = 220;

/**
 * Rows of one request as bytes, written as they are made: text that waits for its insert as strings
 * would be copied by every garbage collection in between, which took a third of the CPU time.
 */
export class RowBuffer {
  #bytes: Buffer;
  #used = 0;
  readonly #pool: BufferPool;
  readonly #encoding: 'latin1' | 'utf8';

  /** `bytes`: a first size; `ascii`: nothing but ASCII will be added. */
  constructor(bytes: number, ascii: boolean, pool: BufferPool) {
    this.#pool = pool;
    this.#bytes = pool.take(bytes + ROW_BYTES);
    this.#encoding = ascii ? 'latin1' : 'utf8';
  }

  /** Adds a row and returns the position after it. */
  add(row: string): number {
    const bytesMax = this.#encoding === 'latin1' ? row.length : row.length * 3;
    const target = this.reserve(bytesMax);
    this.#used += target.write(row, this.#used, this.#encoding);
    return this.#used;
  }

  get used(): number {
    return this.#used;
  }

  /** The bytes, with room for `more` behind `used`; whoever writes there says so with `usedTo`. */
  reserve(more: number): Buffer {
    if (this.#used + more > this.#bytes.length) this.#grow(more);
    return this.#bytes;
  }

  usedTo(end: number): void {
    this.#used = end;
  }

  /** The rows are not read any more. */
  release(): void {
    this.#pool.give(this.#bytes);
  }

  finish(): Buffer {
    return this.#bytes.subarray(0, this.#used);
  }

  #grow(more: number): void {
    const larger = this.#pool.take(this.#bytes.length * 2 + more);
    this.#bytes.copy(larger, 0, 0, this.#used);
    this.#pool.give(this.#bytes);
    this.#bytes = larger;
  }
}
