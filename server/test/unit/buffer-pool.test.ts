import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BufferPool } from '../../src/buffer-pool.ts';

const sizes = fc.oneof(fc.nat(300_000), fc.nat(3_000_000));

test('no memory is lent to two at once, and every buffer is large enough', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ bytes: sizes, giveBack: fc.nat(5) }), { maxLength: 40 }),
      (steps) => {
        const pool = new BufferPool();
        const lent: Buffer[] = [];
        for (const { bytes, giveBack } of steps) {
          const buffer = pool.take(bytes);
          expect(buffer.length).toBeGreaterThanOrEqual(bytes);
          expect(lent.some((other) => other.buffer === buffer.buffer)).toBe(false);
          lent.push(buffer);
          const [back] = giveBack < lent.length ? lent.splice(giveBack, 1) : [];
          if (back !== undefined) {
            pool.give(back.subarray(0, 10));
            // Giving back twice, or what was never lent, changes nothing.
            pool.give(back);
            pool.give(Buffer.alloc(131_072));
          }
        }
      },
    ),
    { numRuns: 40 },
  );
});

test('a large buffer is used again, small and very large ones are not', () => {
  const pool = new BufferPool();
  const again = [100_000, 10, 5_000_000].map((bytes) => {
    const first = pool.take(bytes);
    pool.give(first);
    return pool.take(bytes).buffer === first.buffer;
  });
  expect(again).toEqual([true, false, false]);
});
