import { CHART_FONT, colorReader } from './colors.ts';
import { topOf } from './ticks.ts';

/** One bar. */
export interface Bar {
  readonly label: string;
  readonly value: number;
}

/** What bars are drawn from. */
export interface BarsOptions {
  readonly bars: readonly Bar[];
  /** Name of a colour token: `--series-1`. */
  readonly color: string;
  readonly format: (value: number) => string;
  /** The bar that stands out; `null`: none. */
  readonly at: number | null;
}

const axisPx = 28;
const topPx = 8;
const gapPart = 0.25;
const barMaxPx = 56;
const gridLines = 3;
const labelGapPx = 10;

/** Where the bars stand, CSS px. */
interface Frame {
  readonly left: number;
  readonly width: number;
  readonly height: number;
  readonly step: number;
}

function frameOf(canvas: HTMLCanvasElement, bars: readonly Bar[], labelPx: number): Frame {
  const { clientWidth, clientHeight } = canvas;
  const left = labelPx + 12;
  const width = Math.max(1, clientWidth - left);
  return { left, width, height: clientHeight - axisPx - topPx, step: width / bars.length };
}

/** A round step that makes at most a few lines: 1, 2 or 5 times a power of ten. */
export function gridStep(top: number): number {
  const rough = top / gridLines;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= rough) ?? 10;
  return Math.max(1, factor * power);
}

/** Index of the bar under a place, CSS px from the left of the canvas. */
export function barAt(canvas: HTMLCanvasElement, x: number, count: number): number | null {
  const left = Number(canvas.dataset['left'] ?? 0);
  const index = Math.floor(((x - left) / Math.max(1, canvas.clientWidth - left)) * count);
  return index >= 0 && index < count ? index : null;
}

/** Draws bars into a canvas of the size that the page gives it. */
export function drawBars(canvas: HTMLCanvasElement, options: BarsOptions): void {
  const { bars, format, at } = options;
  const ctx = canvas.getContext('2d');
  if (ctx === null || bars.length === 0) return;
  const scale = devicePixelRatio;
  canvas.width = Math.round(canvas.clientWidth * scale);
  canvas.height = Math.round(canvas.clientHeight * scale);
  ctx.scale(scale, scale);
  ctx.font = CHART_FONT;
  const colors = colorReader(canvas);
  const top = topOf(Math.max(...bars.map(({ value }) => value)));
  const step = gridStep(top);
  const lines = Array.from({ length: Math.floor(top / step) + 1 }, (_, index) => index * step);
  const labelPx = Math.max(...lines.map((value) => ctx.measureText(format(value)).width));
  const frame = frameOf(canvas, bars, labelPx);
  canvas.dataset['left'] = String(frame.left);
  const yOf = (value: number): number => topPx + frame.height * (1 - value / top);
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'right';
  for (const value of lines) {
    ctx.fillStyle = colors('--line');
    ctx.fillRect(frame.left, Math.round(yOf(value)), frame.width, 1);
    ctx.fillStyle = colors('--muted');
    ctx.fillText(format(value), frame.left - 6, yOf(value));
  }
  const wide = Math.min(barMaxPx, frame.step * (1 - gapPart));
  bars.forEach(({ value }, index) => {
    const x = frame.left + frame.step * (index + 0.5) - wide / 2;
    ctx.fillStyle = colors(index === at ? '--fg' : options.color);
    ctx.fillRect(x, yOf(value), wide, yOf(0) - yOf(value));
  });
  drawLabels(ctx, options, { frame, color: colors('--muted') });
}

/** As many names as fit, evenly left out. */
function drawLabels(
  ctx: CanvasRenderingContext2D,
  { bars }: BarsOptions,
  { frame, color }: { readonly frame: Frame; readonly color: string },
): void {
  const widest = Math.max(...bars.map(({ label }) => ctx.measureText(label).width));
  const every = Math.ceil((widest + labelGapPx) / frame.step);
  ctx.textAlign = 'center';
  ctx.fillStyle = color;
  bars.forEach(({ label }, index) => {
    if (index % every !== 0) return;
    const x = frame.left + frame.step * (index + 0.5);
    ctx.fillText(label, x, topPx + frame.height + axisPx / 2 + 2);
  });
}
