import type { Span } from './gaps.ts';

/** One line or row of bars of a chart. */
export interface ChartSeries {
  readonly label: string;
  /** Name of a colour token: `--series-1`. */
  readonly color: string;
  /** One for each time; `null` = not measured, which breaks the line. */
  readonly values: readonly (number | null)[];
  /** Dashes tell series apart without colour. */
  readonly dash?: readonly number[];
}

/** A moment on the time axis. */
export interface ChartMark {
  readonly atMs: number;
  readonly tone: 'good' | 'bad' | 'plain';
}

/** Everything a chart draws. */
export interface ChartData {
  readonly range: Span;
  /** Where each value stands, Unix ms, rising. */
  readonly timesMs: readonly number[];
  readonly series: readonly ChartSeries[];
  /** Stretches that are hatched: nothing was measured. */
  readonly gaps: readonly Span[];
  readonly marks: readonly ChartMark[];
}
