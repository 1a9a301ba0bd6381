/** A stretch of time, Unix ms; the end is exclusive. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** One measured or unmeasured step of a series. */
export interface Step {
  readonly atMs: number;
  readonly value: number | null;
}

/** Stretches without a value. `stepMs` is the length of a step; touching ones are joined. */
export function gapsOf(steps: readonly Step[], stepMs: number): readonly Span[] {
  const gaps: { fromMs: number; toMs: number }[] = [];
  for (const { atMs, value } of steps) {
    if (value !== null) continue;
    const last = gaps.at(-1);
    if (last !== undefined && last.toMs === atMs) last.toMs = atMs + stepMs;
    else gaps.push({ fromMs: atMs, toMs: atMs + stepMs });
  }
  return gaps;
}

/** A span cut to the range; `null` when nothing of it is inside. */
export function cut(span: Span, range: Span): Span | null {
  const fromMs = Math.max(span.fromMs, range.fromMs);
  const toMs = Math.min(span.toMs, range.toMs);
  return fromMs < toMs ? { fromMs, toMs } : null;
}

/**
 * Where the value of a step stands: in its middle, so that it never touches the hatch of the next one,
 * and never outside the range, which may begin or end inside a step.
 */
export function middleOf(startMs: number, stepMs: number, range: Span): number {
  return Math.min(Math.max(startMs + stepMs / 2, range.fromMs), range.toMs);
}
