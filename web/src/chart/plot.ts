import uPlot from 'uplot';
import { CHART_FONT as FONT, colorReader } from './colors.ts';
import { topOf, timeTick } from './ticks.ts';
import { cut } from './gaps.ts';
import type { ChartData } from './series.ts';

/** What a plot needs beside the data. */
export interface PlotOptions {
  readonly data: ChartData;
  readonly width: number;
  readonly height: number;
  /** Charts with the same key share one cursor. */
  readonly syncKey: string;
  readonly format: (value: number) => string;
  /** The cursor stands at this index; `null`: it left. */
  readonly onCursor: (index: number | null) => void;
}

const hatchStepPx = 6;
/** Charts that stand over each other begin at the same place unless a label needs more. */
const labelRoomMinPx = 64;
/** Up to this many, single points are drawn on the line. */
const pointsMax = 60;

type Colors = ReturnType<typeof colorReader>;

function hatchGaps(u: uPlot, data: ChartData, color: string): void {
  const { ctx, bbox } = u;
  ctx.save();
  ctx.strokeStyle = color;
  ctx.lineWidth = devicePixelRatio;
  for (const gap of data.gaps) {
    const seen = cut(gap, data.range);
    if (seen === null) continue;
    const left = u.valToPos(seen.fromMs / 1_000, 'x', true);
    const right = u.valToPos(seen.toMs / 1_000, 'x', true);
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, bbox.top, right - left, bbox.height);
    ctx.clip();
    ctx.beginPath();
    const step = hatchStepPx * devicePixelRatio;
    for (let x = left - bbox.height; x < right; x += step) {
      ctx.moveTo(x, bbox.top + bbox.height);
      ctx.lineTo(x + bbox.height, bbox.top);
    }
    ctx.stroke();
    ctx.restore();
  }
  ctx.restore();
}

function drawMarks(u: uPlot, data: ChartData, colors: Colors): void {
  const { ctx, bbox } = u;
  const tones = { good: '--online', bad: '--danger', plain: '--muted' } as const;
  ctx.save();
  ctx.lineWidth = devicePixelRatio;
  for (const mark of data.marks) {
    if (mark.atMs < data.range.fromMs || mark.atMs > data.range.toMs) continue;
    const x = Math.round(u.valToPos(mark.atMs / 1_000, 'x', true)) + 0.5;
    ctx.strokeStyle = colors(tones[mark.tone]);
    ctx.setLineDash(mark.tone === 'bad' ? [4, 3] : mark.tone === 'plain' ? [1, 3] : []);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}

/** Room for the widest label: the library's fixed 50 px cuts "200 ms" to "00 ms". */
function labelRoom(u: uPlot, values: readonly string[] | null): number {
  if (values === null) return 40;
  u.ctx.save();
  u.ctx.font = FONT;
  const widest = Math.max(0, ...values.map((text) => u.ctx.measureText(text).width));
  u.ctx.restore();
  return Math.max(labelRoomMinPx, Math.ceil(widest) + 16);
}

/** Distances of ticks where a label has no fraction: 0.5 requests would read as 1. */
const WHOLE_STEPS = Array.from({ length: 12 }, (_, power) => 10 ** power).flatMap((ten) =>
  ten === 1 ? [1, 2, 5] : [ten, 2 * ten, 2.5 * ten, 5 * ten],
);

function axes(options: PlotOptions, colors: Colors): uPlot.Axis[] {
  const grid = { stroke: colors('--line'), width: 1 };
  const half = options.format(0.5);
  const isWhole = half === options.format(0) || half === options.format(1);
  const shared = { stroke: colors('--muted'), font: FONT, grid, ticks: { show: false }, gap: 6 };
  return [
    {
      ...shared,
      size: 28,
      space: 72,
      grid: { show: false },
      values: (_, splits) => {
        const distance = ((splits[1] ?? 0) - (splits[0] ?? 0)) * 1_000;
        return splits.map((at) => timeTick(at * 1_000, distance));
      },
    },
    {
      ...shared,
      space: 36,
      ...(isWhole ? { incrs: WHOLE_STEPS } : {}),
      values: (_, splits) => splits.map((value) => options.format(value)),
      size: (u, values) => labelRoom(u, values),
    },
  ];
}

function lines(data: ChartData, colors: Colors): uPlot.Series[] {
  const many = data.timesMs.length > pointsMax;
  return data.series.map((series) => {
    const stroke = colors(series.color);
    const line: uPlot.Series = {
      label: series.label,
      stroke,
      width: 1.75,
      spanGaps: false,
      points: many ? {} : { show: true, size: 4, fill: stroke },
    };
    if (series.dash !== undefined) line.dash = [...series.dash];
    return line;
  });
}

/** Draws a chart into `host`. The caller destroys it. */
export function makePlot(host: HTMLElement, options: PlotOptions): uPlot {
  const { data, width, height } = options;
  const colors = colorReader(host);
  const hatch = colors('--hatch');
  const plot: uPlot.Options = {
    width,
    height,
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: false, y: false },
      sync: { key: options.syncKey, setSeries: false },
      points: { size: 8 },
    },
    scales: {
      x: { time: true, range: [data.range.fromMs / 1_000, data.range.toMs / 1_000] },
      y: { range: (_, __, max) => [0, topOf(max)] },
    },
    axes: axes(options, colors),
    series: [{}, ...lines(data, colors)],
    hooks: {
      drawClear: [(u) => hatchGaps(u, data, hatch)],
      draw: [(u) => drawMarks(u, data, colors)],
      setCursor: [(u) => options.onCursor(u.cursor.idx ?? null)],
    },
  };
  const xs = data.timesMs.map((ms) => ms / 1_000);
  return new uPlot(plot, [xs, ...data.series.map((series) => [...series.values])], host);
}

/** The library's types leave out the third argument, which tells the plots of the same key. */
interface PublishingPlot {
  setCursor(at: { left: number; top: number }, fire: boolean, publish: boolean): void;
}

/** Puts the cursor of a plot, and of those that share its key, on a point. */
export function moveCursor(u: uPlot, index: number): void {
  const at = u.data[0][index];
  if (at === undefined) return;
  const plot: PublishingPlot = u;
  // A position left of the plot counts as no cursor at all.
  plot.setCursor({ left: Math.max(0, u.valToPos(at, 'x')), top: 1 }, true, true);
}
