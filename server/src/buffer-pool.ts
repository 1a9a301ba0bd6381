/** Smaller buffers are cheap to make and to collect. */
const POOLED_BYTES_MIN = 65_536;
const POOLED_BYTES_MAX = 2_097_152;
/** Bytes that wait for their next use. */
const FREE_BYTES_MAX = 33_554_432;

/**
 * Large buffers that are used again. V8 counts memory outside its heap and collects the whole heap for every
 * few dozen megabytes of it; bodies and rows of a busy server made that a tenth of its time.
 */
export class BufferPool {
  /** By size, a power of two. */
  readonly #free = new Map<number, ArrayBuffer[]>();
  #freeBytes = 0;
  readonly #lent = new WeakSet<ArrayBufferLike>();

  /** A buffer of at least `bytes` bytes that hold anything. */
  take(bytes: number): Buffer {
    if (bytes < POOLED_BYTES_MIN || bytes > POOLED_BYTES_MAX) return Buffer.allocUnsafeSlow(bytes);
    const size = 2 ** Math.ceil(Math.log2(bytes));
    const memory = this.#free.get(size)?.pop();
    if (memory !== undefined) this.#freeBytes -= size;
    const buffer = memory === undefined ? Buffer.allocUnsafeSlow(size) : Buffer.from(memory);
    this.#lent.add(buffer.buffer);
    return buffer;
  }

  /** Takes back a buffer or a part of it, of which nobody will read again. Buffers from elsewhere are ignored. */
  give({ buffer }: Buffer): void {
    if (!(buffer instanceof ArrayBuffer) || !this.#lent.delete(buffer)) return;
    const size = buffer.byteLength;
    if (this.#freeBytes + size > FREE_BYTES_MAX) return;
    this.#freeBytes += size;
    const list = this.#free.get(size) ?? [];
    list.push(buffer);
    this.#free.set(size, list);
  }
}
