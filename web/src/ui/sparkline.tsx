/** A line without axes: a shape, not a reading. The numbers stand beside it. */
export function Sparkline({ values }: { readonly values: readonly number[] }) {
  const top = Math.max(1, ...values);
  const step = 80 / Math.max(1, values.length - 1);
  const points = values.map(
    (value, index) => `${(index * step).toFixed(1)},${(19 - (value / top) * 18).toFixed(1)}`,
  );
  return (
    <svg viewBox="0 0 80 20" width="80" height="20" aria-hidden="true">
      <polyline points={points.join(' ')} fill="none" stroke="var(--series-1)" strokeWidth="1.4" />
    </svg>
  );
}
